// SPDX-License-Identifier: MIT

import FoundationEssentials
import Glibc

/// The readings of `bench control`, by face.
///
/// Pure value: [any-thread].
struct ControlReadings: Sendable {
  /// The times from message to sound in microseconds, in the order of the rounds.
  private(set) var delays: [ControlFace: [Double]] = [:]
  /// Steps without a reading.
  private(set) var lostSteps = 0
  /// Steps in which nothing was heard; they count with the time to the end of the recording.
  private(set) var unheardSteps = 0
  /// Cycles that were recorded.
  var cycles = 0
  /// Cycles of these that began more than half a period late.
  var lateCycles = 0

  /// Notes a step.
  mutating func add(_ outcome: ControlStep.Outcome, of face: ControlFace) {
    switch outcome {
    case .heard(let microseconds):
      delays[face, default: []].append(microseconds)
    case .unheard(let microseconds):
      unheardSteps += 1
      delays[face, default: []].append(microseconds)
    case .lost:
      lostSteps += 1
    }
  }

  /// Makes a record of all readings.
  ///
  /// - Parameters:
  ///   - benchmark: The number of rounds and the circumstances.
  ///   - startedAt: When it began.
  /// - Returns: The record, with one remark for each bar.
  func record(_ benchmark: ControlBenchmark, startedAt: Date) -> BenchRecord {
    let configuration = BenchRecord.Configuration(
      sampleRateHz: Double(benchmark.sampleRateHz),
      bufferFrames: benchmark.bufferFrames,
      isSynchronous: true,
    )
    let period = configuration.periodMicroseconds
    var record = BenchRecord(
      benchmark: "control",
      subject: "\(benchmark.rounds) changes down and up over each face",
      configuration: configuration,
      startedAt: startedAt,
      metrics: [
        "control.lost.count": Double(lostSteps), "control.unheard.count": Double(unheardSteps),
        "control.cycles.count": Double(cycles), "control.lateCycles.count": Double(lateCycles),
      ],
    )
    for face in ControlFace.allCases {
      guard let delays = delays[face] else { continue }
      var statistics = JitterStatistics()
      for delay in delays { statistics.record(nanoseconds: Int64(delay * 1_000)) }
      let distribution = statistics.distribution
      record.distributions[face.rawValue] = distribution
      record.samples["\(face.metric).p50.microseconds"] = delays
      record.metrics.merge(
        distribution.metrics(named: face.metric, periodMicroseconds: period)
      ) { $1 }
      record.metrics.merge(ratio(of: face)) { $1 }
      if face == .crossfader { record.noteOffsets(delays) }
      record.judge(face, distribution)
    }
    if lostSteps > 0 {
      record.notes.append("\(lostSteps) steps were left out: the server lost cycles")
    }
    return record
  }

  /// The ratio of the medians of a face and of `setGain`, with its 95 % interval.
  ///
  /// The logarithm of a median is the median of the logarithms, so the interval of their difference is that
  /// of the ratio.
  private func ratio(of face: ControlFace) -> [String: Double] {
    guard face != .setGain, let own = delays[face], let peer = delays[.setGain],
      (own + peer).allSatisfy({ $0 > 0 }),
      let interval = BootstrapInterval.medianDifference(from: peer.map(log), to: own.map(log))
    else { return [:] }
    return [
      "\(face.metric).ratioToSetGain.ratio": exp(interval.difference),
      "\(face.metric).ratioToSetGainLower.ratio": exp(interval.lower),
      "\(face.metric).ratioToSetGainUpper.ratio": exp(interval.upper),
    ]
  }
}

extension BenchRecord {
  /// Notes the frames from a crossfader's message to the first changed sample.
  fileprivate mutating func noteOffsets(_ delays: [Double]) {
    let frames = delays.map { ($0 * configuration.sampleRateHz / 1_000_000).rounded() }
    metrics["control.crossfader.offset.median.frames"] = frames.median
    metrics["control.crossfader.offset.least.frames"] = frames.min()
    metrics["control.crossfader.offset.most.frames"] = frames.max()
  }

  /// Holds a face's bar against its 99th percentile, where there are enough readings.
  fileprivate mutating func judge(_ face: ControlFace, _ distribution: Distribution) {
    let bar = face.bar(periodMicroseconds: configuration.periodMicroseconds)
    guard Distribution.canTell("p99", count: distribution.count) else {
      notes.append("\(bar): takes 100 readings, there are \(distribution.count)")
      return
    }
    metrics["\(face.metric).p99OfBar.ratio"] = distribution.p99Microseconds / bar.limit
    let figure = ReportColumn.text(distribution.p99Microseconds, decimals: 1)
    let isCleared = bar.comparison.holds(distribution.p99Microseconds, bar.limit)
    notes.append("\(isCleared ? "cleared" : "missed"): \(bar): \(figure)")
  }
}
