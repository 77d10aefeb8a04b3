// SPDX-License-Identifier: MIT

public import Sessions

extension EventPayload {
  /// A notification to a session: the session's id, and the content.
  ///
  /// Pure value: [any-thread].
  public struct SessionNotice: Sendable, Hashable {
    /// The session's id.
    public var session: String
    /// The session's program.
    public var app: String
    /// The content.
    public var content: Content

    /// Makes the value from its parts.
    public init(session: String, app: String, _ content: Content) {
      self.session = session
      self.app = app
      self.content = content
    }
  }
}

extension EventPayload.SessionNotice {
  /// The content of a notification: the cases of `SessionNotification` in the protocol.
  public enum Content: Sendable, Hashable {
    /// The session is interrupted: its audio is silent by now (INT-1).
    case interruptionBegan(reason: InterruptionReason, wasSuspended: Bool)
    /// The interruption is over; the commands that came meanwhile are to be applied (INT-4).
    case interruptionEnded(shouldResume: Bool, heldCommands: [RemoteCommand])
    /// The route changed (RTE-2).
    case routeChanged(reason: RouteChangeReason, previous: RouteDetail, current: RouteDetail)
    /// The inputs that the session may choose from changed.
    case availableInputsChanged
    /// The JACK server is gone (RST-1).
    case mediaServicesWereLost
    /// The JACK server is back (RST-1).
    case mediaServicesWereReset
    /// Another program's primary audio began or ended (ACT-7).
    case silenceSecondaryAudioHint(begins: Bool)
    /// The session is active now.
    case didBecomeActive
    /// The session is inactive now; `interruption` is nil where its program asked for it.
    case didBecomeInactive(interruption: InterruptionReason?)
    /// Whether the program should go on, after an interruption.
    case resumptionRecommendation(shouldResume: Bool)
    /// The record permission changed (PRM-1).
    case recordPermissionChanged(permission: RecordPermission)
    /// The session's inputs were muted or unmuted.
    case inputMuteChanged(isMuted: Bool)
    /// The session's output was muted or unmuted.
    case outputMuteChanged(isMuted: Bool)
    /// A remote-control command (VOL-2).
    case remoteCommand(RemoteCommand)
    /// A request of a suspended program was carried out, or refused (SYS-2).
    case requestAnswered(request: UInt64, error: ControlError?)
    /// A notification that this version does not know.
    case unknown(name: String)
  }
}

/// Pure value: [any-thread].
extension EventPayload.SessionNotice.Content {
  /// A notification of the tower as it travels.
  ///
  /// - Parameters:
  ///   - notification: The tower's notification.
  ///   - detail: Describes a route with what only the host knows, such as its JACK ports.
  public init(
    _ notification: SessionNotification,
    detail: (RouteDescription) -> RouteDetail,
  ) {
    self =
      switch notification {
      case .interruptionBegan(let reason, let wasSuspended):
        .interruptionBegan(reason: reason, wasSuspended: wasSuspended)
      case .interruptionEnded(let shouldResume, let commands):
        .interruptionEnded(shouldResume: shouldResume, heldCommands: commands)
      case .routeChanged(let reason, let previous, let current):
        .routeChanged(reason: reason, previous: detail(previous), current: detail(current))
      case .availableInputsChanged: .availableInputsChanged
      case .mediaServicesWereLost: .mediaServicesWereLost
      case .mediaServicesWereReset: .mediaServicesWereReset
      case .silenceSecondaryAudioHint(let begins): .silenceSecondaryAudioHint(begins: begins)
      case .didBecomeActive: .didBecomeActive
      case .didBecomeInactive(let interruption): .didBecomeInactive(interruption: interruption)
      case .resumptionRecommendation(let shouldResume):
        .resumptionRecommendation(shouldResume: shouldResume)
      case .recordPermissionChanged(let permission):
        .recordPermissionChanged(permission: permission)
      case .inputMuteChanged(let isMuted): .inputMuteChanged(isMuted: isMuted)
      case .outputMuteChanged(let isMuted): .outputMuteChanged(isMuted: isMuted)
      case .remoteCommand(let command): .remoteCommand(command)
      }
  }

  /// The notification's name on the wire.
  public var name: String {
    if case .unknown(let name) = self { name } else { kind?.rawValue ?? "" }
  }

  /// The names on the wire.
  enum Kind: String, CaseIterable {
    case interruptionBegan, interruptionEnded, routeChanged, availableInputsChanged
    case mediaServicesWereLost, mediaServicesWereReset, silenceSecondaryAudioHint
    case didBecomeActive, didBecomeInactive, resumptionRecommendation, recordPermissionChanged
    case inputMuteChanged, outputMuteChanged, remoteCommand, requestAnswered
  }

  var kind: Kind? {
    switch self {
    case .interruptionBegan: .interruptionBegan
    case .interruptionEnded: .interruptionEnded
    case .routeChanged: .routeChanged
    case .availableInputsChanged: .availableInputsChanged
    case .mediaServicesWereLost: .mediaServicesWereLost
    case .mediaServicesWereReset: .mediaServicesWereReset
    case .silenceSecondaryAudioHint: .silenceSecondaryAudioHint
    case .didBecomeActive: .didBecomeActive
    case .didBecomeInactive: .didBecomeInactive
    case .resumptionRecommendation: .resumptionRecommendation
    case .recordPermissionChanged: .recordPermissionChanged
    case .inputMuteChanged: .inputMuteChanged
    case .outputMuteChanged: .outputMuteChanged
    case .remoteCommand: .remoteCommand
    case .requestAnswered: .requestAnswered
    case .unknown: nil
    }
  }
}
