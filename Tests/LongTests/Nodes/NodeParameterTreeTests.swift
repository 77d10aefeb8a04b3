// SPDX-License-Identifier: MIT

import AudioFiles
import ControlProtocol
import ControlSocket
import Foundation
import Glibc
import JACK
import TestSupport
import Testing

@testable import EndToEndSupport

/// The parameters of running nodes: from the command line to the sound.
@Suite(.serialized, .timeLimit(.minutes(2)))
struct NodeParameterTreeTests {
  private let scratch: Scratch

  init() throws { scratch = try Scratch() }

  private func host(_ insert: String, _ server: String) async throws -> HostProcess {
    let sine = Signals.sine(1_000, seconds: 1, amplitude: 0.1)
    try scratch.write([sine, sine], to: "sine.wav", format: .wavFloat32)
    let graph = try scratch.write(
      """
      multiroute: 1
      session: {category: multiRoute, options: [mixWithOthers]}
      routes:
        main: {type: lineOut, ports: [system:playback_1, system:playback_2]}
      sources:
        sound: {file: sine.wav, loop: true, inserts: [\(insert)]}
      mix: [{from: sound, to: main}]
      """,
      to: "parameters.yaml",
    )
    let host = try await HostProcess.running(graph: graph, server: server, in: scratch)
    try await host.waitUntilHeard(1)
    return host
  }

  /// A node with a name that the host does not know: it would start another one in the place of a killed one.
  private func node(_ kind: String, _ server: String) throws -> Child {
    try Child(
      Multiroute.path(),
      ["node", "run", kind, "--name", "my-\(kind)", "--server", server],
      environment: scratch.hostEnvironment,
      in: scratch,
    )
  }

  private func run(_ words: String..., on host: HostProcess) async throws -> String {
    let output = try await Multiroute.run(words + ["--host", host.name], in: scratch)
    guard output.end == .code(0) else { throw TestFailure("\(words): \(output.standardError)") }
    return output.standardOutput
  }

  /// Waits until the route is so loud, as a factor of the source.
  private func waitUntilLoud(_ factor: Double, _ host: HostProcess, _ server: String) async throws {
    var heard: [Double] = []
    for _ in 0..<40 {
      let recorder = try Recorder(
        from: [host.port("main_out_1")],
        capacityFrames: 4_800,
        server: server,
      )
      defer { recorder.close() }
      recorder.start()
      let samples = try await recorder.finish().channels[0]
      heard.append(pow(10, Signals.rmsDB(samples) / 20) / 0.1 * 2.0.squareRoot())
      if abs(heard[heard.count - 1] - factor) < 0.02 * factor { return }
    }
    Issue.record("\(factor) was not heard: \(heard)")
  }

  @Test(.jackServer())
  func `IAA-7: a band of the equalizer is set while it runs, and again after it was killed`()
    async throws
  {
    let server = try testServer().name
    let first = try node("equalizer", server)
    let host = try await host("my-equalizer", server)
    let control = try await host.control()
    let gain = "/node/my-equalizer/band-5-gain"
    let watched = WatchParameters.Params(paths: ["/node"])
    let before = try await control.call(WatchParameters.self, watched).values
    #expect(before.count == 24)
    #expect(before.contains(ParameterSetting(path: gain, value: .number(0))))
    try await waitUntilLoud(1, host, server)

    // The fifth band is at 1 kHz.
    _ = try await run("set", gain, "12.0412", on: host)
    try await waitUntilLoud(4, host, server)
    #expect(try await run("get", gain, on: host) == "12.0412\n")
    for await case .parameters(let changes) in control.notifications {
      #expect(changes.changes == [ParameterSetting(path: gain, value: .number(12.0412))])
      break
    }
    let list = try await run("list", "/node/my-equalizer/band-5-frequency", on: host)
    #expect(list.contains("Hz") && list.contains("the center of the band"))

    first.send(SIGKILL)
    try await waitUntilLoud(1, host, server)
    let second = try node("equalizer", server)
    _ = try await host.waitForEvents(.nodeConnected, count: 2)
    try await waitUntilLoud(4, host, server)
    #expect(try await run("get", gain, on: host) == "12.0412\n")

    let refused = try await Multiroute.run(
      "set",
      "/node/my-equalizer/band-5-q",
      "25",
      "--host",
      host.name,
      in: scratch,
    )
    #expect(refused.standardError.contains("a number from 0.1 to 20.0"))
    await control.close()
    _ = try await host.stop()
    _ = second
  }

  @Test(.jackServer())
  func `IAA-7: a value that another program writes into the metadata is in the tree`() async throws
  {
    let server = try testServer().name
    let delay = try node("delay", server)
    let host = try await host("my-delay", server)
    let other = try OpenedClient.open(name: "other", server: server)
    let uuid = try other.connection.uuid(ofClient: "my-delay")
    let key = MetadataKey(rawValue: "urn:multiroute:node:parameter:mix")
    #expect(try await run("get", "/node/my-delay/mix", on: host) == "0.35\n")
    try other.connection.setMetadata(MetadataValue("0.125"), for: key, of: uuid)
    try await waitUntil("the tree has it") {
      try await run("get", "/node/my-delay/mix", on: host) == "0.125\n"
    }
    // Neither the node nor the host takes this one.
    try other.connection.setMetadata(MetadataValue("7"), for: key, of: uuid)
    _ = try await run("set", "/node/my-delay/feedback", "0.5", on: host)
    #expect(try await run("get", "/node/my-delay/mix", on: host) == "0.125\n")
    other.close()
    _ = try await host.stop()
    _ = delay
  }
}
