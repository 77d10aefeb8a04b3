// SPDX-License-Identifier: MIT

import ControlProtocol
import ControlSocket
import FoundationEssentials
import Glibc
import JACK

/// `bench faults`: the frames that a killed or stopped node costs other streams.
///
/// A host has eight strips with a node each, and a steady stream. A second stream runs outside the host. A
/// third one is heard by a client that is connected with the node, as JACK programs usually are. Runs on the
/// task of its command: [control-thread].
public struct NodeFaultBenchmark: Sendable {
  /// The path of the `multiroute` program.
  public var program: String
  /// The number of times that each node is killed and stopped, 1…100.
  public var rounds = 6
  /// Whether nodes are stopped (SIGSTOP) too, which keeps jackd busy for seconds.
  public var stops = true
  /// The server's period in frames.
  public var bufferFrames = 128

  /// Makes a benchmark of six rounds.
  ///
  /// - Parameter program: The path of the `multiroute` program.
  public init(program: String) { self.program = program }

  /// The counts of the three streams over some time.
  struct Lost: Equatable, Sendable {
    /// Frames lost by the host's steady stream.
    var steady = 0
    /// Frames lost by the stream outside the host.
    var beside = 0
    /// Frames lost by the client behind the node.
    var behind = 0
    /// Times at which the steady stream lost frames and the stream outside the host did not.
    var steadyAlone = 0

    mutating func add(_ more: Lost) {
      steady += more.steady
      beside += more.beside
      behind += more.behind
      if more.steady > 0, more.beside == 0 { steadyAlone += 1 }
    }
  }

  /// The sums of one kind of fault.
  struct Tally: Sendable {
    var faults = 0
    var lost = Lost()
    /// In as much time just before the faults.
    var quiet = Lost()
    /// From the signal until the host reports the bypass.
    var bypass = JitterStatistics()
    /// jackd's time for one connection.
    var connection = JitterStatistics()
  }

  /// Runs it on an asynchronous dummy server of its own.
  ///
  /// - Parameter progress: Called before each fault.
  /// - Returns: One record for kills, and one for stops where they are measured.
  /// - Throws: ``LabError`` `badOption`, `jack`, `host`, `tool` or `cancelled`.
  public func run(
    progress: @escaping BenchProgress.Handler = { _ in }
  ) async throws(LabError) -> [BenchRecord] {
    guard (1...100).contains(rounds) else {
      throw LabError(.badOption, "rounds is \(rounds), allowed is 1 to 100")
    }
    let startedAt = Date()
    let configuration = OwnServer.configuration(
      "faults",
      periodFrames: bufferFrames,
      isSynchronous: false,
    )
    let tallies = try await OwnServer.run(configuration) { server async throws(LabError) in
      let rig = try await NodeFaultRig(program: program, server: server.configuration.name)
      return try await OwnServer.measure(on: rig) { rig async throws(LabError) in
        try await measure(rig, progress)
      }
    }
    return zip(["killed", "stopped"], tallies).map { record($0, $1, startedAt: startedAt) }
  }

  private func measure(
    _ rig: NodeFaultRig,
    _ progress: BenchProgress.Handler,
  ) async throws(LabError) -> [Tally] {
    let signals = stops ? [SIGKILL, SIGSTOP] : [SIGKILL]
    var tallies = signals.map { _ in Tally() }
    let steps = rounds * signals.count * NodeFaultRig.nodeCount
    var step = 0
    for _ in 0..<rounds {
      for (kind, signal) in signals.enumerated() {
        for node in 1...NodeFaultRig.nodeCount {
          progress(
            BenchProgress(
              step: step + 1,
              stepCount: steps,
              label: "fx\(node) \(signal == SIGKILL ? "killed" : "stopped")",
              fractionDone: Double(step) / Double(steps),
            )
          )
          step += 1
          try await rig.fault(signal, ofNode: node, into: &tallies[kind])
        }
      }
    }
    return tallies
  }

  private func record(_ kind: String, _ tally: Tally, startedAt: Date) -> BenchRecord {
    var metrics = [
      "faults.count": Double(tally.faults),
      "faults.steady.lost.frames": Double(tally.lost.steady),
      "faults.steady.alone.count": Double(tally.lost.steadyAlone),
      "faults.beside.lost.frames": Double(tally.lost.beside),
      "faults.behind.lost.frames": Double(tally.lost.behind),
      "faults.quiet.steady.lost.frames": Double(tally.quiet.steady),
      "faults.quiet.steady.alone.count": Double(tally.quiet.steadyAlone),
      "faults.quiet.beside.lost.frames": Double(tally.quiet.beside),
      "faults.quiet.behind.lost.frames": Double(tally.quiet.behind),
    ]
    for (name, times) in [("bypass", tally.bypass), ("connection", tally.connection)] {
      metrics.merge(times.distribution.metrics(named: "faults.\(name)")) { $1 }
    }
    return BenchRecord(
      benchmark: "faults",
      subject: "\(NodeFaultRig.nodeCount) nodes, \(kind)",
      configuration: BenchRecord.Configuration(
        sampleRateHz: 48_000,
        bufferFrames: bufferFrames,
        isSynchronous: false,
      ),
      startedAt: startedAt,
      metrics: metrics,
      distributions: ["bypass": tally.bypass.distribution],
    )
  }
}

/// The host, the nodes and the three streams of `bench faults`.
///
/// Belongs to the control thread of its benchmark.
final class NodeFaultRig: BenchRig {
  /// Number of strips with a node each.
  static let nodeCount = 8

