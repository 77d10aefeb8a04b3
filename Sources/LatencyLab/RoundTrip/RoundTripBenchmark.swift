// SPDX-License-Identifier: MIT

import FoundationEssentials
import JACK

/// `bench roundtrip`: the delay between any two ports.
///
/// Runs on the task of its command: [control-thread].
public enum RoundTripBenchmark {
  /// The settings of a measurement.
  public struct Options: Sendable {
    /// Name of the JACK server; nil takes the default one.
    public var serverName: String?
    /// Port the probe is played to (an input port such as `system:playback_1`).
    public var destinationPort: String
    /// Port the answer is taken from (an output port such as `system:capture_1`).
    public var sourcePort: String
    /// Number of measurements, 1…1000.
    public var repetitions = 5
    /// The probe, and the requirements for a reading.
    public var estimator = RoundTripEstimator.Options()
    /// Whether one client plays and captures, as jack_iodelay does.
    ///
    /// JACK then adds one period if the path is a loop within the graph. Two clients (the default) add no
    /// latency.
    public var usesOneClient = false
    /// Name of the clients in the graph.
    public var clientName = "multiroute-bench"

    /// Measures between two ports.
    ///
    /// - Parameters:
    ///   - destinationPort: The port the probe is played to.
    ///   - sourcePort: The port the answer is taken from.
    public init(destinationPort: String, sourcePort: String) {
      self.destinationPort = destinationPort
      self.sourcePort = sourcePort
    }
  }

  /// The readings and what JACK claims.
  public struct Result: Sendable {
    /// One entry per repetition.
    public var readings: [Swift.Result<RoundTripEstimate, RoundTripRefusal>]
    /// Median of the accepted readings in frames; nil where all were refused.
    public var delayFrames: Double?
    /// The latency that JACK's ranges claim.
    public var claim: LatencyClaim
    /// The difference between the two, named; nil without a reading.
    public var discrepancy: LatencyDiscrepancy?
    /// The result as a line of a report.
    public var record: BenchRecord

    /// Why there is no delay; nil where a reading was accepted.
    public var refusal: String? {
      guard delayFrames == nil else { return nil }
      let reasons = readings.compactMap { reading -> String? in
        guard case .failure(let refusal) = reading else { return nil }
        return "\(refusal)"
      }
      return "no reading was accepted: \(reasons.first ?? "none was made")"
    }
  }
}

extension RoundTripBenchmark {
  /// Plays the probe and reads the delay.
  ///
  /// - Parameters:
  ///   - options: The settings of the measurement.
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
    var first = options.estimator
    // The answer to a probe of a run before this one is noise, too.
    first.seed = .random(in: 1...UInt64.max)
    var estimator = try RoundTripEstimator(options: first)
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
      let capture = try await rig.capture(estimator.probe)
      do throws(RoundTripRefusal) {
        readings.append(.success(try estimator.estimate(capture)))
      } catch {
        readings.append(.failure(error))
      }
      // Each repetition has phases of its own: the answer to an earlier one that comes too late is noise, and no short delay.
      estimator = try estimator.next()
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
    let delay = accepted.map(\.delayFrames).median
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
        accepted.map(value).median
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
