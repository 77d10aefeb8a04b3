// SPDX-License-Identifier: MIT

import FoundationEssentials
import Glibc
import JACK

/// `bench guard`: the silence of an adopted client when its host dies, and the gap when the host is back.
///
/// A client plays one constant level through its strip. The host is killed, its guard connects the client to the
/// loudspeakers, and a new host takes it back; the loudspeakers are a JACK client of its own.
/// Runs on the task of its command: [control-thread].
public struct GuardBenchmark: Sendable {
  /// The path of the `multiroute` program that is measured.
  public var program: String
  /// Number of kills, 1…1000.
  public var rounds = 20
  /// The server's period in frames.
  public var bufferFrames = 64
  /// The server's sample rate in Hz.
  public var sampleRateHz = 48_000

  /// Makes a benchmark of 20 kills at 64 frames and 48 kHz.
  ///
  /// - Parameter program: The path of the `multiroute` program.
  public init(program: String) { self.program = program }

  /// Runs it on a dummy server of its own.
  ///
  /// - Parameter progress: Called before each kill.
  /// - Returns: The record.
  /// - Throws: ``LabError`` `badOption`, `jack`, `host`, `tool` or `cancelled`.
  public func run(
    progress: @escaping BenchProgress.Handler = { _ in }
  ) async throws(LabError) -> BenchRecord {
    guard (1...1000).contains(rounds) else {
      throw LabError(.badOption, "rounds is \(rounds), allowed is 1 to 1000")
    }
    let startedAt = Date()
    let gaps = try await stage.run { speaker, host, server async throws(LabError) in
      try await measure(speaker, host, server: server, progress)
    }
    return record(gaps, startedAt: startedAt)
  }

  /// The longest silences of one kill, in frames.
  private struct Gaps: Sendable {
    var death: Int
    var comeback: Int
  }

  private var stage: AdoptionStage {
    AdoptionStage(
      name: "guarded",
      program: program,
      sampleRateHz: sampleRateHz,
      bufferFrames: bufferFrames,
      speakers: 1,
      longestSeconds: 60,
      rule: "{client: app, session: {preset: musicMaking}, channels: 1}",
    )
  }

  private func measure(
    _ speaker: Speaker,
    _ host: BenchHost,
    server: String,
    _ progress: BenchProgress.Handler,
  ) async throws(LabError) -> [Gaps] {
    let app = try ConstantVoice.client(name: "app", server: server, levelLinear: Self.levelLinear)
    defer { app.close() }
    try app.connect("app:out", to: "speaker:in_1")
    var gaps: [Gaps] = []
    for round in 0..<rounds {
      progress(BenchProgress(round: round, of: rounds, label: "kills"))
      try await waitUntilConnected(app) { $0.hasPrefix("guarded:") }
      // The guard gets its orders some moments after the client has its strip.
      try await LabError.sleep(Self.settling)
      let death = try await speaker.recordUntil { () throws(LabError) in
        host.crash()
        try await waitUntilConnected(app) { $0 == "speaker:in_1" }
        try await LabError.sleep(Self.settling)
      }
      let comeback = try await speaker.recordUntil { () throws(LabError) in
        try await host.restart()
        try await waitUntilConnected(app) { $0.hasPrefix("guarded:") }
        try await LabError.sleep(Self.settling)
      }
      gaps.append(
        Gaps(death: Self.longestSilence(death), comeback: Self.longestSilence(comeback))
      )
    }
    return gaps
  }

  /// Waits until the client's output has one connection, to the port that is asked for.
  private func waitUntilConnected(
    _ app: LabClient<ConstantVoice>,
    _ isRight: (String) -> Bool,
  ) async throws(LabError) {
    let connection = app.connection
    var found: [String] = []
    for _ in 0..<Self.patience {
      found = try LabError.wrapping { () throws(JACKError) in
        try connection.connections(ofPort: "app:out")
      }
      if found.count == 1, isRight(found[0]) { return }
      try await LabError.sleep(.milliseconds(5))
    }
    throw LabError(.host, "app:out is connected to \(found) and to nothing else within 30 s")
  }

  private static func longestSilence(_ recording: Speaker.Recording) -> Int {
    var (longest, run) = (0, 0)
    for sample in recording.channels[0] {
      run = sample == 0 ? run + 1 : 0
      longest = max(longest, run)
    }
    return longest
  }

  private func record(_ gaps: [Gaps], startedAt: Date) -> BenchRecord {
    var silence = JitterStatistics()
    for gap in gaps {
      silence.record(nanoseconds: Int64(gap.death) * 1_000_000_000 / Int64(sampleRateHz))
    }
    let period = Double(bufferFrames) / Double(sampleRateHz) * 1_000_000
    var metrics = silence.distribution.metrics(
      named: "guard.silence",
      periodMicroseconds: period,
    )
    metrics["guard.gapAtReturn.maximum.frames"] = Double(gaps.map(\.comeback).max() ?? 0)
    metrics["guard.gapAtReturn.median.frames"] = gaps.map { Double($0.comeback) }.median
    return BenchRecord(
      benchmark: "guard",
      subject: "\(rounds) kills of the host",
      configuration: stage.configuration,
      startedAt: startedAt,
      metrics: metrics,
      samples: [
        "guard.silence.p50.microseconds": gaps.map {
          Double($0.death) * 1_000_000 / Double(sampleRateHz)
        },
        "guard.gapAtReturn.median.frames": gaps.map { Double($0.comeback) },
      ],
      distributions: ["silence": silence.distribution],
    )
  }

  private static let levelLinear: Float = 0.25
  private static let settling = Duration.milliseconds(300)
  /// Thirty seconds.
  private static let patience = 6000
}