  private let program: String
  private let server: String
  private let host: BenchHost
  private let client: ControlClient
  private var nodes: [PeerProcess] = []
  private let player: LabClient<PlacePlayer>
  private let steady: LabClient<PlaceListener>
  private let beside: LabClient<PlaceListener>
  private let behind: LabClient<PlaceListener>

  /// Starts all of it, and waits until every node is heard.
  init(program: String, server: String) async throws(LabError) {
    self.program = program
    self.server = server
    let folder = FileManager.default.temporaryDirectory.appending(path: "faults-\(getpid()).wav")
    let file = try PlaceStream.write(to: folder.path(percentEncoded: false))
    host = try await BenchHost(
      program: program,
      graph: Self.graph(file: file),
      name: "faults",
      server: server,
    )
    client = try await host.connect()
    player = try PlaceStream.player(name: "player", server: server)
    steady = try PlaceStream.listener(name: "steady", server: server)
    beside = try PlaceStream.listener(name: "beside", server: server)
    behind = try PlaceStream.listener(name: "behind", server: server)
    for number in 1...Self.nodeCount { nodes.append(try start(number)) }
    try await waitForInserts { $0.allSatisfy { $0.heard == 1 } }
    try steady.connect("faults:steady_out_1", to: "steady:in")
    try beside.connect("player:out", to: "beside:in")
    try behind.connect("player:out", to: "behind:in")
  }

  /// Ends all of it.
  func close() async {
    await client.close()
    host.stop()
    for node in nodes { node.stop() }
    for listener in [steady, beside, behind] { listener.close() }
    player.close()
  }

  /// Sends a signal to a node, measures the loss, and brings the node back.
  func fault(
    _ signal: Int32,
    ofNode number: Int,
    into tally: inout NodeFaultBenchmark.Tally,
  ) async throws(LabError) {
    let begin = ContinuousClock.now
    try behind.connect("fx\(number):out_1", to: "behind:chain")
    tally.connection.record(nanoseconds: Int64((ContinuousClock.now - begin) / .nanoseconds(1)))
    try await LabError.sleep(Self.settling)
    let before = count
    try await LabError.sleep(Self.window)
    tally.quiet.add(lost(since: before))

    let start = count
    let moment = ContinuousClock.now
    kill(nodes[number - 1].pid, signal)
    try await waitForInserts { chains in
      chains.enumerated().allSatisfy { ($1.heard == 1) == ($0 != number - 1) }
    }
    let bypassed = ContinuousClock.now - moment
    tally.bypass.record(nanoseconds: Int64(bypassed / .nanoseconds(1)))
    if bypassed < Self.window { try await LabError.sleep(Self.window - bypassed) }
    if signal == SIGSTOP { kill(nodes[number - 1].pid, SIGCONT) }
    // A client behind a stopped node sees its loss when it is called again.
    try await LabError.sleep(Self.settling)
    tally.faults += 1
    tally.lost.add(lost(since: start))
    if signal == SIGKILL {
      nodes[number - 1].stop()
      nodes[number - 1] = try self.start(number)
    } else {
      let (listener, port) = (behind.connection, "fx\(number):out_1")
      _ = try LabError.wrapping { () throws(JACKError) in
        try listener.disconnect(port, from: "behind:chain")
      }
    }
    try await waitForInserts { $0.allSatisfy { $0.heard == 1 } }
  }

  private typealias Counts = (
    steady: PlaceListener.Count, beside: PlaceListener.Count, behind: PlaceListener.Count
  )

  private var count: Counts {
    unsafe (steady.state.pointee.count, beside.state.pointee.count, behind.state.pointee.count)
  }

  private func lost(since earlier: Counts) -> NodeFaultBenchmark.Lost {
    let now = count
    return NodeFaultBenchmark.Lost(
      steady: (now.steady - earlier.steady).lostFrames,
      beside: (now.beside - earlier.beside).lostFrames,
      behind: (now.behind - earlier.behind).lostFrames,
    )
  }

  private func start(_ number: Int) throws(LabError) -> PeerProcess {
    try PeerProcess(
      program,
      ["node", "run", "delay", "--mix", "0", "--name", "fx\(number)", "--server", server]
        + ["--on-loss", "stop"],
      environment: ["XDG_RUNTIME_DIR": host.folder, "XDG_STATE_HOME": host.folder],
    )
  }

  private func waitForInserts(
    _ isRight: ([InsertStatus]) -> Bool
  ) async throws(LabError) {
    for _ in 0..<Self.patience {
      let chains: [InsertStatus]
      do throws(ControlClientError) {
        chains = try await client.call(GetStatus.self).inserts
      } catch {
        throw LabError(.host, error.description)
      }
      if chains.count == Self.nodeCount, isRight(chains) { return }
      try await LabError.sleep(.milliseconds(10))
    }
    throw LabError(
      .host,
      "the host's effects do not come to the state that is waited for within 60 s"
    )
  }

  private static func graph(file: String) -> String {
    let strips = 1...nodeCount
    return """
      multiroute: 1
      session: {category: multiRoute, options: [mixWithOthers]}
      server: {start: never}
      routes:
        steady: {type: lineOut, ports: [system:playback_1]}
        rest: {type: lineOut, ports: [system:playback_2]}
      sources:
        stream: {file: "\(file)", loop: true}
      \(strips.map { "  s\($0): {file: \"\(file)\", loop: true, inserts: [fx\($0)]}" }
        .joined(separator: "\n"))
      mix:
        - {from: stream, to: steady}
      \(strips.map { "  - {from: s\($0), to: rest, gain: -20 dB}" }.joined(separator: "\n"))

      """
  }

  private static let settling = Duration.milliseconds(100)
  /// The time over which losses are counted at each fault, and just before it.
  private static let window = Duration.milliseconds(500)
  /// Sixty seconds.
  private static let patience = 6000
}
