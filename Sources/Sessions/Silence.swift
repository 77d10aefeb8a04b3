// SPDX-License-Identifier: MIT

/// Why a session is not heard, or hears nothing; the first that applies.
public enum Silence: String, Codable, Sendable {
  /// The JACK server is gone.
  case serverLost
  /// The session is interrupted.
  case interrupted
  /// The session is not active.
  case inactive
  /// The category has no output, or no input.
  case category
  /// The silent switch is on.
  case silentSwitch
  /// The screen is locked.
  case screenLock
  /// An adopted player is paused.
  case paused
  /// The app muted it.
  case muted
  /// Nothing eligible is connected.
  case noRoute
  /// The permission to record is not there.
  case permission

  /// The rule behind it.
  public var rule: RuleID {
    switch self {
    case .serverLost: .rst1
    case .interrupted: .int1
    case .inactive: .act1
    case .category: .cat1
    case .silentSwitch, .screenLock: .sys1
    case .paused: .rte3
    case .muted: .ses3
    case .noRoute: .rte2
    case .permission: .prm1
    }
  }
}
