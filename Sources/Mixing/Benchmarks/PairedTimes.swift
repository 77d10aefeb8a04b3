// SPDX-License-Identifier: MIT

/// Times of two things measured in turns, so that what else the machine does touches both.
struct PairedTimes {
  /// Nanoseconds of each run.
  private(set) var first: [Double] = []
  private(set) var second: [Double] = []

  /// Runs both in turns.
  ///
  /// - Parameters:
  ///   - repetitions: Pairs, 1 or more.
  ///   - first: The one thing.
  ///   - second: The other.
  init(repetitions: Int, first: () -> Void, second: () -> Void) {
    let clock = ContinuousClock()
    for _ in 0..<max(1, repetitions) {
      self.first.append(clock.measure(first) / .nanoseconds(1))
      self.second.append(clock.measure(second) / .nanoseconds(1))
    }
  }

  /// The median of second ÷ first.
  var medianRatio: Double { zip(first, second).map { $1 / $0 }.median }
}

extension [Double] {
  /// The middle one; 0 of none.
  var median: Double { percentile(0.5) }

  /// The value that the given share, 0…1, of all do not exceed; 0 of none.
  func percentile(_ share: Double) -> Double {
    guard !isEmpty else { return 0 }
    let place = Int((Double(count) * share).rounded(.up)) - 1
    return sorted()[Swift.max(0, Swift.min(count - 1, place))]
  }
}
