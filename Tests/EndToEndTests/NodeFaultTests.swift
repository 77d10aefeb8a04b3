// SPDX-License-Identifier: MIT

import AudioFiles
import ControlProtocol
import ControlSocket
import Foundation
import Glibc
import JACK
import TestSupport
import Testing

/// What a node's death or stop costs others, in the running host and beside it.
@Suite(.serialized, .timeLimit(.minutes(60)))
struct NodeFaultTests {
  /// 20 for figures: `NODE_FAULT_ROUNDS=20`.
  private static let rounds =
    ProcessInfo.processInfo.environment["NODE_FAULT_ROUNDS"].flatMap(Int.init) ?? 1
  private static let nodeCount = 8
  private static let windowFrames = 24_000

  private let scratch: Scratch

  init() throws { scratch = try Scratch() }

  /// Eight strips with a node each, and a steady one that has a route of its own.
  private func graph() throws -> String {
    try scratch.write([Sequence.samples], to: "steady.wav", format: .wavFloat32)
    let strips = 1...Self.nodeCount
    return try scratch.write(
      """
      multiroute: 1
      session: {category: multiRoute, options: [mixWithOthers]}
      routes:
        steady: {type: lineOut, ports: [system:playback_1]}
        rest: {type: lineOut, ports: [system:playback_2]}
      sources:
        stream: {file: steady.wav, loop: true}
      \(strips.map { "  s\($0): {file: steady.wav, loop: true, inserts: [fx\($0)]}" }
        .joined(separator: "\n"))
      mix:
        - {from: stream, to: steady}
      \(strips.map { "  - {from: s\($0), to: rest, gain: -20 dB}" }.joined(separator: "\n"))
      """,
      to: "faults.yaml",
    )
  }

  private func node(_ number: Int, _ server: String) throws -> Child {
    try Child(
      Multiroute.path(),
      [
        "node", "run", "delay", "--mix", "0", "--name", "fx\(number)", "--server", server,
        "--on-loss", "stop",
      ],
      environment: scratch.hostEnvironment,
      in: scratch,
    )
  }

  private func waitUntilHeard(_ host: HostProcess, _ heard: (Int) -> Bool) async throws {
    let client = try await host.control()
    let deadline = ContinuousClock.now + .seconds(20)
    while true {
      let chains = try await client.call(GetStatus.self).inserts
      let isSo = chains.enumerated().allSatisfy { ($1.heard == 1) == heard($0) }
      if isSo, chains.count == Self.nodeCount { break }
      guard ContinuousClock.now < deadline else {
        throw TestFailure("the effects are not heard as they should: \(chains)")
      }
      try await Task.sleep(for: .milliseconds(10))
    }
    await client.close()
  }

