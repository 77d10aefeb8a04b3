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
    "IAA-6: each of 8 nodes is killed and stopped in turn, and no other stream loses a frame",
    .steppedServer(frames: 128, timeLimitMilliseconds: 200)
  )
  func inTurn() async throws {
    let server = try steppedServer()
    func node(_ number: Int) throws -> Child {
      try scratch.passing("fx\(number)", server.name, "--on-loss", "stop")
    }
    var nodes = try (1...Self.nodeCount).map(node)
    let host = try await HostProcess.running(
      graph: try graph(),
      server: server.name,
      in: scratch,
    )
    try await host.waitUntilHeard(1, running: Self.nodeCount)
    let watchers = try FaultWatchers(of: host.port("steady_out_1"), server: server.name)
    // The server waits in each cycle for one that is stopped: it is stopped once.
    let faults = nodes.indices.map { (SIGKILL, $0) } + [(SIGSTOP, 0)]
    for (signal, index) in faults {
      let port = "fx\(index + 1):out_1"
      try watchers.connect(port)
      await server.hold()
      watchers.start()
      try await server.step(40)
      nodes[index].send(signal)
      try await server.run(until: "the others are heard with their nodes, and this one is not") {
        try await host.status().inserts.enumerated()
          .allSatisfy { ($1.heard == 1) == ($0 != index) }
      }
      if signal == SIGSTOP {
        let fault = try await host.status().inserts[index].nodes.first?.fault
        #expect(fault?.contains("SIGSTOP") == true)
        nodes[index].send(SIGCONT)
      }
      let behind = watchers.behindFrames
      try await server.run(until: "a client behind the node is called again") {
        watchers.behindFrames >= behind + 20 * 128
      }
      let lost = try watchers.lost()
      #expect(lost.steady == 0 && lost.alone == 0, "\(signal) at \(port): \(lost)")
      // A killed one may be gone before the next cycle; a client behind a stopped one is not called.
      if signal == SIGSTOP { #expect(lost.behind > 0) }
      server.run()
      if signal == SIGKILL {
        _ = try await nodes[index].waitForEnd()
        nodes[index] = try node(index + 1)
      } else {
        try watchers.disconnect(port)
      }
      try await host.waitUntilHeard(1, running: Self.nodeCount, within: .seconds(60))
    }
    watchers.close()
    _ = try await host.stop()
  }
}
