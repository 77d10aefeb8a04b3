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
  /// For figures: `NODE_FAULT_ROUNDS=20`.
  private static let figureRounds =
    ProcessInfo.processInfo.environment["NODE_FAULT_ROUNDS"].flatMap(Int.init)
  /// Otherwise one is enough, unless the machine has other work to do.
  private static let rounds = figureRounds ?? 4
  private static let nodeCount = 8

  private let scratch: Scratch

  init() throws { scratch = try Scratch() }

  /// Eight strips with a node each, and a steady one that has a route of its own.
  private func graph() throws -> String {
    try scratch.write([PlaceStream.samples], to: "steady.wav", format: .wavFloat32)
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

  @Test(
    "IAA-6: each of 8 nodes is killed and stopped in turn, and the other streams are spared",
    .jackServer(frames: 128, synchronous: false)
  )
  func inTurn() async throws {
    let server = try testServer().name
    func node(_ number: Int) throws -> Child {
      try scratch.passing("fx\(number)", server, "--on-loss", "stop")
    }
    var nodes = try (1...Self.nodeCount).map(node)
    let host = try await HostProcess.running(
      graph: try graph(),
      server: server,
      arguments: ["--duration", "900"],
      in: scratch,
    )
    try await host.waitUntilHeard(1, running: Self.nodeCount)
    let watchers = try FaultWatchers(of: host.port("steady_out_1"), server: server)
    var tally: [Int32: Tally] = [SIGKILL: Tally(), SIGSTOP: Tally()]
    for round in 1...Self.rounds {
      for signal in [SIGKILL, SIGSTOP] {
        // jackd is busy for seconds after some of the stops: one of them unless for figures.
        for index in nodes.indices.prefix(signal == SIGSTOP && Self.figureRounds == nil ? 1 : 8) {
          let port = "fx\(index + 1):out_1"
          tally[signal]?.call(try watchers.connect(port))
          try await Task.sleep(for: .milliseconds(50))
          watchers.start()
          tally[signal]?.addQuiet(try await watchers.finish())
          watchers.start()
          try await Task.sleep(for: .milliseconds(100))
          let begin = ContinuousClock.now
          nodes[index].send(signal)
          try await host.waitForInserts { chains in
            chains.enumerated().allSatisfy { ($1.heard == 1) == ($0 != index) }
          }
          tally[signal]?.answer(ContinuousClock.now - begin)
          try await watchers.waitForOthers()
          if signal == SIGSTOP {
            let fault = try await host.status().inserts[index].nodes.first?.fault
            #expect(fault?.contains("SIGSTOP") == true)
            nodes[index].send(SIGCONT)
          }
          tally[signal]?.add(try await watchers.finish())
          if signal == SIGKILL {
            _ = try await nodes[index].waitForEnd()
            nodes[index] = try node(index + 1)
          } else {
            tally[signal]?.call(try watchers.disconnect(port))
          }
          try await host.waitUntilHeard(1, running: Self.nodeCount, within: .seconds(60))
        }
      }
      print("round \(round): \(tally[SIGKILL]?.text ?? ""); stopped \(tally[SIGSTOP]?.text ?? "")")
      guard Self.figureRounds == nil, round < Self.rounds else { continue }
      if tally.values.allSatisfy(\.isSpared) { break }
      tally = [SIGKILL: Tally(), SIGSTOP: Tally()]
    }
    for signal in [SIGKILL, SIGSTOP] {
      let tally = try #require(tally[signal])
      print("\(signal == SIGKILL ? "killed" : "stopped"): \(tally.text)")
      #expect(tally.lost.behind > 0)
      #expect(tally.isSpared)
    }
    watchers.close()
    _ = try await host.stop()
  }
}

/// What faults have cost.
private struct Tally {
  var faults = 0
  var lost = FaultWatchers.Lost(steady: 0, alone: 0, behind: 0)
  /// Faults at which the steady stream lost something, and the one alone did not.
  var steadyAlone = 0
  var slowest = Duration.zero
  /// What was lost in as much time just before the faults.
  var quiet = FaultWatchers.Lost(steady: 0, alone: 0, behind: 0)
  var quietSteadyAlone = 0
  /// The longest that jackd has taken to connect or disconnect.
  var slowestCall = Duration.zero

  mutating func add(_ more: FaultWatchers.Lost) {
    faults += 1
    lost += more
    if more.steady > 0, more.alone == 0 { steadyAlone += 1 }
  }

  mutating func addQuiet(_ more: FaultWatchers.Lost) {
    quiet += more
    if more.steady > 0, more.alone == 0 { quietSteadyAlone += 1 }
  }

  /// Whether the host's other stream is spared what those behind the node lose.
  ///
  /// If a node's end held it up, it would lose as many. On a machine with other work to do cycles are late for
  /// many reasons, and a longer chain of clients for more of them.
  var isSpared: Bool { (lost.steady - lost.alone) * 3 <= lost.behind }

  mutating func answer(_ time: Duration) { slowest = max(slowest, time) }

  mutating func call(_ time: Duration) { slowestCall = max(slowestCall, time) }

  var text: String {
    "\(faults) faults, frames lost: \(lost.steady) by the host's other stream (\(steadyAlone) times it "
      + "alone), \(lost.alone) by a stream beside, \(lost.behind) by a bare client behind the node; "
      + "just before the faults \(quiet.steady) (\(quietSteadyAlone) times alone), \(quiet.alone), \(quiet.behind); "
      + "bypassed within \(slowest), jackd's slowest connection \(slowestCall)"
  }
}
