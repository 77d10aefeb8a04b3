// SPDX-License-Identifier: MIT

/// Who or what keeps a session interrupted.
public enum Interrupter: Hashable, Codable, Sendable {
  /// Another session.
  case session(id: SessionID)
  /// A simulated interruption of that class (rule SYS-4).
  case simulated(class: PriorityClass)
  /// The app is in the background and may not sound there (rule SYS-1).
  case background
  /// The built-in microphone is muted in hardware.
  case microphoneMute
  /// The route went away; no end follows, the app activates again by itself.
  case routeDisconnect
}
