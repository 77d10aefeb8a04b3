// SPDX-License-Identifier: MIT

package import ControlProtocol

/// Merges levels over time: the highest peak, the root of the mean of the squares.
///
/// Pure value: [any-thread].
package struct MetersAccumulator: Sendable {
  private var latest: Meters?
  private var count: Float = 0

  /// Has no levels yet.
  package init() {}

  /// Adds levels; starts anew when the strips or routes have changed.
  package mutating func add(_ meters: Meters) {
    guard let before = latest, Self.isAlike(before, meters) else {
      latest = meters
      count = 1
      return
    }
    latest = Meters(
      time: meters.time,
      strips: merge(before.strips, meters.strips),
      routes: merge(before.routes, meters.routes),
    )
    count += 1
  }

  /// Takes the levels since the last call.
  package mutating func take() -> Meters? {
    defer { latest = nil }
    return latest
  }

  private func merge(_ before: [StripLevels], _ now: [StripLevels]) -> [StripLevels] {
    zip(before, now).map { before, now in
      var merged = now
      merged.peak = peaks(before.peak, now.peak)
      merged.rms = means(before.rms, now.rms)
      merged.prePeak = peaks(before.prePeak, now.prePeak)
      merged.preRMS = means(before.preRMS, now.preRMS)
      return merged
    }
  }

  private func merge(_ before: [MixLevels], _ now: [MixLevels]) -> [MixLevels] {
    zip(before, now).map { before, now in
      var merged = now
      merged.peak = peaks(before.peak, now.peak)
      merged.rms = means(before.rms, now.rms)
      merged.limiterGain = [before.limiterGain, now.limiterGain].compactMap(\.self).min()
      return merged
    }
  }

  private func peaks(_ before: [Float], _ now: [Float]) -> [Float] { zip(before, now).map(max) }

  private func means(_ before: [Float], _ now: [Float]) -> [Float] {
    zip(before, now).map { before, now in
      ((before * before * count + now * now) / (count + 1)).squareRoot()
    }
  }

  /// Whether both have the same strips and routes, with the same channels and the same taps to show.
  private static func isAlike(_ one: Meters, _ other: Meters) -> Bool {
    one.strips.elementsEqual(other.strips) {
      $0.id == $1.id && $0.peak.count == $1.peak.count && $0.$tap == $1.$tap
    }
      && one.routes.elementsEqual(other.routes) {
        $0.id == $1.id && $0.peak.count == $1.peak.count
      }
  }
}

/// The connections with a subscription to meters at one interval, which get the same line at the same time.
///
/// Pure value: [any-thread].
struct MetersGroup {
  /// The connections.
  var members: Set<ConnectionID> = []
  private let intervalNanoseconds: UInt64
  private var dueNanoseconds: UInt64 = 0
  private var accumulated = MetersAccumulator()

  /// Makes a group without members.
  init(intervalMilliseconds: Int) {
    intervalNanoseconds = UInt64(intervalMilliseconds) * 1_000_000
  }

  /// Adds levels; returns the levels since the last time when they are due.
  ///
  /// Half of the shortest interval is allowed for jitter. After an early notification the next interval is
  /// longer, so that the average rate is the requested one.
  mutating func add(_ meters: Meters, nowNanoseconds: UInt64) -> Meters? {
    accumulated.add(meters)
    guard nowNanoseconds + 10_000_000 >= dueNanoseconds else { return nil }
    dueNanoseconds += intervalNanoseconds
    if dueNanoseconds < nowNanoseconds { dueNanoseconds = nowNanoseconds + intervalNanoseconds }
    return accumulated.take()
  }
}
