// SPDX-License-Identifier: MIT

import AudioFiles
import ControlProtocol
import ControlSocket
import JACK
import TestSupport
import Testing

@testable import EndToEndSupport

/// A program that sends samples that are no sound, beside a good one on the same route.
@Suite(.serialized, .timeLimit(.minutes(1)))
struct FaultySoundTests {
  /// The limiter of the route that both play to.
  private enum Limiter: String, CaseIterable {
    case none = ""
    case soft = ", limiter: {ceiling: -1 dB}"
  }

  @Test(.jackServer(frames: 256), arguments: Limiter.allCases)
  private func `a program that sends NaN and 3e38 is heard by nobody else, and told of`(
    _ limiter: Limiter
  ) async throws {
    let server = try testServer().name
    let scratch = try Scratch()
    let deck = [Signals.noise(60_000, seed: 1), Signals.noise(60_000, seed: 2)]
    try scratch.write(deck, to: "deck.flac", format: .flacPCM16)
    let bad: [Float] = [.nan, .infinity, -.infinity, 3e38, -3e38, 1e19, 0]
    let player = try Player([bad, bad], loops: true, server: server, name: "faulty")
    defer { player.close() }
    let graph = try scratch.write(
      """
      multiroute: 1
      routes:
        main: {type: lineOut, ports: [system:playback_1, system:playback_2]\(limiter.rawValue)}
      sources:
        deck: {file: deck.flac, loop: true}
        faulty: {ports: ["faulty:out_1", "faulty:out_2"]}
      mix:
        - {from: deck, to: main}
        - {from: faulty, to: main}
      """,
      to: "faulty.yaml",
    )
    let host = try await HostProcess.running(graph: graph, server: server, in: scratch)
    let recorder = try Recorder(
      from: ["main_out_1", "main_out_2"].map { host.port($0) },
      capacityFrames: 2 * 48_000,
      server: server,
    )
    player.start()
    let event = try await host.waitForEvents(.inputFault).first
    recorder.start()
    let recording = try await recorder.finish()
    recorder.close()

    for (samples, reference) in zip(recording.channels, deck) {
      let start = try #require(samples.indices.first { samples[$0] != 0 })
      let match = try #require(Signals.longestMatch(of: samples, from: start, inLoop: reference))
      #expect(start + match.frames == samples.count)
    }
    #expect(event?.message.contains("strip 'faulty'") == true)
    let faults = try await host.status().strips.first { $0.id == "faulty" }?.faults
    #expect(try #require(faults).silencedSamples > 0)
    let client = try await host.control()
    let why = try await client.call(Why.self, Why.Params(app: "faulty"))
    #expect(why.sessions.first?.sentence.contains("samples that are no sound") == true)
    await client.close()
    #expect(try await host.stop() == .code(0))
  }

  @Test(.jackServer(frames: 256))
  func `a capture that sends NaN is silence behind a gate, and told of by its port`() async throws {
    let server = try testServer().name
    let scratch = try Scratch()
    let card = try Player(
      [[.nan, 0.25, .infinity, 0.25]],
      loops: true,
      flags: [.physical, .terminal],
      server: server,
      name: "card",
    )
    defer { card.close() }
    card.start()
    let graph = try scratch.write(
      """
      multiroute: 1
      permissions: {}
      routes:
        main: {type: lineOut, ports: [system:playback_1]}
      """,
      to: "gate.yaml",
    )
    let host = try await HostProcess.running(graph: graph, server: server, in: scratch)
    let recorder = try Recorder(
      from: ["card:out_1"],
      capacityFrames: 20 * 48_000,
      server: server,
      name: "rec",
    )
    defer { recorder.close() }
    recorder.start()
    try await waitUntil("it hears a gate") {
      try recorder.connection.connections(ofPort: recorder.portNames[0]) == [
        "\(host.name)-mic:rec_1"
      ]
    }
    let start = recorder.capturedFrames
    let answer = try await Multiroute.run(
      "permission",
      "grant",
      Microphone.program,
      "--host",
      host.name,
      in: scratch,
    )
    #expect(answer.end == .code(0), "\(answer.standardError)")
    let event = try await host.waitForEvents(.inputFault).first
    #expect(event?.message.contains("capture 'card:out_1'") == true)
    guard case .inputFault(let fault) = event?.payload else {
      Issue.record("no details")
      return
    }
    #expect(fault.capture == "card:out_1" && fault.silencedSamples > 0)
    try await recorder.pass(12_000)
    let heard = recorder.captured.channels[0][start...]
    #expect(heard.contains(0.25) && heard.allSatisfy { $0.isFinite && abs($0) <= 0.25 })
    #expect(try await host.stop() == .code(0))
  }
}
