// SPDX-License-Identifier: MIT

import Histogram

/// Percentiles and counts of a measured quantity, as they are kept in reports.
///
/// A plain value: [any-thread].
public struct Distribution: Equatable, Sendable, Codable {
  /// Number of values.
  public var count: UInt64
  /// Smallest value in microseconds.
  public var minimumMicroseconds: Double
  /// Half of the values are at or below this, in microseconds.
  public var p50Microseconds: Double
  /// 90 % of the values are at or below this, in microseconds.
  public var p90Microseconds: Double
  /// 99 % of the values are at or below this, in microseconds.
  public var p99Microseconds: Double
  /// 99.9 % of the values are at or below this, in microseconds.
  public var p999Microseconds: Double
  /// Largest value in microseconds.
  public var maximumMicroseconds: Double
  /// Mean in microseconds.
  public var meanMicroseconds: Double
  /// The counts: upper edge of a bucket in microseconds, then how many values are in it.
  public var buckets: [Bucket]

  /// One bucket of a distribution.
  public struct Bucket: Equatable, Sendable, Codable {
    /// Upper edge in microseconds.
    public var microseconds: Double
    /// Number of values.
    public var count: UInt64

    /// Makes a bucket.
    public init(microseconds: Double, count: UInt64) {
      self.microseconds = microseconds
      self.count = count
    }
  }
}

extension Distribution {
  /// The percentiles as metrics: in microseconds, and in percent of the period.
  ///
  /// - Parameters:
  ///   - name: The beginning of the metrics' names.
  ///   - periodMicroseconds: The period, for times that belong to one cycle; nil for others, such as a ramp.
  /// - Returns: The metrics by name.
  func metrics(named name: String, periodMicroseconds: Double? = nil) -> [String: Double] {
    let figures = [
      ("p50", p50Microseconds), ("p90", p90Microseconds), ("p99", p99Microseconds),
      ("p999", p999Microseconds), ("maximum", maximumMicroseconds),
    ]
    var metrics: [String: Double] = [:]
    for (figure, microseconds) in figures {
      metrics["\(name).\(figure).microseconds"] = microseconds
      guard let periodMicroseconds, periodMicroseconds > 0 else { continue }
      metrics["\(name).\(figure).percentOfPeriod"] = microseconds / periodMicroseconds * 100
    }
    return metrics
  }
}

extension Distribution {
  /// The fewest values of which a percentile says more than the longest value does, by the percentile's name.
  private static let fewestValues: [String: UInt64] = ["p90": 10, "p99": 100, "p999": 1_000]

  /// Whether a figure can be told of so many values; the median and the longest always can.
  static func canTell(_ figure: String, count: UInt64) -> Bool {
    count >= fewestValues[figure] ?? 1
  }
}

/// Collects times in nanoseconds into a high dynamic range histogram (three digits).
///
/// A plain value: [any-thread].
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

  /// The percentiles and counts so far; all zero before the first value.
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
