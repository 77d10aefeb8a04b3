// SPDX-License-Identifier: MIT

import FoundationEssentials
import JACK

/// `bench node`: the time that each client of a chain adds to a cycle, compared with bare JACK clients.
///
/// Each client is a process. The time from the cycle's start to the end of the first client, and to the
/// end of the last one, gives the time of a hop.
///
/// Runs on the task of its command: [control-thread].
public struct NodeCostBenchmark: Sendable {
  /// A kind of client to make a chain of.
  public struct Kind: Sendable, Hashable {
    /// Its name in the report.
    public var name: String
    /// The program and its arguments; `{name}` and `{server}` stand for the client's and the server's.
    ///
    /// The client must have an audio input and an audio output.
    public var command: [String]

    /// Makes a kind.
    public init(name: String, command: [String]) {
      self.name = name
      self.command = command
    }
  }

  /// The kinds; the others are compared with the first.
  public var kinds: [Kind]
  /// Number of clients in a chain, 2…48.
  public var clients = 8
  /// How long it is repeated, 1 to 100 rounds at least: until the interval of each ratio is within 10 % to either side.
  public var repetition = Repetition(leastRounds: 6, mostSeconds: 180)
  /// Seconds of each measurement.
  public var seconds = 2.0
  /// The server's period in frames.
  public var bufferFrames = 64
  /// The server's sample rate in Hz.
  public var sampleRateHz = 48_000

  /// Compares kinds with bare clients.
  ///
  /// - Parameters:
  ///   - programs: The programs to start; the helpers' program has the bare client.
  ///   - others: The kinds to compare with the bare client.
  public init(programs: LabPrograms, others: [Kind] = []) {
    let bare = ["bench", "pass-through-client", "--server", "{server}", "--name", "{name}"]
    kinds = [Kind(name: "bare JACK client", command: [programs.helpers] + bare)] + others
  }

  /// Runs it on a dummy server of its own.
  ///
  /// - Parameter progress: Called before each measurement.
  /// - Returns: One record per kind.
  /// - Throws: ``LabError`` `badOption`, `tool`, `jack` or `cancelled`.
  ///
  /// [control-thread]
  public func run(
    progress: @escaping BenchProgress.Handler = { _ in }
  ) async throws(LabError) -> [BenchRecord] {
    guard (2...48).contains(clients), (1...100).contains(repetition.leastRounds) else {
      throw LabError(
        .badOption,
        "clients is \(clients), allowed is 2 to 48; rounds is \(repetition.leastRounds), "
          + "allowed is 1 to 100",
      )
    }
    let startedAt = Date()
    let configuration = OwnServer.configuration(
      "node-cost",
      sampleRateHz: sampleRateHz,
      periodFrames: bufferFrames,
    )
    let readings = try await OwnServer.run(configuration) { server async throws(LabError) in
      var readings = [[ChainReading]](repeating: [], count: kinds.count)
      let start = ContinuousClock.now
      var round = 0
      while !repetition.isDone(
        rounds: round,
        seconds: (ContinuousClock.now - start) / .seconds(1),
        kinds.indices.dropFirst().map { ratio(readings[$0], readings[0]) },
      ) {
        // A B B A: what slows one half of a round is in both kinds.
        let order = round.isMultiple(of: 2) ? Array(kinds.indices) : kinds.indices.reversed()
        for index in order {
          progress(
            BenchProgress(
              round: round,
              of: max(repetition.leastRounds, round + 1),
              label: kinds[index].name,
            )
          )
          readings[index].append(
            try await read(kinds[index], server: server.configuration.name)
          )
        }
        round += 1
      }
      return readings
    }
    return kinds.indices.map { index in
      var record = record(kinds[index], readings[index], startedAt: startedAt)
      if index > 0 {
        record.tell("node.ratioToBare.ratio", ratio(readings[index], readings[0]))
      }
      return record
    }
  }

  /// The ratio of two kinds' times of a hop; a hop can be lost in the noise.
  private func ratio(_ kind: [ChainReading], _ bare: [ChainReading]) -> RatioEstimate? {
    RatioEstimate(of: kind.map(\.hopMicroseconds), to: bare.map(\.hopMicroseconds))
  }

  /// So often a reading is tried on a machine that is too busy for the server's cycles.
  private static let attempts = 10

  /// The times of one chain.
  struct ChainReading: Sendable {
    var firstMicroseconds: Double
    var lastMicroseconds: Double
    var hopMicroseconds: Double
  }

  private func read(_ kind: Kind, server: String) async throws(LabError) -> ChainReading {
    let chain = try await ProcessChain(kind.command, count: clients, server: server)
    defer { chain.close() }
    func microseconds(until port: String) async throws(LabError) -> Double {
      var options = WakeUpBenchmark.Options()
      options.serverName = server
      options.duration = .seconds(seconds)
      options.sourcePorts = [port]
      options.measuresBaseline = false
      for _ in 0..<Self.attempts {
        if let time = try await WakeUpBenchmark.run(options).graph?.p50Microseconds { return time }
      }
      throw LabError(
        .jack,
        "the server ran too few cycles with \(kind.name) in \(Self.attempts) times \(seconds) s",
      )
    }
    let first = try await microseconds(until: chain.outputs[0])
    let last = try await microseconds(until: chain.outputs[clients - 1])
    return ChainReading(
      firstMicroseconds: first,
      lastMicroseconds: last,
      hopMicroseconds: (last - first) / Double(clients - 1),
    )
  }

  private func record(
    _ kind: Kind,
    _ readings: [ChainReading],
    startedAt: Date,
  ) -> BenchRecord {
    let samples = [
      "node.hop.microseconds": readings.map(\.hopMicroseconds),
      "node.chain.microseconds": readings.map(\.lastMicroseconds),
    ]
    return BenchRecord(
      benchmark: "node",
      subject: kind.name,
      configuration: BenchRecord.Configuration(
        sampleRateHz: Double(sampleRateHz),
        bufferFrames: bufferFrames,
        isSynchronous: true,
        chainedClients: clients,
      ),
      startedAt: startedAt,
      metrics: samples.compactMapValues(\.median),
      samples: samples,
    )
  }
}
