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

/// Inter-app audio in the running host.
@Suite(.serialized, .timeLimit(.minutes(1)))
struct NodeTests {
  private let scratch: Scratch

  init() throws { scratch = try Scratch() }

  @Test(
    "IAA-7: 1, 4 and 8 effects before a strip add no frame, and none changes a bit",
    .steppedServer(frames: 128, timeLimitMilliseconds: 1_000),
    arguments: [1, 4, 8]
  )
  func noPeriod(_ count: Int) async throws {
    let server = try testServer().name
    let effects = try (1...count).map { try scratch.passing("fx\($0)", server) }
    let host = try await HostProcess.running(
      graph: try scratch.noiseGraph(effects: count),
      server: server,
      in: scratch,
    )
    try await host.waitUntilHeard(1, running: count)
    let recorder = try Recorder(
      from: ["\(host.name)-sources:noise_1", host.port("main_out_1")],
      capacityFrames: 48_000,
      server: server,
    )
    recorder.start()
    // Bypassed and back while it is recorded: the crossfade of a sound with itself is that sound.
    let client = try await host.control()
    let target = MixTarget.strip("noise")
    for isBypassed in [true, false] {
      try await recorder.pass(12_000)
      let params = SetBypass.Params(target: target, node: "fx1", bypassed: isBypassed)
      _ = try await client.call(SetBypass.self, params)
    }
    let recording = try await recorder.finish()
    // On a machine with other work to do an effect may come too late for a cycle, and is left out with a
    // bridge of 64 frames.
    let wrong = zip(recording.channels[0], recording.channels[1]).count { abs($0 - $1) >= 1e-6 }
    #expect(wrong <= 8 * 64)
    let exact = zip(recording.channels[0], recording.channels[1]).count { $0 == $1 }
    #expect(exact > 40_000)
    #expect(recording.channels[0].contains { $0 != 0 })
    await client.close()
    recorder.close()
    _ = try await host.stop()
    #expect(effects.allSatisfy { $0.end == nil })
  }

  @Test(
    "IAA-7: an effect after a route adds no frame",
    .steppedServer(frames: 128, timeLimitMilliseconds: 1_000)
  )
  func route() async throws {
    let server = try testServer().name
    let effect = try scratch.passing("post", server)
    let host = try await HostProcess.running(
      graph: try scratch.noiseGraph(effects: 0, route: true),
      server: server,
      in: scratch,
    )
    try await host.waitUntilHeard(1, running: 1)
    let recorder = try Recorder(
      from: ["\(host.name)-sources:noise_1", "post:out_1", host.port("main_out_1")],
      capacityFrames: 24_000,
      server: server,
    )
    try await waitUntil("what the effect says is there, too") {
      try recorder.connection.connections(ofPort: "\(host.name)-main-out:out_1")
        .contains(recorder.portNames[2])
    }
    recorder.start()
    let recording = try await recorder.finish()
    #expect(recording.channels[0] == recording.channels[1])
    #expect(recording.channels[0].contains { $0 != 0 })
    // On a machine with other work to do an effect may come too late for a cycle, and is left out with a
    // bridge of 64 frames; the crossfade back, of a sound with itself, is that sound but for its rounding.
    let wrong = zip(recording.channels[0], recording.channels[2]).count { abs($0 - $1) >= 1e-6 }
    #expect(wrong <= 8 * 64)
    recorder.close()
    _ = try await host.stop()
    _ = effect
  }

  @Test(
    "IAA-6: a killed effect is bypassed, started again, and heard again",
    .jackServer(synchronous: false)
  )
  func killed() async throws {
    let server = try testServer().name
    let host = try HostProcess(
      graph: try scratch.noiseGraph(effects: 1, restart: "always"),
      server: server,
      environment: try scratch.installNodes(["fx1": Scratch.passingNode("fx1")]),
      in: scratch,
    )
    _ = try await host.attached()
    try await host.waitUntilHeard(1, running: 1)
    for round in 1...2 {
      let events = try await host.waitForEvents(.nodeStarted, count: round)
      let pid = try #require(events.last).startedProcess()
      let recorder = try Recorder(
        from: ["\(host.name)-sources:noise_1", host.port("main_out_1")],
        capacityFrames: 48_000,
        server: server,
      )
      recorder.start()
      try await waitUntil("a tenth of a second is recorded") { recorder.capturedFrames > 4_800 }
      killOutsideStore(pid)
      _ = try await host.waitForEvents(.nodeGone, count: round)
      let channels = try await recorder.finish().channels
      recorder.close()
      // The effect passes everything on: but for bridges of 64 frames the sound is the same with it and without.
      #expect(channels[0].contains { $0 != 0 })
      let wrong = zip(channels[0], channels[1]).count { abs($0 - $1) >= 1e-6 }
      #expect(wrong <= 4_800, "\(wrong)")
      _ = try await host.waitForEvents(.nodeStarted, count: round + 1)
      try await host.waitUntilHeard(1, running: 1)
    }
    _ = try await host.stop()
  }

  @Test(
    "IAA-3: a node without the entitlement is not let in, and the host says why",
    .steppedServer(frames: 256, timeLimitMilliseconds: 1_000)
  )
  func entitlement() async throws {
    let server = try testServer().name
    let effect = try scratch.passing("fx1", server, "--without-entitlement")
    let host = try await HostProcess.running(
      graph: try scratch.noiseGraph(effects: 1),
      server: server,
      in: scratch,
    )
    let events = try await host.waitForEvents(.nodeFault, count: 1)
    #expect(events.first?.message.contains("IAA-3: node 'fx1' lacks the inter-app-audio") == true)
    #expect(try await host.status().inserts.first?.heard == 0)
    _ = try await host.stop()
    _ = effect
  }

  @Test(
    "IAA-2: an effect is inserted, bypassed and taken out by commands",
    .steppedServer(frames: 256, timeLimitMilliseconds: 1_000)
  )
  func commands() async throws {
    let server = try testServer().name
    let effect = try scratch.passing("fx1", server)
    try await waitUntilPublished("fx1")
    let host = try await HostProcess.running(
      graph: try scratch.noiseGraph(effects: 0),
      server: server,
      in: scratch,
    )
    func run(_ words: String...) async throws {
      let output = try await Multiroute.run(words + ["--host", host.name], in: scratch)
      #expect(output.end == .code(0), "\(words): \(output.standardError)")
    }
    try await run("insert", "noise", "fx1")
    try await host.waitUntilHeard(1, running: 1)
    try await run("bypass", "noise", "fx1", "on")
    try await host.waitUntilHeard(0)
    try await run("bypass", "noise", "fx1", "off")
    try await host.waitUntilHeard(1, running: 1)
    try await run("insert", "noise")
    try await waitUntil("the strip has no effect") {
      try await host.status().inserts.allSatisfy(\.nodes.isEmpty)
    }
    _ = try await host.stop()
    _ = effect
  }

  @Test("IAA-7: a graph that would need a loop is refused with the reason")
  func loop() async throws {
    let graph = try scratch.noiseGraph(effects: 1, route: true)
    let text = try String(contentsOfFile: graph, encoding: .utf8)
    try scratch.write(text.replacing("[post]", with: "[fx1]"), to: "loop.yaml")
    let output = try await Multiroute.run("check", "\(scratch.path)/loop.yaml", in: scratch)
    #expect(output.end == .code(65))
    #expect(output.standardError.contains("loop through the host, which costs a period"))
  }
}
