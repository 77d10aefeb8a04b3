// SPDX-License-Identifier: MIT

/// What the graph file sets for the tower.
public struct TowerConfiguration: Hashable, Codable, Sendable {
  /// The fade of gates, in milliseconds.
  public var fadeMilliseconds: Double = 5
  /// How far others are lowered, in dB, below 0 (rule ACT-3).
  public var duckGainDB: Double = -14
  /// How long lowering takes, in milliseconds.
  public var duckMilliseconds: Double = 200
  /// How long restoring takes, in milliseconds; short enough to be over 100 ms after the end.
  public var restoreMilliseconds: Double = 80
  /// The highest class each program may use; others may use `app` only (rule ACT-4).
  public var priorityClasses: [String: PriorityClass] = [:]
  /// What each program may record that no user has answered for (rule PRM-1).
  public var permissions: [String: RecordPermission] = [:]
  /// What all other programs without an answer may do (rule PRM-1).
  public var defaultPermission = RecordPermission.undetermined
  /// Wishes set while active take effect at once instead of at the next activation (rule HW-1).
  public var appliesPreferencesAtOnce = false
  /// How often in a row the host puts back a value another client changed (rule HW-2).
  public var reassertLimit = 3
  /// After how long without such a change the count starts again, in nanoseconds.
  public var reassertWindowNanoseconds: UInt64 = 10_000_000_000
  /// How long an active session may be silent before it is listed, in nanoseconds (rule ACT-8).
  public var silentAfterNanoseconds: UInt64 = 60_000_000_000
  /// How many requests of a suspended app may wait (rule SYS-2).
  public var waitingRequestLimit = 64

  /// The defaults.
  public init() {}
}
