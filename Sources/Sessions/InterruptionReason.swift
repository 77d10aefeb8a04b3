// SPDX-License-Identifier: MIT

/// Why a session was interrupted; the SDK's raw values.
public enum InterruptionReason: UInt, Codable, Sendable {
  /// Another session, or a call.
  case `default` = 0
  /// The app went to the background and may not sound there.
  case appWasSuspended = 1
  /// The built-in microphone was muted in hardware.
  case builtInMicMuted = 2
  /// The route went away and the session asked to be interrupted then.
  case routeDisconnected = 4
}
