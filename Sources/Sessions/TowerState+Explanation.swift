// SPDX-License-Identifier: MIT

extension TowerState {
  /// Why a session is heard, low or silent, and what would change it; nil for unknown sessions.
  ///
  /// A session without output is explained by what it hears of its inputs.
  ///
  /// - Parameter id: The session.
  /// - Returns: The explanation, or nil.
  /// [any-thread]
  public func explanation(of id: SessionID) -> Explanation? {
    guard let index = index(of: id) else { return nil }
    let session = sessions[index]
    let who = session.app
    let category = session.configuration.category
    let isInputOnly = !category.hasOutput && category.hasInput
    guard let silence = isInputOnly ? captureSilence(index) : outputSilence(index) else {
      return heard(index)
    }
    if silence == .interrupted, let interruption = session.interruption {
      let names = interruption.interrupters.map(describe).joined(separator: " and ")
      return Explanation(
        level: .silent,
        sentence: "\(who) is silent because it is interrupted by \(names).",
        remedy: remedy(for: interruption),
        rule: interruption.rule,
        sessions: [id] + interruption.interrupters.compactMap(\.session),
      )
    }
    return Explanation(
      level: .silent,
      sentence: "\(who) is silent because \(silence.phrase).",
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
        remedy: "Check what \(session.app) plays, or deactivate it.",
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

  /// An interrupter by its program's name, and why it still counts when it is silent itself.
  private func describe(_ interrupter: Interrupter) -> String {
    guard case .session(let id) = interrupter, let other = session(id) else {
      return interrupter.phrase
    }
    let name = "\(other.app) (session \(id), class \(other.priorityClass.rawValue))"
    return other.isActive ? name : name + ", which has not given its place back yet"
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
    return "It is told that the interruption is over when "
      + steps.joined(separator: " and ") + "; it may also activate again by itself."
  }

  private func remedy(for silence: Silence, of session: Session) -> String {
    switch silence {
    case .serverLost: "Wait for the JACK server, then activate again."
    case .interrupted: "Wait for the end of the interruption, or activate again."
    case .inactive: "Activate \(session.app), or start to play."
    case .category: "Set a category with the direction wanted."
    case .silentSwitch: "Turn the silent switch off, or set category playback."
    case .screenLock: "Unlock the screen, or set category playback."
    case .paused: "Press play in \(session.app)."
    case .muted: "Unmute it in \(session.app)."
    case .noRoute: "Connect a device that fits category \(session.configuration.category.name)."
    case .permission: "Grant \(session.app) the permission to record."
    }
  }
}

extension Interrupter {
  /// The session that interrupts, nil when it is none.
  public var session: SessionID? {
    if case .session(let id) = self { id } else { nil }
  }
}
