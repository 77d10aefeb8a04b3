// SPDX-License-Identifier: MIT

/// A stretch of a measurement: the jitter within it.
public struct TimelinePoint: Equatable, Sendable, Codable {
  /// Start of the stretch in seconds since the measurement began.
  public var seconds: Double
  /// Median wake-up delay in microseconds.
  public var p50Microseconds: Double
  /// 99th percentile of the wake-up delay in microseconds.
  public var p99Microseconds: Double
  /// Largest wake-up delay in microseconds.
  public var maximumMicroseconds: Double
  /// Largest wake-up delay of the baseline thread in microseconds; nil without one.
  public var baselineMaximumMicroseconds: Double?

  /// Describes a stretch.
  public init(
    seconds: Double,
    p50Microseconds: Double,
    p99Microseconds: Double,
    maximumMicroseconds: Double,
    baselineMaximumMicroseconds: Double? = nil,
  ) {
    self.seconds = seconds
    self.p50Microseconds = p50Microseconds
    self.p99Microseconds = p99Microseconds
    self.maximumMicroseconds = maximumMicroseconds
    self.baselineMaximumMicroseconds = baselineMaximumMicroseconds
  }
}
