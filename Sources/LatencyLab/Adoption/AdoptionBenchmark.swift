// SPDX-License-Identifier: MIT

import FoundationEssentials
import Glibc
import JACK

/// `bench adoption`: how soon a client that connects itself to the hardware is heard through its strip, and
/// whether the change can be heard.
///
/// A client with two outputs appears, connects both to the loudspeakers and leaves, again and again. The
/// loudspeakers are a separate JACK client that records each sample. In turn with it, another client that the host leaves
/// alone connects itself and disconnects itself at once: what JACK needs for it.
///
/// Runs on the task of its command: [control-thread].
public struct AdoptionBenchmark: Sendable {
  /// The path of the `multiroute` program that is measured.
  public var program: String
  /// Number of clients, 1…10,000.
  public var rounds = 200
  /// The server's period in frames.
  public var bufferFrames = 64
  /// The server's sample rate in Hz.
  public var sampleRateHz = 48_000

  /// Makes a benchmark with the usual settings: 200 clients at 64 frames and 48 kHz.
  ///
  /// - Parameter program: The path of the `multiroute` program.
  public init(program: String) { self.program = program }

  /// Runs it on a dummy server of its own.
  ///
  /// - Parameter progress: Called now and then.
  /// - Returns: The record.
  /// - Throws: ``LabError`` `badOption`, `jack`, `host`, `tool` or `cancelled`.
  ///
  /// [control-thread]
  public func run(
    progress: @escaping BenchProgress.Handler = { _ in }
  ) async throws(LabError) -> BenchRecord {
    guard (1...10_000).contains(rounds) else {
      throw LabError(.badOption, "rounds is \(rounds), allowed is 1 to 10000")
    }
    let startedAt = Date()
    let (moves, own) = try await stage.run { speaker, _, server async throws(LabError) in
      var moves: [[MoveReading]] = []
      var own: [Int?] = []
      for round in 0..<rounds {
        progress(BenchProgress(round: round, of: rounds, label: "clients"))
        // A B B A.
        if round.isMultiple(of: 2) {
          moves.append(try await move(speaker, server: server))
          own.append(try await ownDisconnection(speaker, server: server))
        } else {
          own.append(try await ownDisconnection(speaker, server: server))
          moves.append(try await move(speaker, server: server))
        }
      }
      return (moves, own)
    }
    return record(moves, own: own, startedAt: startedAt)
  }

  /// The strip is lower than the direct path.
  private var stage: AdoptionStage {
    AdoptionStage(
      name: "adoption",
      program: program,
      sampleRateHz: sampleRateHz,
      bufferFrames: bufferFrames,
      speakers: Self.channels,
      longestSeconds: 1,
      rule: "{client: app, session: {preset: musicMaking}, gain: -6 dB}",
    )
  }

  /// One client that comes, connects itself, is moved and goes; a reading for each channel.
  private func move(_ speaker: Speaker, server: String) async throws(LabError) -> [MoveReading] {
    let app = try ConstantVoice.client(
      name: "app",
      server: server,
      outputs: Self.channels,
      levelLinear: Self.levelLinear,
    )
    let heard: Speaker.Recording
    do throws(LabError) {
      heard = try await speaker.record(frames: sampleRateHz / 4) { () throws(LabError) in
        for channel in 1...Self.channels {
          _ = try LabError.wrapping { () throws(JACKError) in
            try app.connection.connect("app:out_\(channel)", to: "speaker:in_\(channel)")
          }
        }
      }.recording
    } catch {
      app.close()
      throw error
    }
    app.close()
    try await waitForSilence(speaker)
    return heard.channels.compactMap {
      MoveReading($0, levelLinear: Self.levelLinear, stripGainLinear: Self.stripGainLinear)
    }
  }

