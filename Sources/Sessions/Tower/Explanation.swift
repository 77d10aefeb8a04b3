// SPDX-License-Identifier: MIT

/// The reason for a session's level, and what would change it.
public struct Explanation: Hashable, Codable, Sendable {
  /// Whether the session is heard, and at which level.
  public enum Level: String, CaseIterable, Codable, WireNamed {
    /// Heard in full.
    case full
    /// Heard, but lowered.
    case low
    /// The session is silent.
    case silent
  }

  /// Whether the session is heard, and at which level.
  public let level: Level
  /// The reason, in a sentence.
  public let sentence: String
  /// An action that would change it, in a sentence; nil when the session is heard in full.
  public let remedy: String?
  /// The rule.
  public let rule: RuleID
  /// The sessions involved.
  public let sessions: [SessionID]
}

/// The reason for silence at a session's output or input: the first that applies.
public enum Silence: String, Codable, Sendable {
  /// The JACK server is gone.
  case serverLost
  /// The session is interrupted.
  case interrupted
  /// The session is not active.
  case inactive
  /// The category has no output, or no input.
  case category
  /// The silent switch is on.
  case silentSwitch
  /// The screen is locked.
  case screenLock
  /// An adopted player is paused.
  case paused
  /// The app muted it.
  case muted
  /// It is background music, and another app plays music.
  case otherMusic
  /// A port that fits the session is missing.
  case noRoute
  /// The program has no permission to record.
  case permission

  /// The rule behind it.
  public var rule: RuleID {
    switch self {
    case .serverLost: .rst1
    case .interrupted: .int1
    case .inactive: .act1
    case .category: .cat1
    case .silentSwitch, .screenLock: .sys1
    case .paused: .rte3
    case .muted: .ses3
    case .otherMusic: .sys6
    case .noRoute: .rte2
    case .permission: .prm1
    }
  }
}

extension TowerState {
  /// Why a session is heard, low or silent, and what would change it; nil for unknown sessions.
  ///
  /// For a session without output the explanation is about its inputs.
  ///
  /// - Parameter id: The session.
  /// - Returns: The explanation, or nil.
  public func explanation(of id: SessionID) -> Explanation? {
    guard let index = index(of: id) else { return nil }
    let session = sessions[index]
    let name = session.app
    let category = session.configuration.category
    let isInputOnly = !category.hasOutput && category.hasInput
    if session.isWaitingForSound {
      return Explanation(
        level: .silent,
        sentence: "\(name) is connected and silent; its session becomes active with its next "
          + "sound.",
        remedy: "Let \(name) play something.",
        rule: .act9,
        sessions: [id],
      )
    }
    guard let silence = isInputOnly ? captureSilence(index) : outputSilence(index) else {
      return heard(index)
    }
    if silence == .interrupted, let interruption = session.interruption {
      let names = interruption.interrupters.map(describe).joined(separator: " and ")
      return Explanation(
        level: .silent,
        sentence: "\(name) is silent because it is interrupted by \(names).",
        remedy: remedy(for: interruption),
        rule: interruption.rule,
        sessions: [id] + interruption.interrupters.compactMap(\.session),
      )
    }
    if silence == .inactive, session.isAdopted, !session.isRunningIO, !isInputOnly {
      return Explanation(
        level: .silent,
        sentence: "\(name) is silent because its outputs are connected to nothing.",
        remedy: "Connect it: multiroute connect \(name) ROUTE.",
        rule: .act8,
        sessions: [id],
      )
    }
    return Explanation(
      level: .silent,
      sentence: "\(name) is silent because \(silence.phrase).",
      remedy: remedy(for: silence, of: session),
      rule: silence.rule,
      sessions: [id],
    )
  }

  private func heard(_ index: Int) -> Explanation {
    let session = sessions[index]
    if session.duckGainDB != 0, let ducker = topDucker {
      let other = describe(.session(id: sessions[ducker].id))
      return Explanation(
        level: .low,
        sentence: "\(session.app) is lowered by \(-session.duckGainDB) dB because \(other) ducks "
          + "others.",
        remedy: "It is back in full when \(sessions[ducker].app) deactivates or ends.",
        rule: .act3,
        sessions: [session.id, sessions[ducker].id],
      )
    }
    guard session.isRunningIO else {
      return Explanation(
        level: .silent,
        sentence: "\(session.app) is active but its audio does not run.",
        remedy: "Start to play or record in \(session.app).",
        rule: .act8,
        sessions: [session.id],
      )
    }
    if session.silentSinceNanoseconds != nil {
      return Explanation(
        level: .silent,
        sentence: "\(session.app) is active but sends silence.",
        remedy: "Check what \(session.app) plays, or deactivate its session.",
        rule: .act8,
        sessions: [session.id],
      )
    }
    return Explanation(
      level: .full,
      sentence: "\(session.app) is heard in full.",
      remedy: nil,
      rule: .act1,
      sessions: [session.id],
    )
  }

  /// An interrupter by its program's name; says so when it still counts although it is inactive.
  private func describe(_ interrupter: Interrupter) -> String {
    guard case .session(let id) = interrupter, let other = session(id) else {
      return interrupter.phrase
    }
    let name = "\(other.app) (session \(id), class \(other.priorityClass.rawValue))"
    return other.isActive ? name : name + ", which is inactive and may still resume"
  }

  private func remedy(for interruption: Interruption) -> String {
    var steps: [String] = []
    for interrupter in interruption.interrupters {
      switch interrupter {
      case .session(let id): steps.append("\(session(id)?.app ?? "it") deactivates or ends")
      case .simulated(let priorityClass): steps.append("the \(priorityClass.rawValue) ends")
      case .background: steps.append("the app comes to the foreground")
      case .microphoneMute: steps.append("the microphone is unmuted")
      case .routeDisconnect: steps.append("the app activates again")
      }
    }
    return "The interruption ends when "
      + steps.joined(separator: " and ") + "; the app may also activate its session again."
  }

  private func remedy(for silence: Silence, of session: Session) -> String {
    switch silence {
    case .serverLost: "Wait for the JACK server, then activate again."
    case .interrupted: "Wait for the end of the interruption, or activate again."
    case .inactive: "Activate \(session.app), or start to play."
    case .category: "Set a category with this direction."
    case .silentSwitch: "Turn the silent switch off, or set category playback."
    case .screenLock: "Unlock the screen, or set category playback."
    case .paused: "Press play in \(session.app)."
    case .muted: "Unmute it in \(session.app)."
    case .otherMusic: "Pause or end the other music."
    case .noRoute: "Connect a device that fits category \(session.configuration.category.name)."
    case .permission: "Grant \(session.app) the permission to record."
    }
  }
}

extension Interrupter {
  /// The interrupting session; nil when the interrupter is not a session.
  public var session: SessionID? {
    if case .session(let id) = self { id } else { nil }
  }
}
