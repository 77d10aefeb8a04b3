// SPDX-License-Identifier: MIT

/// One decision of the tower: what, by which rule, about whom.
public struct Decision: Hashable, Codable, Sendable {
  /// What was decided.
  public enum Kind: Hashable, Codable, Sendable {
    /// A session began.
    case opened
    /// A session ended.
    case closed(cause: TowerEvent.CloseCause)
    /// A session became active; implicitly when its I/O started without being asked.
    case activated(isImplicit: Bool)
    /// A session became inactive because its app asked.
    case deactivated(notifiesOthers: Bool)
    /// A session was interrupted, or one more reason keeps it so.
    case interrupted(by: Interrupter)
    /// A session's interruption is over.
    case interruptionEnded(shouldResume: Bool)
    /// An adopted client goes on after an interruption.
    case resumed
    /// An adopted client stays silent after an interruption.
    case staysInactive
    /// A session is lowered.
    case ducked(by: SessionID?)
    /// A session is not lowered any more.
    case restored
    /// A session's gate opened.
    case gateOpened
    /// A session's gate closed.
    case gateClosed(cause: Silence)
    /// A session may hear its inputs.
    case captureOpened
    /// A session hears silence instead of its inputs.
    case captureClosed(cause: Silence)
    /// A session's configuration changed.
    case configured(configuration: SessionConfiguration)
    /// A session's route changed.
    case routed(reason: RouteChangeReason)
    /// An adopted player was paused because its device went away.
    case pausedByUnplug
    /// An adopted player plays again.
    case unpaused
    /// A request waits for the app's return to the foreground.
    case queued
    /// A request was refused.
    case refused(error: SessionError)
    /// A remote-control command was kept for the end of an interruption.
    case commandHeld
    /// A remote-control command was delivered.
    case commandDelivered
    /// A program's permission is asked for.
    case permissionAsked
    /// A program's permission is decided.
    case permission(permission: RecordPermission)
    /// Hardware values were chosen.
    case hardware(target: HardwareTarget)
    /// Another client changed the buffer and the host puts it back.
    case hardwarePutBack(values: HardwareValues)
    /// Another client changed the buffer too often and the host gives in.
    case hardwareGivenUp(values: HardwareValues)
    /// The JACK server died.
    case serverLost
    /// The JACK server is back.
    case serverReset
    /// An event fits nothing the tower knows, and is left out.
    case ignored(what: String)
  }

  /// The rule.
  public let rule: RuleID
  /// What was decided.
  public let kind: Kind
  /// The session it is about.
  public let session: SessionID?
  /// The program of that session.
  public let app: String?

  /// Every session involved: the one it is about, and the one that caused it.
  public var sessions: [SessionID] {
    var involved = session.map { [$0] } ?? []
    switch kind {
    case .interrupted(.session(let other)), .ducked(.some(let other)): involved.append(other)
    case .hardware(let target):
      for owner in [target.sampleRateOwner, target.bufferOwner] {
        if let owner, !involved.contains(owner) { involved.append(owner) }
      }
    default: break
    }
    return involved
  }
}
