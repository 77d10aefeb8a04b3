// SPDX-License-Identifier: MIT

/// One decision of the tower: the rule, the decision, and the session.
public struct Decision: Hashable, Codable, Sendable {
  /// The kind of decision.
  public enum Kind: Hashable, Codable, Sendable {
    /// A session began.
    case opened
    /// A session ended.
    case closed(cause: TowerEvent.CloseCause)
    /// A session became active; implicitly when its I/O started without a request.
    case activated(isImplicit: Bool)
    /// A session became inactive because its app asked.
    case deactivated(notifiesOthers: Bool)
    /// A session that is active only while its client sounds has taken hold.
    case tookHold
    /// A session that is active only while its client sounds has let go.
    case letGo
    /// A session was interrupted, or has one more interrupter.
    case interrupted(by: Interrupter)
    /// A session's interruption is over.
    case interruptionEnded(shouldResume: Bool)
    /// An adopted client resumed after an interruption.
    case resumed
    /// An adopted client stays silent after an interruption.
    case staysInactive
    /// A session is lowered.
    case ducked(by: SessionID?)
    /// A session is back at its full level.
    case restored
    /// A session's gate opened.
    case gateOpened
    /// A session's gate closed.
    case gateClosed(cause: Silence)
    /// A session's primary audio sounds, or has been silent for a while.
    case primaryAudio(isSilent: Bool)
    /// A session may hear its inputs.
    case captureOpened
    /// A session hears silence instead of its inputs.
    case captureClosed(cause: Silence)
    /// A session's configuration changed.
    case configured(configuration: SessionConfiguration)
    /// A session's route changed.
    case routed(reason: RouteChangeReason)
    /// The user has picked an output for the program, or leaves it to the rules again.
    case outputChosen(portUID: String?)
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
    /// The user is asked about a program's permission.
    case permissionAsked
    /// A program's permission changed.
    case permission(permission: RecordPermission)
    /// Hardware values were chosen.
    case hardware(target: HardwareTarget)
    /// Another client changed the buffer and the host restores it.
    case hardwarePutBack(values: HardwareValues)
    /// Another client changed the buffer too often and the host gives way.
    case hardwareGivenUp(values: HardwareValues)
    /// A call rings, is answered, is declined or ends.
    case call(state: CallState)
    /// Another app is in the foreground, or all of them are.
    case foregroundChanged
    /// The JACK server died.
    case serverLost
    /// The JACK server is back.
    case serverReset
    /// An event names something that the tower does not know, and is ignored.
    case ignored(what: String)
  }

  /// The rule.
  public let rule: RuleID
  /// The kind of decision.
  public let kind: Kind
  /// The session it is about.
  public let session: SessionID?
  /// The program of that session.
  public let app: String?

