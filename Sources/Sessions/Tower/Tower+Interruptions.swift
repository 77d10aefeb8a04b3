// SPDX-License-Identifier: MIT

extension Tower {
  /// Interrupts the sessions over which this active one has priority (rules ACT-2, ACT-4).
  mutating func interruptOthers(_ index: Int) {
    let interrupter = Interrupter.session(id: state.sessions[index].id)
    interruptAll(
      by: interrupter,
      { tower, other in
        other == index ? nil : tower.beats(index, other)
      }
    )
  }

  /// Interrupts every active session for which `rule` gives a rule.
  ///
  /// Sessions that are interrupted already wait for the newcomer too, unless one of their interrupters does. They are
  /// notified of the end when the last interrupter has ended.
  mutating func interruptAll(
    by interrupter: Interrupter,
    _ rule: (Tower, Int) -> RuleID?
  ) {
    var waiting: Set<SessionID> = []
    for index in state.sessions.indices where state.sessions[index].isActive {
      guard let rule = rule(self, index) else { continue }
      interrupt(index, by: interrupter, .default, rule)
      waiting.insert(state.sessions[index].id)
    }
    for index in state.sessions.indices.reversed() {
      guard let interruption = state.sessions[index].interruption,
        !waiting.contains(state.sessions[index].id), let rule = rule(self, index)
      else { continue }
      let isBehindOne = interruption.interrupters.contains {
        $0.session.map(waiting.contains) ?? false
      }
      if !isBehindOne { interrupt(index, by: interrupter, .default, rule) }
      waiting.insert(state.sessions[index].id)
    }
  }

  /// The rule by which an activation of one session interrupts another; nil when it does not.
  func beats(_ index: Int, _ other: Int) -> RuleID? {
    let rank = state.sessions[index].priorityClass.rank
    let otherRank = state.sessions[other].priorityClass.rank
    if otherRank > rank { return nil }
    if state.sessions[index].isExclusive {
      if otherRank < rank { return .act4 }
      return state.sessions[other].isExclusive ? .act2 : nil
    }
    let speaks = state.sessions[other].configuration.mode == .spokenAudio
    return speaks && state.sessions[index].configuration.interruptsSpokenAudio ? .act2 : nil
  }

  /// Interrupts an active session, or adds an interrupter to an interrupted one.
  mutating func interrupt(
    _ index: Int,
    by interrupter: Interrupter,
    _ reason: InterruptionReason,
    _ rule: RuleID
  ) {
    if state.sessions[index].isActive {
      let wasPlaying = state.sessions[index].isRunningIO && !state.sessions[index].isPaused
      beginInterruption(index, by: [interrupter], reason, rule, wasPlaying: wasPlaying)
    } else if let interruption = state.sessions[index].interruption,
      !interruption.interrupters.contains(interrupter)
    {
      state.sessions[index].interruption?.interrupters.append(interrupter)
      log(rule, .interrupted(by: interrupter), index)
    }
  }

  /// Makes a session inactive and notifies it (rule INT-1).
  mutating func beginInterruption(
    _ index: Int,
    by interrupters: [Interrupter],
    _ reason: InterruptionReason,
    _ rule: RuleID,
    wasPlaying: Bool,
  ) {
    let wasActive = state.sessions[index].isActive
    if !wasActive {
      // A session that starts during an interruption counts as the latest, and resumes first.
      state.activations += 1
      state.sessions[index].activationOrder = state.activations
    }
    state.sessions[index].isActive = false
    state.sessions[index].changedAtNanoseconds = now
    state.sessions[index].interruption = Interruption(
      interrupters: interrupters,
      reason: reason,
      sinceNanoseconds: now,
      rule: rule,
      wasPlaying: wasPlaying,
      allowsResume: true,
      heldCommands: [],
    )
    for interrupter in interrupters { log(rule, .interrupted(by: interrupter), index) }
    notify(
      index,
      .interruptionBegan(reason: reason, wasSuspended: reason == .appWasSuspended)
    )
    if wasActive { notify(index, .didBecomeInactive(interruption: reason)) }
    if state.sessions[index].isAdopted, wasPlaying {
      opening.append(.pausePlayer(session: state.sessions[index].id))
    }
    if state.sessions[index].override != .none {
      state.sessions[index].override = .none
      reroute(index, .override)
    }
    needsLevels = true
    needsHardware = true
  }

