// SPDX-License-Identifier: MIT

extension Tower {
  /// Begins a session (rule SES-1), where the configuration allows the class (rule ACT-4).
  mutating func open(_ id: SessionID, _ description: SessionDescription, _ request: RequestID?) {
    let allowed = state.configuration.priorityClasses[description.app] ?? .app
    var refusal: SessionError?
    if state.index(of: id) != nil {
      refusal = .value(
        "session id",
        given: id.description,
        allowed: "an id that is not in use",
        .ses1
      )
    } else if description.priorityClass.rank > allowed.rank {
      refusal = SessionError(
        .missingEntitlement,
        .priorityClass(requested: description.priorityClass, allowed: allowed),
        .act4,
      )
    }
    if let refusal {
      messages.append(
        .log(
          decision: Decision(
            rule: refusal.rule,
            kind: .refused(error: refusal),
            session: id,
            app: description.app
          )
        )
      )
      if let request { reply(request, .refused(error: refusal)) }
      return
    }
    var session = Session(id: id, description: description, timeNanoseconds: now)
    if description.preferences == nil, let kept = state.keptPreferences[description.app] {
      session.preferences = kept
    }
    session.isInBackground = state.isPushedBack(session)
    var index = state.sessions.count
    while index > 0, state.sessions[index - 1].id.rawValue > id.rawValue { index -= 1 }
    state.sessions.insert(session, at: index)
    state.sessions[index].route = chooseRoute(index)
    patching.append(.setRoute(session: id, route: state.sessions[index].route))
    log(.ses1, .opened, index)
    // It may ask at once whether other audio sounds.
    needsLevels = true
    if let request { reply(request, .done) }
  }

  /// Ends a session.
  ///
  /// The sessions that it interrupted may resume, however it ended (rule SES-6).
  mutating func close(_ index: Int, _ cause: TowerEvent.CloseCause) {
    let session = state.sessions[index]
    log(.ses6, .closed(cause: cause), index)
    silence(session)
    let gone = SessionError(.expiredSession, .noSession(id: session.id), .ses6)
    for waiting in session.waitingRequests { reply(waiting.id, .refused(error: gone)) }
    for waiting in state.permissionQueue where waiting.session == session.id {
      reply(waiting.id, .refused(error: gone))
    }
    state.permissionQueue.removeAll { $0.session == session.id }
    if session.preferences != HardwarePreferences() {
      state.keptPreferences[session.app] = session.preferences
    }
    state.sessions.remove(at: index)
    leavePlayers(session.id)
    release(
      .session(id: session.id),
      shouldResume: true,
      heirs: session.interruption?.interrupters ?? [],
    )
    needsLevels = true
    needsHardware = true
  }

  /// Starts I/O: activates the session when the app did not ask (rule SES-4).
  mutating func startIO(_ index: Int) {
    state.sessions[index].isRunningIO = true
    needsLevels = true
    if state.sessions[index].traits.playsSystemSounds { return }
    askOnFirstInput(index)
    if state.sessions[index].isActive {
      claimNowPlaying(index)
      return
    }
    // Nothing ends the interruption by a lost route, so an app that plays again ends it (rule RTE-3).
    let isHeld = state.sessions[index].interruption?.interrupters != [.routeDisconnect]
    if state.sessions[index].interruption != nil, isHeld || state.sessions[index].isAdopted {
      // An adopted client that starts during an interruption resumes afterwards; an app asks again by itself.
      if state.sessions[index].isAdopted { state.sessions[index].interruption?.wasPlaying = true }
      return
    }
    // It becomes active when it sounds.
    if !state.sessions[index].isPrompt { activateImplicitly(index) }
  }

  /// Stops I/O; an adopted client without I/O is deactivated.
  mutating func stopIO(_ index: Int) {
    state.sessions[index].isRunningIO = false
    state.sessions[index].isPaused = false
    needsLevels = true
    guard state.sessions[index].isAdopted else { return }
    state.sessions[index].interruption?.wasPlaying = false
    if state.sessions[index].isActive { deactivate(index, notifyOthers: true) }
  }
}