  /// Every session involved: its own, and the one that caused the decision.
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

extension Decision: CustomStringConvertible {
  /// The decision in a sentence, without the rule.
  public var sentence: String {
    let subject = session.map { "session \($0) (\(app ?? "?"))" } ?? app ?? "the tower"
    switch kind {
    case .opened: return "\(subject) begins"
    case .closed(let cause): return "\(subject) ended: \(cause.rawValue)"
    case .activated(let isImplicit):
      return "\(subject) is active" + (isImplicit ? ", because its audio started" : "")
    case .deactivated(let notifies):
      return "\(subject) deactivated itself; others "
        + (notifies ? "may resume" : "are not asked to resume")
    case .tookHold: return "\(subject) takes hold, because it sounds"
    case .letGo: return "\(subject) lets go, because it is silent"
    case .interrupted(let interrupter): return "\(subject) is interrupted by \(interrupter.phrase)"
    case .interruptionEnded(let shouldResume):
      return "the interruption of \(subject) is over; it "
        + (shouldResume ? "should resume" : "should not resume by itself")
    case .resumed: return "\(subject) resumes after the interruption"
    case .staysInactive: return "\(subject) stays inactive after the interruption"
    case .ducked(let other):
      return "\(subject) is lowered" + (other.map { " by session \($0)" } ?? "")
    case .restored: return "\(subject) is at its full level again"
    case .gateOpened: return "\(subject) is heard"
    case .gateClosed(let cause): return "\(subject) is silent: \(cause.phrase)"
    case .primaryAudio(let isSilent):
      return "\(subject) " + (isSilent ? "sends silence, and is no other audio" : "sounds")
    case .captureOpened: return "\(subject) hears its inputs"
    case .captureClosed(let cause): return "\(subject) hears silence: \(cause.phrase)"
    case .configured(let configuration): return "\(subject) is now \(configuration.phrase)"
    case .routed(let reason): return "\(subject) has a new route: \(reason)"
    case .outputChosen(let uid):
      return uid.map { "\(subject) plays to \($0), as its user has picked" }
        ?? "\(subject) plays where the rules say, as its user wants"
    case .pausedByUnplug: return "\(subject) is paused because its output was unplugged"
    case .unpaused: return "\(subject) plays again"
    case .queued: return "a request of \(subject) waits for its return to the foreground"
    case .refused(let error): return "\(subject) is refused: \(error.message)"
    case .commandHeld: return "a command for \(subject) waits for the end of its interruption"
    case .commandDelivered: return "\(subject) gets a remote-control command"
    case .permissionAsked: return "the user is asked whether \(subject) may record"
    case .permission(let permission): return "\(subject): permission to record is \(permission)"
    case .hardware(let target): return "the hardware should run at \(target.values.phrase)"
    case .hardwarePutBack(let values):
      return "another client changed the hardware; the host restores \(values.phrase)"
    case .hardwareGivenUp(let values):
      return "another client keeps changing the hardware; it stays at \(values.phrase)"
    case .call(let state): return state.sentence
    case .foregroundChanged:
      return app.map { "\($0) is in the foreground; the other apps are in the background" }
        ?? "every app is in the foreground"
    case .serverLost: return "the JACK server is gone; every session is reset"
    case .serverReset: return "the JACK server is back; apps set up their sessions again"
    case .ignored(let what): return "ignored: \(what)"
    }
  }

  /// The rule and the sentence: one line of the log.
  public var description: String { "\(rule.rawValue) \(sentence)" }
}

extension CallState {
  /// The state as a sentence.
  fileprivate var sentence: String {
    switch self {
    case .ringing: "a call rings"
    case .answered: "the call is answered"
    case .declined: "the call is declined"
    case .ended: "the call is over"
    }
  }
}

extension Interrupter {
  /// The interrupter as a part of a sentence.
  var phrase: String {
    switch self {
    case .session(let id): "session \(id)"
    case .simulated(let priorityClass): "a simulated \(priorityClass.rawValue)"
    case .background: "being in the background"
    case .microphoneMute: "the muted microphone"
    case .routeDisconnect: "the loss of its route"
    }
  }
}

extension Silence {
  /// The cause as a part of a sentence.
  var phrase: String {
    switch self {
    case .serverLost: "the JACK server is gone"
    case .interrupted: "it is interrupted"
    case .inactive: "it is not active"
    case .category: "its category has no such direction"
    case .silentSwitch: "the silent switch is on"
    case .screenLock: "the screen is locked"
    case .paused: "it is paused"
    case .muted: "its app muted it"
    case .otherMusic: "it is background music, and another app plays music"
    case .noRoute: "no port that fits is connected"
    case .permission: "it has no permission to record"
    }
  }
}

extension SessionConfiguration {
  /// The configuration as a part of a sentence.
  var phrase: String {
    var phrase = category.name
    if mode != .default { phrase += ", mode \(mode.name)" }
    if !options.isEmpty { phrase += ", " + options.names.joined(separator: " + ") }
    return phrase
  }
}

extension HardwareValues {
  /// The values as a part of a sentence.
  var phrase: String { "\(sampleRateHz) Hz, \(bufferFrames) frames" }
}