  /// One client that the host leaves alone comes, connects itself, disconnects itself at once, and goes.
  ///
  /// - Returns: For how many frames it was heard, of the longer channel; nil when it was not.
  private func ownDisconnection(
    _ speaker: Speaker,
    server: String,
  ) async throws(LabError) -> Int? {
    let app = try ConstantVoice.client(
      name: Self.ownName,
      server: server,
      outputs: Self.channels,
      levelLinear: Self.levelLinear,
    )
    defer { app.close() }
    let heard = try await speaker.record(frames: sampleRateHz / 4) { () throws(LabError) in
      for channel in 1...Self.channels {
        _ = try LabError.wrapping { () throws(JACKError) in
          try app.connection.connect("\(Self.ownName):out_\(channel)", to: "speaker:in_\(channel)")
        }
      }
      for channel in 1...Self.channels {
        _ = try LabError.wrapping { () throws(JACKError) in
          try app.connection.disconnect(
            "\(Self.ownName):out_\(channel)",
            from: "speaker:in_\(channel)",
          )
        }
      }
    }.recording
    return heard.channels.compactMap { samples in
      samples.firstIndex { $0 != 0 }.flatMap { first in
        samples.lastIndex { $0 != 0 }.map { $0 + 1 - first }
      }
    }.max()
  }

  private func waitForSilence(_ speaker: Speaker) async throws(LabError) {
    var patience = Self.patience
    while try await !isSilent(speaker) {
      patience -= 1
      guard patience > 0 else {
        throw LabError(.host, "a client that has gone is still heard after 10 s")
      }
    }
  }

  private func isSilent(_ speaker: Speaker) async throws(LabError) -> Bool {
    let heard = try await speaker.record(frames: sampleRateHz / 20) { () throws(LabError) in }
    return heard.recording.channels.allSatisfy { $0.allSatisfy { $0 == 0 } }
  }

  private func record(
    _ moves: [[MoveReading]],
    own: [Int?],
    startedAt: Date,
  ) -> BenchRecord {
    let complete = moves.filter { $0.count == Self.channels && $0.allSatisfy(\.isMoved) }
    func nanoseconds(_ frames: Int) -> Int64 { Int64(frames) * 1_000_000_000 / Int64(sampleRateHz) }
    var (direct, both) = (JitterStatistics(), JitterStatistics())
    for move in complete {
      direct.record(nanoseconds: nanoseconds(move.map(\.directFrames).max() ?? 0))
      let end = move.map { $0.start + $0.directFrames }.max() ?? 0
      both.record(nanoseconds: nanoseconds(end - (move.map(\.start).min() ?? 0)))
    }
    let gaps = complete.joined().map(\.longestGapFrames)
    var metrics = direct.distribution.metrics(named: "adoption.direct")
    metrics.merge(both.distribution.metrics(named: "adoption.bothDirect")) { $1 }
    metrics["adoption.longestGap.frames"] = Double(gaps.max() ?? 0)
    metrics["adoption.doubled.frames"] = Double(
      complete.joined().reduce(0) { $0 + $1.doubledFrames }
    )
    metrics["adoption.unmoved.count"] = Double(moves.count - complete.count)
    var record = BenchRecord(
      benchmark: "adoption",
      subject: "\(rounds) stereo clients",
      configuration: stage.configuration,
      startedAt: startedAt,
      metrics: metrics,
      distributions: ["direct": direct.distribution, "bothDirect": both.distribution],
    )
    let pairs = zip(moves, own).compactMap { move, own -> (Double, Double)? in
      guard let own, move.count == Self.channels, move.allSatisfy(\.isMoved) else { return nil }
      return (Double(move.map(\.directFrames).max() ?? 0), Double(own))
    }
    record.metrics["adoption.ownDisconnection.milliseconds"] =
      pairs.map(\.1).median.map { $0 / Double(sampleRateHz) * 1000 }
    record.tell(
      "adoption.directRatioToOwnDisconnection.ratio",
      RatioEstimate(of: pairs.map(\.0), to: pairs.map(\.1)),
    )
    return record
  }

  private static let channels = 2
  /// No rule adopts it.
  private static let ownName = "plain"
  private static let levelLinear: Float = 0.25
  private static let stripGainLinear = Float(pow(10, -6.0 / 20))
  private static let patience = 200
}
