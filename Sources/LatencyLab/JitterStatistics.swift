// SPDX-License-Identifier: MIT

import Histogram

/// Collects times in nanoseconds into a high dynamic range histogram (three digits).
public struct JitterStatistics: Sendable {
  private var histogram: Histogram<UInt64>

  /// Values that were below zero and were counted as zero.
  public private(set) var clampedCount: UInt64 = 0

  /// An empty collection for values up to ten seconds.
  public init() {
    histogram = Histogram(highestTrackableValue: Self.highestNanoseconds)
  }

  /// Records one time.
  ///
  /// - Parameter nanoseconds: The time; below zero counts as zero, above ten seconds as ten.
  public mutating func record(nanoseconds: Int64) {
    if nanoseconds < 0 { clampedCount += 1 }
    histogram.record(min(UInt64(max(0, nanoseconds)), Self.highestNanoseconds))
  }

  /// Adds all values of another collection.
  ///
  /// - Parameter other: The other collection.
  public mutating func merge(_ other: JitterStatistics) {
    histogram.add(other.histogram)
    clampedCount += other.clampedCount
  }

  /// Number of values recorded.
  public var count: UInt64 { histogram.totalCount }

  /// The percentiles and counts so far; all zero while nothing is recorded.
  public var distribution: Distribution {
    func microseconds(_ nanoseconds: UInt64) -> Double { Double(nanoseconds) / 1000 }
    func percentile(_ percent: Double) -> Double {
      count == 0 ? 0 : microseconds(histogram.valueAtPercentile(percent))
    }
    return Distribution(
      count: count,
      minimumMicroseconds: count == 0 ? 0 : microseconds(histogram.min),
      p50Microseconds: percentile(50),
      p90Microseconds: percentile(90),
      p99Microseconds: percentile(99),
      p999Microseconds: percentile(99.9),
      maximumMicroseconds: count == 0 ? 0 : microseconds(histogram.max),
      meanMicroseconds: count == 0 ? 0 : histogram.mean / 1000,
      buckets: histogram.logarithmicBucketValues(
        valueUnitsInFirstBucket: Self.firstBucketNanoseconds,
        logBase: Self.bucketRatio,
      ).compactMap { step in
        step.countAddedInThisIterationStep == 0
          ? nil
          : Distribution.Bucket(
            microseconds: microseconds(step.value),
            count: step.countAddedInThisIterationStep,
          )
      },
    )
  }

  private static let highestNanoseconds: UInt64 = 10_000_000_000
  /// Buckets begin at a tenth of a microsecond and grow by a tenth, 24 to a decade.
  private static let firstBucketNanoseconds: UInt64 = 100
  private static let bucketRatio = 1.1
}
