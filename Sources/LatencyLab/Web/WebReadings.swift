// SPDX-License-Identifier: MIT

import FoundationEssentials
import Glibc

/// The readings of `bench web`.
///
/// Pure value: [any-thread].
struct WebReadings: Sendable {
  /// Requests on the control socket, by the block.
  struct Requests: Sendable {
    /// The time of each in microseconds.
    var times: [Double] = []
    /// The 99th percentile of each block in microseconds.
    var p99s: [Double] = []
    /// The server's xruns meanwhile.
    var xruns = 0
  }

  /// The times from a movement to the first changed sample in microseconds.
  private(set) var delays: [Double] = []
  /// Movements that nothing was heard of before the next one; they count with the time until then.
  private(set) var unheard = 0
  /// Frames that the server lost during movements.
  private(set) var lostFrames = 0
  /// The times from a change by another client to the picture that shows it, in microseconds.
  private(set) var changes: [Double] = []
  /// Changes that the page has never shown.
  private(set) var unseen = 0
  /// The page while its meters ran.
  var meters: PageDriver.Meters?
  /// Requests without pages.
  private(set) var alone = Requests()
  /// Requests beside pages.
  private(set) var crowded = Requests()

  /// Notes movements.
  mutating func add(_ movement: WebRig.Movement) {
    let samples = movement.recording.channels[0]
    lostFrames += movement.recording.lostFrames
    guard !samples.isEmpty else { return unheard += movement.nanoseconds.count }
    func index(of nanoseconds: UInt64) -> Int {
      min(movement.recording.index(ofNanoseconds: nanoseconds), samples.count - 1)
    }
    for (number, sent) in movement.nanoseconds.enumerated() {
      let start = index(of: sent)
      let next = movement.nanoseconds.dropFirst(number + 1).first.map(index) ?? samples.count - 1
      let change = samples[start...max(start, next)].firstIndex {
        abs($0 - samples[start]) > Self.sameLevelLinear
      }
      if change == nil { unheard += 1 }
      guard let heard = movement.recording.nanoseconds(ofIndex: change ?? next), heard > sent
      else { continue }
      delays.append(Double(heard - sent) / 1_000)
    }
  }

  /// Notes changes by another client.
  mutating func add(_ changes: (sent: [Double: UInt64], shown: PageDriver.Changes)) {
    let shown = Dictionary(
      zip(changes.shown.gainsDB, changes.shown.nanoseconds),
      uniquingKeysWith: min,
    )
    for (gainDB, sent) in changes.sent {
      guard let moment = shown[gainDB] else {
        unseen += 1
        continue
      }
      self.changes.append((Double(moment) - Double(sent)) / 1_000)
    }
  }

  /// Notes a block of requests.
  mutating func add(_ times: [Double], withPages: Bool, xruns: Int) {
    func add(to requests: inout Requests) {
      requests.times += times
      requests.p99s.append(Self.distribution(times).p99Microseconds)
      requests.xruns += xruns
    }
    if withPages { add(to: &crowded) } else { add(to: &alone) }
  }

  /// Makes a record of all readings.
  ///
  /// - Parameters:
  ///   - benchmark: The circumstances.
  ///   - startedAt: When it began.
  /// - Returns: The record, with one remark for each bar.
  func record(_ benchmark: WebBenchmark, startedAt: Date) -> BenchRecord {
    var record = BenchRecord(
      benchmark: "web",
      subject:
        "\(benchmark.moves) movements of a fader, \(benchmark.strips) strips, \(benchmark.clients) pages",
      configuration: .init(
        sampleRateHz: Double(benchmark.sampleRateHz),
        bufferFrames: benchmark.bufferFrames,
        isSynchronous: true,
      ),
      startedAt: startedAt,
      metrics: [
        "web.unheard.count": Double(unheard), "web.lost.frames": Double(lostFrames),
        "web.unseen.count": Double(unseen),
      ],
    )
    record.tell("fader", delays)
    record.judge(BenchBar("web.fader.p99.microseconds", .atMost, 50_000))
    if !changes.isEmpty {
      record.tell("change", changes)
      record.judge(BenchBar("web.change.p99.microseconds", .atMost, 50_000))
    }
    if let meters {
      record.metrics["web.meters.framesPerSecond.count"] = meters.framesPerSecond
      record.metrics["web.page.mainThread.percent"] = meters.mainThreadShare * 100
      record.judge(BenchBar("web.meters.framesPerSecond.count", .atLeast, 30))
      record.judge(BenchBar("web.page.mainThread.percent", .below, 50))
    }
    guard !crowded.times.isEmpty else { return record }
    record.tell("setGainAlone", alone.times)
    record.tell("setGainBesidePages", crowded.times)
    record.metrics["web.xrunsAlone.count"] = Double(alone.xruns)
    record.metrics["web.xrunsBesidePages.count"] = Double(crowded.xruns)
    // The median of logarithms is the logarithm of the median, so their difference is that of the ratio.
    if let interval = BootstrapInterval.medianDifference(
      from: alone.p99s.map(log),
      to: crowded.p99s.map(log),
    ) {
      record.metrics["web.setGain.p99Ratio.ratio"] = exp(interval.difference)
      record.metrics["web.setGain.p99RatioLower.ratio"] = exp(interval.lower)
      record.metrics["web.setGain.p99RatioUpper.ratio"] = exp(interval.upper)
      record.judge(BenchBar("web.setGain.p99Ratio.ratio", .atMost, 1.5))
    }
    return record
  }

  private static let sameLevelLinear: Float = 1e-6

  /// The distribution of times in microseconds.
  fileprivate static func distribution(_ times: [Double]) -> Distribution {
    var statistics = JitterStatistics()
    for time in times { statistics.record(nanoseconds: Int64(time * 1_000)) }
    return statistics.distribution
  }
}

extension BenchRecord {
  /// Adds the figures of times in microseconds.
  fileprivate mutating func tell(_ name: String, _ times: [Double]) {
    let distribution = WebReadings.distribution(times)
    distributions[name] = distribution
    samples["web.\(name).p50.microseconds"] = times
    metrics.merge(distribution.metrics(named: "web.\(name)")) { $1 }
  }

  /// Holds a bar against its metric, where there are enough readings.
  fileprivate mutating func judge(_ bar: BenchBar) {
    guard let value = tellable(bar.metric) else {
      return notes.append("\(bar): takes 100 readings")
    }
    let isCleared = bar.comparison.holds(value, bar.limit)
    notes.append(
      "\(isCleared ? "cleared" : "missed"): \(bar): \(ReportColumn.text(value, decimals: 1))"
    )
  }
}