  @Test(
    "IAA-6: each of 8 nodes is killed and stopped in turn, and the other streams lose no frame",
    .jackServer(frames: 128, synchronous: false)
  )
  func inTurn() async throws {
    let server = try testServer().name
    var nodes = try (1...Self.nodeCount).map { try node($0, server) }
    let host = try await HostProcess.running(
      graph: try graph(),
      server: server,
      arguments: ["--duration", "900"],
      in: scratch,
    )
    try await waitUntilHeard(host) { _ in true }
    // A client of its own at the host's steady route, one at a stream that has to do with nobody, and one
    // that is connected with a node as any JACK client is.
    let player = try Player([Sequence.samples], loops: true, server: server)
    let alone = player.portNames[0]
    let frames = Self.windowFrames
    let watchers = try [
      Recorder(
        from: [host.port("steady_out_1")],
        capacityFrames: frames,
        server: server,
        name: "steady"
      ),
      Recorder(from: [alone], capacityFrames: frames, server: server, name: "alone"),
      Recorder(from: [alone, nil], capacityFrames: frames, server: server, name: "behind"),
    ]
    player.start()
    var tally: [Int32: Tally] = [SIGKILL: Tally(), SIGSTOP: Tally()]
    for round in 1...Self.rounds {
      for signal in [SIGKILL, SIGSTOP] {
        // jackd is busy for seconds after some of the stops: one of them unless for figures.
        for index in nodes.indices.prefix(signal == SIGSTOP && Self.rounds == 1 ? 1 : 8) {
          let call = ContinuousClock.now
          try watchers[2].connection.connect("fx\(index + 1):out_1", to: watchers[2].portNames[1])
          tally[signal]?.call(ContinuousClock.now - call)
          try await Task.sleep(for: .milliseconds(50))
          for watcher in watchers { watcher.start() }
          try await Task.sleep(for: .milliseconds(100))
          let begin = ContinuousClock.now
          nodes[index].send(signal)
          try await waitUntilHeard(host) { $0 != index }
          tally[signal]?.answer(ContinuousClock.now - begin)
          // Who stands behind a stopped client is not called at all.
          try await waitUntil("two have captured", within: .seconds(20)) {
            watchers[0].capturedFrames == frames && watchers[1].capturedFrames == frames
          }
          if signal == SIGSTOP {
            let fault = try await host.status().inserts[index].nodes.first?.fault
            #expect(fault?.contains("SIGSTOP") == true)
            nodes[index].send(SIGCONT)
          }
          _ = try await watchers[2].finish()
          let lost = watchers.map { Sequence.lostFrames($0.captured.channels[0]) }
          tally[signal]?.add(lost)
          if signal == SIGKILL {
            _ = try await nodes[index].waitForEnd()
            nodes[index] = try node(index + 1, server)
          } else {
            let call = ContinuousClock.now
            try watchers[2].connection.disconnect(
              "fx\(index + 1):out_1",
              from: watchers[2].portNames[1],
            )
            tally[signal]?.call(ContinuousClock.now - call)
          }
          try await waitUntilHeard(host) { _ in true }
        }
      }
      print("round \(round): \(tally[SIGKILL]?.text ?? ""); stopped \(tally[SIGSTOP]?.text ?? "")")
    }
    for signal in [SIGKILL, SIGSTOP] {
      let tally = try #require(tally[signal])
      print("\(signal == SIGKILL ? "killed" : "stopped"): \(tally.text)")
      // On a machine with other work to do cycles are late for many reasons, which the stream alone shows
      // too; of a node's they would be as many as those behind it lose.
      #expect(tally.behind > 0)
      #expect((tally.steady - tally.alone) * 10 <= tally.behind)
    }
    for watcher in watchers { watcher.close() }
    player.close()
    _ = try await host.stop()
  }
}

/// What faults have cost.
private struct Tally {
  var faults = 0
  /// Lost frames: of the host's steady stream, of the one alone, and behind the node.
  var steady = 0
  var alone = 0
  var behind = 0
  /// Faults at which the steady stream lost something, and the one alone did not.
  var steadyAlone = 0
  var slowest = Duration.zero
  /// The longest that jackd has taken to connect or disconnect.
  var slowestCall = Duration.zero

  mutating func add(_ lost: [Int]) {
    faults += 1
    steady += lost[0]
    alone += lost[1]
    behind += lost[2]
    if lost[0] > 0, lost[1] == 0 { steadyAlone += 1 }
  }

  mutating func answer(_ time: Duration) { slowest = max(slowest, time) }

  mutating func call(_ time: Duration) { slowestCall = max(slowestCall, time) }

  var text: String {
    "\(faults) faults, frames lost: \(steady) by the host's other stream (\(steadyAlone) times it "
      + "alone), \(alone) by a stream beside, \(behind) by a bare client behind the node; "
      + "bypassed within \(slowest), jackd's slowest connection \(slowestCall)"
  }
}

/// A stream in which every sample tells its place, so that lost cycles show.
private enum Sequence {
  static let period = 48_000
  static let samples = (0..<period).map { Float($0 + 1) / Float(period) }

  /// How many frames are missing in what was captured, or there twice.
  static func lostFrames(_ captured: [Float]) -> Int {
    let places = captured.map { Int(($0 * Float(period)).rounded()) - 1 }
    return zip(places, places.dropFirst()).reduce(0) { lost, pair in
      let step = (pair.1 - pair.0 - 1 + 2 * period) % period
      return lost + min(step, period - step)
    }
  }
}
