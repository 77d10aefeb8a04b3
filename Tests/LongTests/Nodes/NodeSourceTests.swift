// SPDX-License-Identifier: MIT

import AudioFiles
import ControlProtocol
import Glibc
import TestSupport
import Testing

@testable import EndToEndSupport

/// A node as the source of a strip, and its end.
@Suite(.serialized, .timeLimit(.minutes(2)))
struct NodeSourceTests {
  private static let level: Float = 0.5

  private let scratch: Scratch

  init() throws { scratch = try Scratch() }

  private func graph(effects: String = "") throws -> String {
    try scratch.write(
      """
      multiroute: 1
      session: {category: multiRoute, options: [mixWithOthers]}
      routes:
        main: {type: lineOut, ports: [system:playback_1, system:playback_2]}
      sources:
        steady: {node: {name: gen, restart: always}, inserts: [\(effects)]}
      mix: [{from: steady, to: main}]
      """,
      to: "source.yaml",
    )
  }

  /// A generator that gives `level` for a minute.
  private func generator() throws -> String {
    let samples = [Float](repeating: Self.level, count: 60 * 48_000)
    let file = try scratch.write([samples, samples], to: "level.wav", format: .wavFloat32)
    return """
      node: 1
      kind: generator
      name: gen
      client: gen
      subtype: play
      manufacturer: mrte
      publishesItself: true
      command: ["\(try Multiroute.path())", node, run, player, "--file=\(file)", --name=gen, --on-loss=stop]
      """
  }

  @Test(
    "IAA-1, IAA-6: a generator that is killed fades to silence, is started again, and heard again",
    .steppedServer(frames: 128, timeLimitMilliseconds: 200)
  )
  func killed() async throws {
    let server = try steppedServer()
    let host = try HostProcess(
      graph: try graph(),
      server: server.name,
      environment: try scratch.installNodes(["gen": generator()]),
      in: scratch,
    )
    _ = try await host.attached()
    for round in 1...2 {
      // The generator has sound for a minute of frames, of which the host's first cycles took some.
      let pid = try #require(try await host.waitForEvents(.nodeStarted, count: round).last)
        .startedProcess()
      try await server.run(until: "the generator is heard") {
        try await server.step(10)[0].allSatisfy { $0 == Self.level }
      }
      await server.hold()
      let start = try await server.step(4).firstFrame
      killOutsideStore(pid)
      try await server.run(until: "the host has seen its end") {
        host.events.count { $0.kind == .nodeGone } == round
      }
      let samples = server.heard(0, from: start)
      // To silence in 64 frames, each a step of its own.
      let steps = zip(samples, samples.dropFirst()).map { $1 - $0 }
      #expect(samples.first == Self.level)
      #expect(samples.last == 0)
      #expect(steps.allSatisfy { $0 <= 0 && -$0 <= Self.level / 64 + 1e-6 })
      server.run()
    }
    _ = try await host.waitForEvents(.nodeStarted, count: 3)
    try await server.run(until: "the generator is heard") {
      try await server.step(10)[0].allSatisfy { $0 == Self.level }
    }
    _ = try await host.stop()
  }

  @Test(
    "IAA-6: the effects of a generator that is killed are there again with it, every time",
    .jackServer(synchronous: false)
  )
  func effects() async throws {
    let server = try testServer().name
    let host = try HostProcess(
      graph: try graph(effects: "fx1"),
      server: server,
      environment: try scratch.installNodes([
        "gen": generator(), "fx1": Scratch.passingNode("fx1"),
      ]),
      in: scratch,
    )
    _ = try await host.attached()
    try await host.waitUntilHeard(1, running: 1)
    func generators() -> [ControlEvent] {
      host.events.filter { $0.nodeStarted?.node == "gen" }
    }
    for round in 1...2 {
      let pid = try #require(generators().last).startedProcess()
      killOutsideStore(pid)
      try await waitUntil("it is started again") { generators().count > round }
      // A disconnection counts as a user's after a second.
      try await passFrames(72_000, on: server)
      try await host.waitUntilHeard(1, running: 1)
      #expect(try await host.status().inserts.first?.leftAlone == false)
    }
    #expect(!host.events.contains { $0.kind == .nodeFault && $0.message.contains("a user") })
    _ = try await host.stop()
  }
}
