// SPDX-License-Identifier: MIT

import FoundationEssentials
import Glibc
import JACK

/// `doctor --measure`: the cost of settings, each tried on and off in turn on dummy servers.
///
/// Runs on the task of its command: [control-thread].
public struct SettingCosts: Sendable {
  /// Number of tries of each state of a setting, 3…50.
  public var rounds = 7
  /// Seconds of each try.
  public var seconds = 1.5

  /// Seven rounds of 1.5 s.
  public init() {}

  /// Tries what can be tried.
  ///
  /// The frequency governor is changed if this process may, and restored.
  ///
  /// - Parameter progress: Called before each try.
  /// - Returns: One entry per setting.
  /// - Throws: ``LabError`` `jack` where no server can be started, or `cancelled`.
  ///
  /// [control-thread]
  public func measure(
    progress: BenchProgress.Handler = { _ in }
  ) async throws(LabError) -> [SettingCost] {
    var costs: [SettingCost] = []
    let trials = trials()
    for (index, trial) in trials.possible.enumerated() {
      costs.append(
        try await measure(trial) { share in
          progress(
            BenchProgress(
              step: index + 1,
              stepCount: trials.possible.count,
              label: trial.subject,
              fractionDone: (Double(index) + share) / Double(trials.possible.count),
            )
          )
        }
      )
    }
    return costs + trials.impossible
  }

  private func measure(
    _ trial: SettingTrial,
    _ progress: (Double) -> Void,
  ) async throws(LabError) -> SettingCost {
    let busy = trial.isUnderLoad ? try Self.busyPrograms() : []
    defer { for program in busy { program.stop() } }
    var delays: (good: [Double], bad: [Double]) = ([], [])
    var latency: (good: Double?, bad: Double?) = (nil, nil)
    for round in 0..<rounds {
      // A B B A: what slows one half of a round is in both states.
      for isGood in round.isMultiple(of: 2) ? [true, false] : [false, true] {
        progress(Double(round) / Double(rounds))
        try trial.apply?(isGood)
        let reading = try await read(isGood ? trial.good : trial.bad)
        guard reading.isAsAsked else {
          return SettingCost(
            subject: trial.subject,
            words: "this process may not use real-time priorities",
          )
        }
        if isGood {
          delays.good.append(reading.delayMicroseconds)
          latency.good = reading.claimedMicroseconds
        } else {
          delays.bad.append(reading.delayMicroseconds)
          latency.bad = reading.claimedMicroseconds
        }
      }
    }
    let interval = BootstrapInterval.medianDifference(from: delays.good, to: delays.bad)
    let added = latency.good.flatMap { good in latency.bad.map { $0 - good } }
    return SettingCost(
      subject: trial.subject,
      words: trial.comparison,
      goodMicroseconds: delays.good.median,
      badMicroseconds: delays.bad.median,
      lowerMicroseconds: interval?.lower,
      upperMicroseconds: interval?.upper,
      addedLatencyMicroseconds: added.flatMap { $0 > 0 ? $0 : nil },
    )
  }

  /// The result of one try.
  private struct Reading {
    var delayMicroseconds: Double
    var claimedMicroseconds: Double?
    /// Whether the server got the scheduling that was asked for.
    var isAsAsked: Bool
  }

  private func read(_ configuration: ServerConfiguration) async throws(LabError) -> Reading {
    try await OwnServer.run(configuration) { server async throws(LabError) in
      let name = server.configuration.name
      var options = WakeUpBenchmark.Options()
      options.serverName = name
      options.duration = .seconds(seconds)
      options.measuresBaseline = false
      let result = try await WakeUpBenchmark.run(options)
      let claim = try SweepMeasurement.systemClaim(name)
      return Reading(
        delayMicroseconds: result.wakeUp.p99Microseconds,
        claimedMicroseconds: claim.map {
          Double($0.maximumFrames) / result.record.configuration.sampleRateHz * 1_000_000
        },
        isAsAsked: server.realtimeFallbackReason == nil,
      )
    }
  }

  private static func busyPrograms() throws(LabError) -> [PeerProcess] {
    var programs: [PeerProcess] = []
    for _ in 0..<sysconf(Int32(_SC_NPROCESSORS_ONLN)) {
      // Ends with this process, however that ends.
      programs.append(try PeerProcess("sh", ["-c", "while kill -0 $PPID; do :; done"]))
    }
    return programs
  }
}
