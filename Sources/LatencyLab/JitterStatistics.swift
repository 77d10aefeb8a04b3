// SPDX-License-Identifier: MIT

internal import Histogram

/// Collects times in nanoseconds into a high dynamic range histogram (three digits).
public struct JitterStatistics: Sendable {
  private var histogram: Histogram<UInt64>

  /// Values that were below zero and were counted as zero.
  public private(set) var clampedCount: UInt64 = 0

  /// An empty collection for values up to ten seconds.
  public init() {
    histogram = Histogram(highestTrackableValue: 10_000_000_000)
  }

  /// Records one time.
  ///
  /// - Parameter nanoseconds: The time; below zero counts as zero, above ten seconds as ten.
  public mutating func record(nanoseconds: Int64) {
    fatalError("unwritten")
  }

  /// Adds all values of another collection.
  ///
  /// - Parameter other: The other collection.
  public mutating func merge(_ other: JitterStatistics) {
    fatalError("unwritten")
  }

  /// Number of values recorded.
  public var count: UInt64 { histogram.totalCount }

  /// The percentiles and counts so far.
  public var distribution: Distribution { fatalError("unwritten") }
}
