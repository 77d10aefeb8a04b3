// SPDX-License-Identifier: MIT

/// Something that happened: the only input of the tower.
///
/// Pure value: [any-thread].
public struct TowerEvent: Hashable, Codable, Sendable {
  /// When, on any monotonic clock.
  ///
  /// The time of the event; the tower itself has no clock.
  public var timeNanoseconds: UInt64
  /// The kind of event.
  public var kind: Kind

  /// Makes an event.
  ///
  /// - Parameters:
  ///   - timeNanoseconds: When, on any monotonic clock.
  ///   - kind: The kind of event.
  public init(timeNanoseconds: UInt64, _ kind: Kind) {
    self.timeNanoseconds = timeNanoseconds
    self.kind = kind
  }

  /// Why a session ended.
  public enum CloseCause: String, Codable, Sendable {
    /// The app closed it.
    case closed
    /// The app's process died, or the adopted client's JACK client vanished.
    case died
  }

  /// The kinds of events.
  public enum Kind: Hashable, Codable, Sendable {
    /// A program got a session, or a JACK client was adopted.
    case sessionOpened(request: RequestID?, session: SessionID, description: SessionDescription)
    /// A session ended.
    case sessionClosed(session: SessionID, cause: CloseCause)
    /// An app made a request.
    case request(id: RequestID, session: SessionID, request: SessionRequest)
    /// The host learned something about an app.
    case traitsChanged(session: SessionID, traits: SessionTraits)
    /// An app's I/O started; for an adopted client: its ports are connected.
    case ioStarted(session: SessionID)
    /// An app's I/O stopped.
    case ioStopped(session: SessionID)
    /// An app's signal fell silent, or came back (rule ACT-8).
    case audioLevelChanged(session: SessionID, isSilent: Bool)
    /// An adopted client sounds, whose session waits for that (rule ACT-9).
    case soundBegan(session: SessionID)
    /// An adopted client has been silent for longer than the pauses of speech (rule ACT-9).
    case soundEnded(session: SessionID)
    /// An app went to the background.
    case appBackgrounded(session: SessionID)
    /// An app came to the foreground.
    case appForegrounded(session: SessionID)
    /// One app came to the foreground and pushed the others back; nil brings all of them back (rule SYS-5).
    case foregroundChanged(app: String?)
    /// A paused adopted player plays again.
    case playerResumed(session: SessionID)
    /// The silent switch.
    case silentSwitchChanged(isOn: Bool)
    /// The screen lock.
    case screenLockChanged(isLocked: Bool)
    /// The built-in microphone's mute switch.
    case microphoneMuteChanged(isMuted: Bool)
    /// A simulated interruption begins; a ringing one does not interrupt sessions that prefer so.
    case simulatedInterruptionBegan(class: PriorityClass, isRinging: Bool)
    /// A simulated interruption ends.
    case simulatedInterruptionEnded(class: PriorityClass, shouldResume: Bool)
    /// The user answers the call that rings (rule INT-8).
    case callAnswered
    /// The user declines the call that rings, or it stops ringing (rule INT-8).
    case callDeclined
    /// A route's JACK ports appeared.
    case routeAppeared(port: PortDescription)
    /// A route's JACK ports vanished.
    case routeVanished(uid: String)
    /// A route got another name, with its ports as they are.
    case routeRenamed(uid: String, port: PortDescription)
    /// The user answered, or `multiroute permission` changed a grant.
    case permissionAnswered(app: String, permission: RecordPermission)
    /// The user withdrew an answer: the configured permission counts again.
    case permissionReset(app: String)
    /// A media key; without a session it reaches the one that is now playing.
    case remoteCommand(command: RemoteCommand, session: SessionID?)
    /// The actual hardware values, read back or changed by another JACK client.
    case hardwareChanged(values: HardwareValues, byOthers: Bool)
    /// The JACK server died.
    case serverLost
    /// The JACK server is back.
    case serverReset(facts: HardwareFacts)
    /// The graph file was loaded again.
    case configurationChanged(configuration: TowerConfiguration)
  }
}
