// SPDX-License-Identifier: MIT

/// What a session is told; carries every fact the SDK's notifications have.
public enum SessionNotification: Hashable, Codable, Sendable {
  /// Interrupted: the audio is silent and the session inactive by now (rule INT-1).
  case interruptionBegan(reason: InterruptionReason, wasSuspended: Bool)
  /// The interruption is over; `heldCommands` came meanwhile and are to be applied (rule INT-4).
  case interruptionEnded(shouldResume: Bool, heldCommands: [RemoteCommand])
  /// The route changed (rule RTE-2).
  case routeChanged(
    reason: RouteChangeReason,
    previous: RouteDescription,
    current: RouteDescription
  )
  /// The inputs the session may choose from changed.
  case availableInputsChanged
  /// The JACK server is gone: everything is void (rule RST-1).
  case mediaServicesWereLost
  /// The JACK server is back: set up and activate again (rule RST-1).
  case mediaServicesWereReset
  /// Another app's primary audio began or ended (rule ACT-7).
  case silenceSecondaryAudioHint(begins: Bool)
  /// The session is active now.
  case didBecomeActive
  /// The session is inactive now; `interruption` is nil when the app itself asked for it.
  case didBecomeInactive(interruption: InterruptionReason?)
  /// Whether the app should go on, after an interruption.
  case resumptionRecommendation(shouldResume: Bool)
  /// The record permission changed (rule PRM-1).
  case recordPermissionChanged(permission: RecordPermission)
  /// The app's inputs were muted or unmuted.
  case inputMuteChanged(isMuted: Bool)
  /// The session's output was muted or unmuted.
  case outputMuteChanged(isMuted: Bool)
  /// A remote-control command for the app (rule VOL-2).
  case remoteCommand(command: RemoteCommand)
}
