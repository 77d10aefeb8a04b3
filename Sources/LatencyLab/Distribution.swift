// SPDX-License-Identifier: MIT

/// Percentiles and counts of a measured quantity, as they are kept in reports.
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
    /// How many values.
    public var count: UInt64

    /// Makes a bucket.
    public init(microseconds: Double, count: UInt64) {
      self.microseconds = microseconds
      self.count = count
    }
  }
}
