// SPDX-License-Identifier: MIT

extension AVAudioSession {
  /// Why a session was interrupted.
  public enum InterruptionReason: UInt, Sendable {
    /// Another session, or a call.
    case `default` = 0
    /// The app was suspended in the background.
    @available(iOS, deprecated: 16, message: "not reported any more")
    case appWasSuspended = 1
    /// The built-in microphone was muted in hardware.
    case builtInMicMuted = 2
    /// A scene went to the background; never on JACK.
    case sceneWasBackgrounded = 3
    /// The route went away and the session asked to be interrupted then.
    case routeDisconnected = 4
    /// The device was locked; never on JACK.
    case deviceUnauthenticated = 5
  }
}
