// SPDX-License-Identifier: MIT

import AudioFiles
import ControlProtocol
import ControlSocket
import Foundation
import Glibc
import JACK
import TestSupport
import Testing

/// The cost of a node's death or stop for others, in the running host and beside it.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct NodeFaultTests {
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
    "IAA-6: jackd does not wait for a stopped node with each late cycle",
    .jackServer(frames: 128, synchronous: false)
  )
  func lateCycles() async throws {
    let server = try testServer().name
    let node = try scratch.passing("fx1", server, "--on-loss", "stop")
    try await waitUntilPublished("fx1")
    let behind = try Recorder(
      from: ["fx1:out_1"],
      capacityFrames: 48_000,
      server: server,
      name: "behind",
    )
    node.send(SIGSTOP)
    defer { node.send(SIGCONT) }
    // The socket of a client holds some hundred notifications. From then on jackd would wait 2 s for each.
    try await waitUntil("jackd has told the others of 1,500 late cycles", within: .seconds(20)) {
      behind.connection.xruns.count >= 1_500
    }
    behind.close()
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
      in: scratch,
    )
    try await host.waitUntilHeard(1, running: Self.nodeCount)
    let watchers = try FaultWatchers(of: host.port("steady_out_1"), server: server)
    let watch = MachineWatch()
    var tally: [Int32: Tally] = [SIGKILL: Tally(), SIGSTOP: Tally()]
    // jackd is busy for seconds after some of the stops: only one of the nodes is stopped.
    let faults = nodes.indices.map { (SIGKILL, $0) } + [(SIGSTOP, 0)]
    for (signal, index) in faults {
      let port = "fx\(index + 1):out_1"
      _ = try watchers.connect(port)
      watchers.start()
      try await watchers.waitUntilCaptured(4_800)
      watch.restart()
      nodes[index].send(signal)
      try await host.waitForInserts { chains in
        chains.enumerated().allSatisfy { ($1.heard == 1) == ($0 != index) }
      }
      try await watchers.waitForOthers()
      let isInTime = !watch.wasLate
      if signal == SIGSTOP {
        let fault = try await host.status().inserts[index].nodes.first?.fault
        #expect(fault?.contains("SIGSTOP") == true)
        nodes[index].send(SIGCONT)
      }
      let lost = try await watchers.finish()
      // On any machine: between the cycles that are missing as a whole each sample is in its place.
      #expect(lost.areWholeCycles, "\(lost)")
      tally[signal]?.add(lost, isInTime: isInTime)
      if signal == SIGKILL {
        _ = try await nodes[index].waitForEnd()
        nodes[index] = try node(index + 1)
      } else {
        _ = try watchers.disconnect(port)
      }
      try await host.waitUntilHeard(1, running: Self.nodeCount, within: .seconds(60))
    }
    for (signal, name) in [(SIGKILL, "killed"), (SIGSTOP, "stopped")] {
      let tally = try #require(tally[signal])
      #expect(tally.lost.behind > 0)
      if tally.faultsInTime == 0 {
        inconclusive("what a \(name) node costs other streams: the machine was late at each fault")
      } else {
        #expect(tally.isSpared, "\(name): \(tally.lostInTime)")
      }
    }
    watchers.close()
    _ = try await host.stop()
  }
}

/// The cost of faults.
private struct Tally {
  /// At all faults.
  private(set) var lost = FaultWatchers.Lost(steady: 0, alone: 0, behind: 0)
  /// At those faults at which the machine was in time.
  private(set) var lostInTime = FaultWatchers.Lost(steady: 0, alone: 0, behind: 0)
  private(set) var faultsInTime = 0

  mutating func add(_ more: FaultWatchers.Lost, isInTime: Bool) {
    lost += more
    guard isInTime else { return }
    lostInTime += more
    faultsInTime += 1
  }

  /// Whether the host's other stream loses less than a third of the frames that clients behind the node lose.
  ///
  /// If a node's end held it up, it would lose as many.
  var isSpared: Bool { (lostInTime.steady - lostInTime.alone) * 3 <= lostInTime.behind }
}
