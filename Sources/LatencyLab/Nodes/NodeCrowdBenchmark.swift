// SPDX-License-Identifier: MIT

import FoundationEssentials
import Glibc
import JACK

/// `bench nodes`: a steady stream between two clients while nodes come and go, each a process.
///
/// Runs on the task of its command: [control-thread].
public struct NodeCrowdBenchmark: Sendable {
  /// The path of the `multiroute` program whose nodes are started.
  public var program: String
  /// Number of nodes that run at a time, 1…60.
  public var nodes = 30
  /// Seconds to measure, 2…3600; each second a node ends and another starts.
  public var seconds = 60
  /// Whether every other node is killed instead of ended.
  public var kills = false
  /// Whether the server waits for its clients in the same period.
  public var isSynchronous = true
  /// The server's period in frames.
  public var bufferFrames = 128

  /// Makes a benchmark of 30 nodes for a minute on a synchronous server.
  ///
  /// - Parameter program: The path of the `multiroute` program.
  public init(program: String) { self.program = program }

  /// Runs it on a dummy server of its own.
  ///
  /// - Parameter progress: Called each second.
  /// - Returns: The record.
  /// - Throws: ``LabError`` `badOption`, `jack`, `tool` or `cancelled`.
  public func run(
    progress: @escaping BenchProgress.Handler = { _ in }
  ) async throws(LabError) -> BenchRecord {
    guard (1...60).contains(nodes), (2...3600).contains(seconds) else {
      throw LabError(
        .badOption,
        "nodes is \(nodes), allowed is 1 to 60; seconds is \(seconds), allowed is 2 to 3600",
      )
    }
    let startedAt = Date()
    let configuration = OwnServer.configuration(
      "nodes",
      periodFrames: bufferFrames,
      isSynchronous: isSynchronous,
    )
    let found = try await OwnServer.run(configuration) { server async throws(LabError) in
      try await measure(server: server.configuration.name, progress)
    }
    let words = kills ? "every other one killed" : "all ended"
    return BenchRecord(
      benchmark: "nodes",
      subject: "\(nodes) nodes, \(words)",
      configuration: BenchRecord.Configuration(
        sampleRateHz: 48_000,
        bufferFrames: bufferFrames,
        isSynchronous: isSynchronous,
      ),
      startedAt: startedAt,
      metrics: [
        "nodes.started.count": Double(found.started),
        "nodes.breaks.count": Double(found.count.breaks),
        "nodes.lost.frames": Double(found.count.lostFrames),
        "nodes.heard.frames": Double(found.count.frames),
        "nodes.xruns.count": Double(found.xruns),
      ],
    )
  }

  private func measure(
    server: String,
    _ progress: BenchProgress.Handler,
  ) async throws(LabError) -> (started: Int, count: PlaceListener.Count, xruns: UInt64) {
    let player = try PlaceStream.player(name: "steady-player", server: server)
    defer { player.close() }
    let listener = try PlaceStream.listener(name: "steady-listener", server: server)
    defer { listener.close() }
    var running: [PeerProcess] = []
    defer { for node in running { node.stop() } }
    var started = 0
    func come() async throws(LabError) {
      started += 1
      let node = try PeerProcess(
        program,
        ["node", "run", "delay", "--mix", "0", "--name", "n\(started)", "--server", server],
      )
      running.append(node)
      try await Self.waitForPorts(of: "n\(started)", listener.connection, node)
    }
    while running.count < nodes { try await come() }
    try listener.connect("steady-player:out", to: "steady-listener:in")
    try await LabError.sleep(.milliseconds(500))
    let before = unsafe listener.state.pointee.count
    let xruns = listener.connection.xruns.count
    let end = ContinuousClock.now + .seconds(seconds)
    var second = 0
    while ContinuousClock.now < end {
      progress(
        BenchProgress(
          step: 1,
          stepCount: 1,
          label: "\(nodes) nodes come and go",
          fractionDone: min(1, Double(second) / Double(seconds)),
        )
      )
      let leaving = running.removeFirst()
      if kills, second.isMultiple(of: 2) { leaving.crash() }
      try await come()
      leaving.stop()
      second += 1
      try await LabError.sleep(.seconds(1))
    }
    let count = unsafe listener.state.pointee.count
    return (started, count - before, listener.connection.xruns.count - xruns)
  }

  /// Waits until a node has its ports.
  static func waitForPorts(
    of node: String,
    _ connection: ClientConnection,
    _ process: PeerProcess,
  ) async throws(LabError) {
    for _ in 0..<patience where !process.hasEnded {
      let ports = try LabError.wrapping { () throws(JACKError) in
        try connection.ports(matching: "^\(node):", kind: AudioKind.self, flags: .output)
      }
      if !ports.isEmpty { return }
      try await LabError.sleep(.milliseconds(20))
    }
    throw LabError(.tool, "\(node): no client of this name came within 30 s")
  }

  /// Thirty seconds.
  private static let patience = 1500
}
