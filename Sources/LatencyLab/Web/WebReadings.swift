// SPDX-License-Identifier: MIT

import FoundationEssentials
import Glibc

/// The readings of `bench web`.
///
/// Pure value: [any-thread].
struct WebReadings: Sendable {
  /// The traffic beside the requests of a block.
  enum Company: CaseIterable {
    /// Nothing.
    case none
    /// Pages with a link each.
    case pages
    /// As many connections between two other programs, with what the pages have received: what the machine's network costs.
    case streams

    /// The command for the page's script.
    func command(_ count: Int) -> String {
      switch self {
      case .none: "pages 0"
      case .pages: "pages \(count)"
      case .streams: "streams \(count)"
      }
    }

    /// The end of the names of its metrics.
    var name: String {
      switch self {
      case .none: "Alone"
      case .pages: "BesidePages"
      case .streams: "BesideStreams"
      }
    }
  }

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
  /// Requests by their company.
  private(set) var requests: [Company: Requests] = [:]

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
  mutating func add(_ times: [Double], beside company: Company, xruns: Int) {
    requests[company, default: Requests()].times += times
    requests[company]?.p99s.append(Self.distribution(times).p99Microseconds)
    requests[company]?.xruns += xruns
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
    for company in Company.allCases {
      guard let requests = requests[company] else { return record }
      record.tell("setGain\(company.name)", requests.times)
      record.metrics["web.xruns\(company.name).count"] = Double(requests.xruns)
    }
    tellRatio("setGain", to: .pages, in: &record)
    tellRatio("setGainStreams", to: .streams, in: &record)
    record.judge(BenchBar("web.setGain.p99Ratio.ratio", .atMost, 1.5))
    return record
  }

  /// Tells the ratio of the blocks' p99 to that of requests alone.
  private func tellRatio(_ name: String, to company: Company, in record: inout BenchRecord) {
    // The median of logarithms is the logarithm of the median, so their difference is that of the ratio.
    guard let alone = requests[.none], let beside = requests[company],
      let interval = BootstrapInterval.medianDifference(
        from: alone.p99s.map(log),
        to: beside.p99s.map(log),
      )
    else { return }
    record.metrics["web.\(name).p99Ratio.ratio"] = exp(interval.difference)
    record.metrics["web.\(name).p99RatioLower.ratio"] = exp(interval.lower)
    record.metrics["web.\(name).p99RatioUpper.ratio"] = exp(interval.upper)
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
