// SPDX-License-Identifier: MIT

import AudioFiles
import ControlProtocol
import Glibc
import TestSupport
import Testing

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
    .jackServer(frames: 128, synchronous: false)
  )
  func killed() async throws {
    let server = try testServer().name
    let host = try HostProcess(
      graph: try graph(),
      server: server,
      environment: try scratch.installNodes(["gen": generator()]),
      in: scratch,
    )
    _ = try await host.attached()
    let recorder = try Recorder(
      from: [host.port("main_out_1")],
      capacityFrames: 24_000,
      server: server,
    )
    func waitUntilHeard() async throws {
      try await waitUntil("the generator is heard", within: .seconds(30)) {
        recorder.start()
        return try await recorder.finish().channels[0].last == Self.level
      }
    }
    // To silence in 64 frames, and not in one. A cycle that a busy machine loses is a step, too.
    let step = Self.level / 64 + 1e-6
    var kills = 0
    try await remeasure("the largest step of the fade", atMost: step) {
      let started = try await host.waitForEvents(.nodeStarted, count: kills + 1)
      let pid = try #require(started.last).startedProcess()
      try await waitUntilHeard()
      recorder.start()
      try await waitUntil("a tenth of a second is recorded") { recorder.capturedFrames > 4_800 }
      killOutsideStore(pid)
      let samples = try await recorder.finish().channels[0]
      let gap = try #require(samples.firstIndex(of: 0))
      kills += 1
      _ = try await host.waitForEvents(.nodeGone, count: kills)
      let largest = zip(samples[...gap], samples[...gap].dropFirst()).map { abs($0 - $1) }.max()
      return try #require(largest)
    }
    _ = try await host.waitForEvents(.nodeStarted, count: kills + 1)
    try await waitUntilHeard()
    recorder.close()
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
