// SPDX-License-Identifier: MIT

extension Tower {
  /// Interrupts everybody the session beats, now that it is active (rules ACT-2, ACT-4).
  mutating func interruptOthers(_ index: Int) {
    let interrupter = Interrupter.session(id: state.sessions[index].id)
    interruptAll(
      by: interrupter,
      { tower, other in
        other == index ? nil : tower.beats(index, other)
      }
    )
  }

  /// Interrupts every active session that `rule` has a rule for.
  ///
  /// Those interrupted already wait for the newcomer too, unless they wait for somebody who does:
  /// they are told the end when the last of all has ended.
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

  /// The rule by which an activation of one session interrupts another, nil when it does not.
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

  /// Interrupts an active session, or adds one more reason to wait to an interrupted one.
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

  /// Makes a session inactive and tells it (rule INT-1).
  mutating func beginInterruption(
    _ index: Int,
    by interrupters: [Interrupter],
    _ reason: InterruptionReason,
    _ rule: RuleID,
    wasPlaying: Bool,
  ) {
    let wasActive = state.sessions[index].isActive
    if !wasActive {
      // Who begins during an interruption came last, and comes back first.
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

  /// Takes one interrupter off everybody who waits for it, and ends what has none left.
  ///
  /// An interrupter that is interrupted itself leaves those who keep it from returning to those who
  /// waited for it. The highest class is told first, then who was active last: what an adopted one
  /// of them takes back at once, the others go on waiting for.
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

  /// Leaves those who keep a session from returning to everybody who waits for it.
  ///
  /// For when it returns all the same: what it waited for has not ended for the others.
  mutating func leaveInterrupters(of index: Int) {
    guard let interruption = state.sessions[index].interruption else { return }
    let interrupter = Interrupter.session(id: state.sessions[index].id)
    for waiting in state.sessions.indices
    where state.sessions[waiting].interruption?.interrupters.contains(interrupter) == true {
      leave(interruption.interrupters, to: waiting)
    }
  }

  /// Lets a session wait for others; for one that is no matter to it, those it waits for itself.
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

  /// Whether a session waits for somebody who kept its interrupter from returning.
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

  /// Tells a session that its interruption is over; an adopted client goes on where it should.
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
      // It does not come back by itself, so those waiting for it wait for nothing.
      release(.session(id: state.sessions[index].id), shouldResume: shouldResume)
    }
  }

  /// Lets an adopted client go on as its reactions say (rule INT-5), and says whether it does.
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
