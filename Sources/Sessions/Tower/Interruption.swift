// SPDX-License-Identifier: MIT

/// The interruption of a session, from its beginning to its end or to the session's next activation.
public struct Interruption: Hashable, Codable, Sendable {
  /// The interrupters that must end before the session is notified of the end, oldest first.
  public internal(set) var interrupters: [Interrupter]
  /// The reason in the notification.
  public internal(set) var reason: InterruptionReason
  /// When it began, on the clock of the events.
  public internal(set) var sinceNanoseconds: UInt64
  /// The rule that interrupted.
  public internal(set) var rule: RuleID
  /// Whether the session had I/O running and was not paused when the interruption began.
  public internal(set) var wasPlaying: Bool
  /// Whether every interrupter that ended so far allows the session to resume.
  public internal(set) var allowsResume: Bool
  /// Remote-control commands that arrived meanwhile, oldest first (rule INT-4).
  public internal(set) var heldCommands: [RemoteCommand]
}

/// Why a session was interrupted; the SDK's raw values.
public enum InterruptionReason: UInt, Codable, Sendable {
  /// Another session, or a call.
  case `default` = 0
  /// The app went to the background and may not sound there.
  case appWasSuspended = 1
  /// The built-in microphone was muted in hardware.
  case builtInMicMuted = 2
  /// The route vanished, and the session prefers an interruption in that case.
  case routeDisconnected = 4
}

/// A reason that keeps a session interrupted.
public enum Interrupter: Hashable, Codable, Sendable {
  /// Another session.
  case session(id: SessionID)
  /// A simulated interruption of that class (rule SYS-4).
  case simulated(class: PriorityClass)
  /// The app is in the background and may not sound there (rule SYS-1).
  case background
  /// The built-in microphone is muted in hardware.
  case microphoneMute
  /// The route vanished; no end follows, the app activates again by itself.
  case routeDisconnect
}

/// A simulated interruption in progress (rule SYS-4).
public struct SimulatedInterruption: Hashable, Codable, Sendable {
  /// The class, above `app`.
  public internal(set) var priorityClass: PriorityClass
  /// When it began, on the clock of the events.
  public internal(set) var sinceNanoseconds: UInt64
  /// Whether it is a call that only rings: it does not interrupt sessions that prefer so.
  public internal(set) var isRinging: Bool
}

/// The state of a call, which is a simulated interruption of class `phone` (rule INT-8).
public enum CallState: String, CaseIterable, Codable, WireNamed {
  /// It rings.
  case ringing
  /// The user answered it.
  case answered
  /// The user declined it, or it stopped ringing.
  case declined
  /// It is over.
  case ended
}

extension InterruptionReason: WireNamed, CaseIterable {
  /// Every reason, in the order of the SDK's values.
  public static let allCases: [InterruptionReason] = [
    .default, .appWasSuspended, .builtInMicMuted, .routeDisconnected,
  ]

  /// The name of the SDK's case, such as `appWasSuspended`.
  public var name: String {
    switch self {
    case .default: "default"
    case .appWasSuspended: "appWasSuspended"
    case .builtInMicMuted: "builtInMicMuted"
    case .routeDisconnected: "routeDisconnected"
    }
  }
}
