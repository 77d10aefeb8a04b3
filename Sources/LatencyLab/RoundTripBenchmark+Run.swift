// SPDX-License-Identifier: MIT

import FoundationEssentials
import JACK

extension RoundTripBenchmark {
  /// Plays the probe and reads the delay.
  ///
  /// - Parameters:
  ///   - options: What to measure and how.
  ///   - progress: Called before each repetition.
  /// - Returns: The readings; refusals are in the result, not thrown.
  /// - Throws: ``LabError`` where the server or a port is missing, or the task was cancelled.
  ///
  /// [control-thread]
  public static func run(
    _ options: Options,
    progress: BenchProgress.Handler = { _ in },
  ) async throws(LabError) -> Result {
    guard (1...1000).contains(options.repetitions) else {
      throw LabError(
        .badOption,
        "repetitions is \(options.repetitions), allowed is 1 to 1000",
      )
    }
    let estimator = try RoundTripEstimator(options: options.estimator)
    let startedAt = Date()
    let rig = try RoundTripRig(options: options, estimator: estimator)
    defer { rig.close() }
    let claim = try LabError.wrapping { () throws(JACKError) in
      try LatencyClaim(
        from: options.destinationPort,
        to: options.sourcePort,
        connection: rig.connection,
      )
    }
    var readings: [Swift.Result<RoundTripEstimate, RoundTripRefusal>] = []
    for repetition in 1...options.repetitions {
      progress(
        BenchProgress(
          step: repetition,
          stepCount: options.repetitions,
          label: "\(options.destinationPort) → \(options.sourcePort)",
          fractionDone: Double(repetition - 1) / Double(options.repetitions),
        )
      )
      let capture = try await rig.capture()
      do throws(RoundTripRefusal) {
        readings.append(.success(try estimator.estimate(capture)))
      } catch {
        readings.append(.failure(error))
      }
    }
    let circumstances = try LabError.wrapping { () throws(JACKError) in
      try BenchRecord.Configuration(of: rig.connection)
    }
    return Result(
      readings: readings,
      claim: claim,
      options: options,
      configuration: circumstances,
      startedAt: startedAt,
    )
  }

  /// Name of the benchmark in records.
  static let benchmarkName = "roundtrip"
}

extension RoundTripBenchmark.Result {
  /// Sums up the readings.
  init(
    readings: [Result<RoundTripEstimate, RoundTripRefusal>],
    claim: LatencyClaim,
    options: RoundTripBenchmark.Options,
    configuration: BenchRecord.Configuration,
    startedAt: Date,
  ) {
    let accepted = readings.compactMap { try? $0.get() }
    let delay = BootstrapInterval.median(accepted.map(\.delayFrames))
    let discrepancy = delay.map {
      LatencyDiscrepancy(
        measuredFrames: $0,
        claim: claim,
        bufferFrames: configuration.bufferFrames,
      )
    }
    var notes: [String] = []
    for case .failure(let refusal) in readings where !notes.contains("\(refusal)") {
      notes.append("\(refusal)")
    }
    if let discrepancy { notes.append("\(discrepancy)") }
    let spread = (accepted.map(\.delayFrames).max() ?? 0) - (accepted.map(\.delayFrames).min() ?? 0)
    if spread > 2 * options.estimator.maximumErrorFrames {
      notes.append(
        "the readings differ by \(ReportColumn.text(spread, decimals: 3)) frames: the path's "
          + "delay is not constant"
      )
    }
    var metrics: [String: Double] = [
      "roundTrip.refused.count": Double(readings.count - accepted.count),
      "roundTrip.claimed.minimum.frames": Double(claim.minimumFrames),
      "roundTrip.claimed.maximum.frames": Double(claim.maximumFrames),
    ]
    if let delay {
      func median(_ value: (RoundTripEstimate) -> Double) -> Double? {
        BootstrapInterval.median(accepted.map(value))
      }
      metrics["roundTrip.delay.frames"] = delay
      metrics["roundTrip.delay.microseconds"] = delay / configuration.sampleRateHz * 1_000_000
      metrics["roundTrip.spread.frames"] = spread
      metrics["roundTrip.level.decibels"] = median { $0.levelDB }
      metrics["roundTrip.errorBound.frames"] = accepted.map(\.errorBoundFrames).max()
      metrics["roundTrip.confidence.share"] = accepted.map(\.confidence).min()
      metrics["roundTrip.inverted.count"] = Double(accepted.filter(\.isInverted).count)
    }
    self.readings = readings
    self.delayFrames = delay
    self.claim = claim
    self.discrepancy = discrepancy
    record = BenchRecord(
      benchmark: RoundTripBenchmark.benchmarkName,
      subject: "\(options.destinationPort) → \(options.sourcePort)",
      configuration: configuration,
      startedAt: startedAt,
      metrics: metrics,
      samples: ["roundTrip.delay.frames": accepted.map(\.delayFrames)],
      notes: notes,
    )
  }
}
