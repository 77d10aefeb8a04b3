// SPDX-License-Identifier: MIT

/// What the players, recorders and contexts of the library hear before the app does.
///
/// Called on the session's event thread, one after the other.
protocol SessionParticipant: AnyObject, Sendable {
  /// Something happened to the session.
  func session(did event: SessionEvent)
}

/// What happens to a session.
enum SessionEvent: Sendable {
  /// The audio is silent and the session inactive (INT-1).
  case interrupted
  /// The interruption is over; `held` came from remote controls meanwhile, and `leavesPaused` is what comes of it
  /// for who played (INT-4).
  case interruptionEnded(shouldResume: Bool, leavesPaused: Bool, held: [RemoteCommandCall])
  /// The route is another one (RTE-3).
  case routeChanged(AVAudioSession.RouteChangeReason)
  /// The app made the session inactive (ACT-5).
  case deactivated
  /// The host or its server is gone: audio objects are orphans (RST-1).
  case mediaServicesLost
  /// A remote-control command for the app (VOL-2).
  case remoteCommand(RemoteCommandCall)
  /// The permission to record changed, or what mutes the input (PRM-1).
  case inputChanged
}
