// SPDX-License-Identifier: MIT

/// When something happened, on every clock that is known.
public struct EventTime: Codable, Sendable, Hashable {
  /// The JACK frame, `null` while there is no server.
  @OrNull public var frame: UInt64?
  /// CLOCK_MONOTONIC, for differences on this machine.
  public var monotonicNanoseconds: UInt64
  /// Seconds since 1970-01-01 UTC, for people.
  public var wallSeconds: Double

  /// Makes the value from its parts.
  public init(
    frame: UInt64?,
    monotonicNanoseconds: UInt64,
    wallSeconds: Double,
  ) {
    self.frame = frame
    self.monotonicNanoseconds = monotonicNanoseconds
    self.wallSeconds = wallSeconds
  }
}
