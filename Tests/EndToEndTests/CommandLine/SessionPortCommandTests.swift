// SPDX-License-Identifier: MIT

import ControlProtocol
import Foundation
import Sessions
import TestSupport
import Testing

@testable import EndToEndSupport

/// The ports that a session chooses on the command line: override of its output, preferred input, data source.
@Suite(.serialized, .timeLimit(.minutes(2)))
struct SessionPortCommandTests {
  private static let graph = """
    multiroute: 1
    server: {start: never}
    session: {category: multiRoute, options: [mixWithOthers]}
    permissions: {default: granted}
    routes:
      speaker: {type: builtInSpeaker, ports: [system:playback_1, system:playback_2]}
      phones: {type: headphones, ports: [system:playback_3, system:playback_4]}
      desk: {type: builtInMic, direction: input, ports: [system:capture_1]}
      headset: {type: headsetMic, direction: input, ports: [system:capture_2]}
    sources: {}
    mix: []
    """

  @Test(.jackServer(channels: 4))
  func `RTE-5 a session's override, preferred input and data source, as text and as JSON`()
    async throws
  {
    let scratch = try Scratch()
    let graph = try scratch.write(Self.graph, to: "ports.yaml")
    let host = try await HostProcess.running(
      graph: graph,
      server: testServer().name,
      in: scratch,
    )
    let holder = try Child(
      Multiroute.path(),
      ["session", "open", "--app", "call", "--category", "playAndRecord", "--activate"],
      environment: scratch.hostEnvironment,
      in: scratch,
    )
    try await waitUntil("the session is open") { holder.standardOutput.hasSuffix("\n") }
    let id = holder.standardOutput.trimmingCharacters(in: .whitespacesAndNewlines)
    func run(_ words: String) async throws -> (end: Child.End, out: String, error: String) {
      let words = words.split(separator: " ").map(String.init)
      let output = try await Multiroute.run(words, in: scratch)
      return (output.end, output.standardOutput, output.standardError)
    }
    func detail() async throws -> SessionDetail {
      let json = try await run("session show \(id) --json").out
      return try JSONCoding.decoder().decode(SessionDetail.self, from: Data(json.utf8))
    }
    #expect(try await detail().route.outputs.map(\.uid) == ["phones"])
    #expect(try await run("session adjust \(id) --output speaker --input desk").end == .code(0))
    let changed = try await detail()
    #expect(changed.route.outputs.map(\.uid) == ["speaker"])
    #expect(changed.outputOverride == .speaker)
    #expect(changed.preferredInput == "desk")
    #expect(changed.route.inputs.map(\.uid) == ["desk"])
    let text = try await run("session show \(id)").out
    #expect(text.contains("override of the output") && text.contains("speaker"), "\(text)")
    #expect(text.contains("available input"), "\(text)")

    let back = try await run("session adjust \(id) --output none --input none")
    #expect(back.end == .code(0))
    #expect(try await detail().route.outputs.map(\.uid) == ["phones"])
    #expect(try await detail().preferredInput == nil)

    // No port of JACK has data sources: the command says so, and changes nothing.
    let source = try await run("session adjust \(id) --port phones --data-source 1")
    #expect(source.end == .code(65))
    #expect(source.error.contains("data source 1"), "\(source.error)")
    let unknown = try await run("session adjust \(id) --input line")
    #expect(unknown.end == .code(65))
    #expect(unknown.error.contains("line"), "\(unknown.error)")
    holder.send(SIGINT)
    _ = try await holder.waitForEnd()
    #expect(try await host.stop() == .code(0))
  }
}
