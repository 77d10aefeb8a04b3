// SPDX-License-Identifier: MIT

/// The engine's counts and times since the host started.
public struct EngineStatus: Codable, Sendable, Hashable {
  /// Process callbacks.
  public var cycles: UInt64
  /// Xruns that JACK told of.
  public var xruns: UInt64
  /// JACK's load, 0 to 100.
  public var loadPercent: Double
  /// How long the process callback takes, `null` until it was measured.
  @OrNull public var callbackMicroseconds: Percentiles?
  /// The latest xrun, `null` when there was none.
  @OrNull public var lastXrun: XrunStatus?

  /// Makes the value from its parts.
  public init(
    cycles: UInt64,
    xruns: UInt64,
    loadPercent: Double,
    callbackMicroseconds: Percentiles?,
    lastXrun: XrunStatus?,
  ) {
    self.cycles = cycles
    self.xruns = xruns
    self.loadPercent = loadPercent
    self.callbackMicroseconds = callbackMicroseconds
    self.lastXrun = lastXrun
  }
}

/// A distribution in a few figures, in the unit that the key names.
public struct Percentiles: Codable, Sendable, Hashable {
  /// The median.
  public var p50: Double
  /// The 90th percentile.
  public var p90: Double
  /// The 99th percentile.
  public var p99: Double
  /// The 99.9th percentile.
  public var p999: Double
  /// The longest.
  public var max: Double

  /// Makes the value from its parts.
  public init(p50: Double, p90: Double, p99: Double, p999: Double, max: Double) {
    self.p50 = p50
    self.p90 = p90
    self.p99 = p99
    self.p999 = p999
    self.max = max
  }
}

/// An xrun.
public struct XrunStatus: Codable, Sendable, Hashable {
  /// When it was.
  public var time: EventTime
  /// How late the cycle was as JACK tells, `null` where it does not.
  @OrNull public var delayMicroseconds: Double?
  /// What caused it as far as the host can tell, or `null`.
  @OrNull public var cause: String?

  /// Makes the value from its parts.
  public init(time: EventTime, delayMicroseconds: Double?, cause: String?) {
    self.time = time
    self.delayMicroseconds = delayMicroseconds
    self.cause = cause
  }
}
