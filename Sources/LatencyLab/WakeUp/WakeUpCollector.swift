// SPDX-License-Identifier: MIT

/// Sums up the samples of a wake-up measurement.
///
/// Pure value: [any-thread].
struct WakeUpCollector {
  private let beginNanoseconds: UInt64
  private let stretchNanoseconds: UInt64
  private var wakeUp = JitterStatistics()
  private var callback = JitterStatistics()
  private var interval = JitterStatistics()
  private var baseline = JitterStatistics()
  private var graph = JitterStatistics()
  /// Callback times of the head client by frame, until the tail client's are there.
  private var heads: [UInt32: UInt64] = [:]
  private let periodNanoseconds: Int64
  private let hasTail: Bool
  private var lastCallbackNanoseconds: UInt64?
  private var stretch: [ScheduleFloor.Point] = []
  private var stretchBaseline: Int64?
  private var stretchIndex: UInt64 = 0
  private(set) var timeline: [TimelinePoint] = []
  /// The longest baseline delay by interval of ten milliseconds.
  private var baselineHistory: [UInt64: Int64] = [:]
  private var loads: [MachineLoad.Reading] = []
  private var events: [XrunWatch.Event] = []

  /// Begins at a moment of the monotonic clock; earlier cycles are omitted.
  init(
    beginNanoseconds: UInt64,
    stretchNanoseconds: UInt64,
    periodNanoseconds: UInt64,
    hasTail: Bool
  ) {
    self.hasTail = hasTail
    self.periodNanoseconds = Int64(periodNanoseconds)
    self.beginNanoseconds = beginNanoseconds
    self.stretchNanoseconds = stretchNanoseconds
  }

  mutating func add(_ sample: CycleSample) {
    guard sample.startNanoseconds >= beginNanoseconds else { return }
    let called = sample.calledNanoseconds
    if hasTail { heads[sample.frame] = called }
    if let last = lastCallbackNanoseconds {
      interval.record(nanoseconds: abs(Int64(called &- last) - periodNanoseconds))
    }
    lastCallbackNanoseconds = called
    closeStretches(before: sample.startNanoseconds)
    stretch.append(
      ScheduleFloor.Point(
        atNanoseconds: Int64(called),
        delayNanoseconds: sample.delayNanoseconds,
      )
    )
    if sample.previousCallbackNanoseconds > 0 {
      callback.record(nanoseconds: Int64(clamping: sample.previousCallbackNanoseconds))
    }
  }

  /// Adds a cycle of the client that is called after others.
  mutating func addTail(_ sample: CycleSample) {
    guard let head = heads.removeValue(forKey: sample.frame) else { return }
    graph.record(nanoseconds: Int64(sample.calledNanoseconds) - Int64(head))
  }

  mutating func add(_ sample: BaselineThread.Sample) {
    guard sample.dueNanoseconds >= beginNanoseconds else { return }
    baseline.record(nanoseconds: sample.delayNanoseconds)
    stretchBaseline = max(stretchBaseline ?? 0, sample.delayNanoseconds)
    let interval = sample.dueNanoseconds / Self.historyNanoseconds
    baselineHistory[interval] = max(baselineHistory[interval] ?? 0, sample.delayNanoseconds)
  }

  mutating func add(_ reading: MachineLoad.Reading) { loads.append(reading) }

  mutating func add(_ event: XrunWatch.Event) {
    if event.atNanoseconds >= beginNanoseconds { events.append(event) }
  }

  /// Closes the last stretch.
  mutating func finish() { closeStretch() }

  /// The distributions by the names they have in records.
  var distributions: [String: Distribution] {
    let all = [
      "wakeUp": wakeUp, "interval": interval, "callback": callback, "baseline": baseline,
      "graph": graph,
    ]
    return all.mapValues(\.distribution).filter { $0.value.count > 0 }
  }

  /// Cycles that began before their scheduled start.
  var earlyCycles: UInt64 { wakeUp.clampedCount }

  /// The xruns, with the machine's activity at that time.
  var xruns: [XrunRecord] {
    events.map { event in
      let interval = event.atNanoseconds / Self.historyNanoseconds
      let near = (interval - Self.historyReach...interval + Self.historyReach)
        .compactMap { baselineHistory[$0] }.max()
      // The first reading that ends after the xrun covers it.
      let load = loads.first { $0.atNanoseconds >= event.atNanoseconds } ?? loads.last
      return XrunRecord(
        seconds: Double(event.atNanoseconds - beginNanoseconds) / 1e9,
        delayMicroseconds: event.delayMicroseconds,
        baselineMicroseconds: near.map { Double($0) / 1000 },
        processorBusyShare: load?.busyShare,
        runnableThreads: load?.runnableThreads,
        stolenShare: load?.stolenShare,
      )
    }
  }

  private mutating func closeStretches(before nanoseconds: UInt64) {
    let index = (nanoseconds - beginNanoseconds) / stretchNanoseconds
    guard index != stretchIndex else { return }
    closeStretch()
    stretchIndex = index
  }

  private mutating func closeStretch() {
    defer {
      stretch.removeAll(keepingCapacity: true)
      stretchBaseline = nil
    }
    let tolerance = min(periodNanoseconds / 10, Self.longestToleranceNanoseconds)
    var delays = JitterStatistics()
    for delay in ScheduleFloor.corrected(stretch, toleranceNanoseconds: tolerance) {
      delays.record(nanoseconds: delay)
    }
    wakeUp.merge(delays)
    guard delays.count >= Self.fewestCycles else { return }
    let distribution = delays.distribution
    timeline.append(
      TimelinePoint(
        seconds: Double(stretchIndex * stretchNanoseconds) / 1e9,
        p50Microseconds: distribution.p50Microseconds,
        p99Microseconds: distribution.p99Microseconds,
        maximumMicroseconds: distribution.maximumMicroseconds,
        baselineMaximumMicroseconds: stretchBaseline.map { Double($0) / 1000 },
      )
    )
  }

  /// A floor below a tenth of a millisecond, or a tenth of the period, is the machine's own.
  private static let longestToleranceNanoseconds: Int64 = 100_000
  private static let historyNanoseconds: UInt64 = 10_000_000
  /// Fifty milliseconds to either side.
  private static let historyReach: UInt64 = 5
  /// A stretch with fewer cycles gets no percentiles.
  private static let fewestCycles = 5
}

extension CycleSample {
  /// When the callback began, on the monotonic clock.
  fileprivate var calledNanoseconds: UInt64 {
    startNanoseconds &+ UInt64(bitPattern: delayNanoseconds)
  }
}
