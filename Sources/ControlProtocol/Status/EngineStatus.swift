// SPDX-License-Identifier: MIT

/// The engine's counts and times since the host started.
///
/// Pure value: [any-thread].
public struct EngineStatus: Codable, Sendable, Hashable {
  /// Process callbacks.
  public var cycles: UInt64
  /// The number of xruns that JACK reported.
  public var xruns: UInt64
  /// JACK's load, 0 to 100.
  public var loadPercent: Double
  /// The duration of the process callback, `null` until it was measured.
  @OrNull public var callbackMicroseconds: Percentiles?
  /// The latest xrun, `null` without one.
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
///
/// Pure value: [any-thread].
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
///
/// Pure value: [any-thread].
public struct XrunStatus: Codable, Sendable, Hashable {
  /// When it was.
  public var time: EventTime
  /// The delay of the cycle as JACK reports it, `null` without a report.
  @OrNull public var delayMicroseconds: Double?
  /// The probable cause, or `null`.
  @OrNull public var cause: String?

  /// Makes the value from its parts.
  public init(time: EventTime, delayMicroseconds: Double?, cause: String?) {
    self.time = time
    self.delayMicroseconds = delayMicroseconds
    self.cause = cause
  }
}

/// A recorder: a recording of a strip or route, running or not.
///
/// Pure value: [any-thread].
public struct RecorderStatus: Codable, Sendable, Hashable {
  /// The recorder's name.
  public var name: String
  /// The strip or route that it records.
  public var from: String
  /// Whether it is recording.
  public var recording: Bool
  /// The files made so far, the current one last.
  public var files: [String]
  /// Frames in these files.
  public var framesWritten: Int
  /// Frames that reached no file; 0 unless the disk failed or hung for too long.
  public var framesLost: Int
  /// The fault that prevents it from writing now, `null` without one.
  @OrNull public var fault: String?

  /// Makes the value from its parts.
  public init(
    name: String,
    from: String,
    recording: Bool,
    files: [String],
    framesWritten: Int,
    framesLost: Int,
    fault: String?,
  ) {
    self.name = name
    self.from = from
    self.recording = recording
    self.files = files
    self.framesWritten = framesWritten
    self.framesLost = framesLost
    self.fault = fault
  }
}