  /// Removes an interrupter from all interruptions, and ends those without interrupters.
  ///
  /// When the interrupter was interrupted itself, its own interrupters (`heirs`) pass to the sessions that waited for it.
  /// The highest class is notified first, then the session that was active last. An adopted client among them may
  /// become active at once and interrupt the others again.
  mutating func release(
    _ interrupter: Interrupter,
    shouldResume: Bool,
    heirs: [Interrupter] = [],
    only index: Int? = nil,
  ) {
    var freed: [(id: SessionID, rank: Int, order: UInt64)] = []
    for waiting in state.sessions.indices where index == nil || index == waiting {
      guard let interruption = state.sessions[waiting].interruption,
        let place = interruption.interrupters.firstIndex(of: interrupter)
      else { continue }
      state.sessions[waiting].interruption?.interrupters.remove(at: place)
      leave(heirs, to: waiting)
      if !shouldResume { state.sessions[waiting].interruption?.allowsResume = false }
      if state.sessions[waiting].interruption?.interrupters.isEmpty == true {
        let session = state.sessions[waiting].id
        let rank = state.sessions[waiting].priorityClass.rank
        freed.append((session, rank, state.sessions[waiting].activationOrder))
      }
    }
    if freed.count > 1 { freed.sort { ($0.rank, $0.order) > ($1.rank, $1.order) } }
    for (id, _, _) in freed {
      // Ending one can end others, or interrupt them again.
      guard let index = state.index(of: id), let interruption = state.sessions[index].interruption,
        interruption.interrupters.isEmpty
      else { continue }
      endInterruption(index, interruption)
    }
  }

  /// Passes the interrupters of a session to the sessions that wait for it.
  ///
  /// This is for a session that becomes active although its interrupters have not ended: for the others they still count.
  mutating func leaveInterrupters(of index: Int) {
    guard let interruption = state.sessions[index].interruption else { return }
    let interrupter = Interrupter.session(id: state.sessions[index].id)
    for waiting in state.sessions.indices
    where state.sessions[waiting].interruption?.interrupters.contains(interrupter) == true {
      leave(interruption.interrupters, to: waiting)
    }
  }

  /// Adds interrupters to a session; in place of one without priority over it, that one's own interrupters.
  private mutating func leave(_ heirs: [Interrupter], to index: Int) {
    var heirs = heirs
    var next = 0
    while next < heirs.count {
      let heir = heirs[next]
      next += 1
      if inherits(index, heir) {
        state.sessions[index].interruption?.interrupters.append(heir)
      } else if let other = heir.session.flatMap({ state.index(of: $0) }),
        let behind = state.sessions[other].interruption?.interrupters
      {
        for heir in behind where !heirs.contains(heir) { heirs.append(heir) }
      }
    }
  }

  /// Whether an interrupter of a session's interrupter also interrupts the session itself.
  private func inherits(_ index: Int, _ heir: Interrupter) -> Bool {
    if state.sessions[index].interruption?.interrupters.contains(heir) == true { return false }
    switch heir {
    case .session(let id):
      guard let other = state.index(of: id), other != index else { return false }
      return beats(other, index) != nil
    case .simulated(let priorityClass):
      return isBeaten(index, by: priorityClass)
    case .background, .microphoneMute, .routeDisconnect:
      return false
    }
  }

  /// Notifies a session that its interruption is over; an adopted client resumes if it should.
  private mutating func endInterruption(_ index: Int, _ interruption: Interruption) {
    let shouldResume = interruption.allowsResume
    state.sessions[index].interruption = nil
    state.sessions[index].changedAtNanoseconds = now
    needsLevels = true
    log(.act6, .interruptionEnded(shouldResume: shouldResume), index)
    notify(
      index,
      .interruptionEnded(
        shouldResume: shouldResume,
        heldCommands: interruption.heldCommands
      )
    )
    notify(index, .resumptionRecommendation(shouldResume: shouldResume))
    let isPaused = interruption.heldCommands.leavePaused
    let goesOn =
      state.sessions[index].isAdopted
      ? resumeAdopted(index, interruption, isPaused: isPaused) : shouldResume && !isPaused
    if !goesOn {
      // It does not become active again by itself, so no other session may wait for it.
      release(.session(id: state.sessions[index].id), shouldResume: shouldResume)
    }
  }

  /// Resumes an adopted client if its reactions say so (rule INT-5); returns whether it did.
  private mutating func resumeAdopted(
    _ index: Int,
    _ interruption: Interruption,
    isPaused: Bool
  ) -> Bool {
    let wants =
      switch state.sessions[index].traits.reactions.interruptionEnd {
      case .resume: true
      case .resumeIfPlaying: interruption.wasPlaying && interruption.allowsResume
      case .stayInactive, .ignore: false
      }
    for command in interruption.heldCommands where !command.isTransport {
      messages.append(.commandPlayer(session: state.sessions[index].id, command: command))
    }
    guard wants, !isPaused, state.sessions[index].isRunningIO,
      refusal(index, state.sessions[index].configuration) == nil
    else {
      log(isPaused ? .int4 : .int5, .staysInactive, index)
      return false
    }
    log(.int5, .resumed, index)
    becomeActive(index, isImplicit: true)
    if interruption.wasPlaying {
      opening.append(.resumePlayer(session: state.sessions[index].id))
    }
    return true
  }
}
