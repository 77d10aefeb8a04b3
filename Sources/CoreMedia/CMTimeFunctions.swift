// SPDX-License-Identifier: MIT

/// Makes a time of `value` / `timescale` seconds. [any-thread]
public func CMTimeMake(value: Int64, timescale: Int32) -> CMTime {
  CMTime(value: value, timescale: timescale)
}

/// Makes a time of seconds, rounded to the timescale. [any-thread]
public func CMTimeMakeWithSeconds(_ seconds: Double, preferredTimescale: Int32) -> CMTime {
  CMTime(seconds: seconds, preferredTimescale: preferredTimescale)
}

/// Gives a time in seconds. [any-thread]
public func CMTimeGetSeconds(_ time: CMTime) -> Double { time.seconds }

/// Adds two times. [any-thread]
public func CMTimeAdd(_ left: CMTime, _ right: CMTime) -> CMTime { left + right }

/// Subtracts the second time from the first. [any-thread]
public func CMTimeSubtract(_ left: CMTime, _ right: CMTime) -> CMTime { left - right }

/// Multiplies a time by a number, rounded to its timescale. [any-thread]
public func CMTimeMultiplyByFloat64(_ time: CMTime, multiplier: Double) -> CMTime {
  guard time.isNumeric else { return time }
  return CMTime(seconds: time.seconds * multiplier, preferredTimescale: time.timescale)
}

/// Compares two times: -1, 0 or 1. [any-thread]
public func CMTimeCompare(_ left: CMTime, _ right: CMTime) -> Int32 {
  left == right ? 0 : left < right ? -1 : 1
}

/// A span of time: a start and a duration.
///
/// Pure value: [any-thread].
public struct CMTimeRange: Hashable, Sendable {
  /// The first moment.
  public var start: CMTime
  /// The time from the first moment to the end.
  public var duration: CMTime

  /// Makes a span from its start and its duration.
  public init(start: CMTime, duration: CMTime) {
    self.start = start
    self.duration = duration
  }

  /// Makes a span from its start and its end.
  public init(start: CMTime, end: CMTime) {
    self.init(start: start, duration: end - start)
  }

  /// A span without duration at time 0.
  public static let zero = CMTimeRange(start: .zero, duration: .zero)

  /// The first moment after the span.
  public var end: CMTime { start + duration }

  /// Whether start and duration are valid, and the duration is not negative.
  public var isValid: Bool { start.isValid && duration.isValid && duration >= .zero }

  /// Whether a time is in the span; its end is not.
  public func containsTime(_ time: CMTime) -> Bool { time >= start && time < end }
}
