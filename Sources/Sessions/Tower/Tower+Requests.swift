// SPDX-License-Identifier: MIT

extension Tower {
  /// Receives a request and answers it exactly once, now or later.
  mutating func receive(_ request: SessionRequest, id: RequestID, from session: SessionID) {
    guard let index = state.index(of: session) else {
      let gone = SessionError(.expiredSession, .noSession(id: session), .ses6)
      let decision = Decision(
        rule: .ses6,
        kind: .refused(error: gone),
        session: session,
        app: nil
      )
      messages.append(.log(decision: decision))
      reply(id, .refused(error: gone))
      return
    }
    if let rule = waitingRule(request, index) {
      queue(request, id: id, index, rule)
      return
    }
    answer(request, id: id, index)
  }

  /// Keeps a request until the app's return to the foreground (rules SYS-2, SYS-5).
  private mutating func queue(
    _ request: SessionRequest,
    id: RequestID,
    _ index: Int,
    _ rule: RuleID,
  ) {
    let limit = state.configuration.waitingRequestLimit
    guard state.sessions[index].waitingRequests.count < limit else {
      refuse(id, SessionError(.isBusy, .tooManyWaiting(limit: limit), rule), index)
      return
    }
    state.sessions[index].waitingRequests.append(
      WaitingRequest(id: id, session: state.sessions[index].id, request: request)
    )
    log(rule, .queued, index)
  }

  /// Carries a request out and answers it; only a request for permission may be answered later.
  mutating func answer(_ request: SessionRequest, id: RequestID, _ index: Int) {
    if case .requestRecordPermission = request {
      requestPermission(id, index)
      return
    }
    do throws(SessionError) {
      try perform(request, index)
      reply(id, .done)
    } catch {
      refuse(id, error, index)
    }
  }

  /// Refuses a request, with a line in the log.
  mutating func refuse(_ id: RequestID, _ error: SessionError, _ index: Int) {
    log(error.rule, .refused(error: error), index)
    reply(id, .refused(error: error))
  }

  private mutating func perform(
    _ request: SessionRequest,
    _ index: Int
  ) throws(SessionError) {
    switch request {
    case .setCategory, .configure, .setMode:
      try configure(request, index)
    case .prefer(let change):
      try prefer(change, index)
    case .activate:
      try activate(index)
    case .deactivate(let notifyOthers):
      try requestDeactivation(index, notifyOthers: notifyOthers)
    case .overrideOutput(let port):
      try overrideOutput(port, index)
    case .setPreferredInput(let uid):
      try setPreferredInput(uid, index)
    case .chooseOutput(let uid):
      try chooseOutput(uid, index)
    case .setDataSource(let uid, let dataSource, let polarPattern):
      try setDataSource(uid, dataSource, polarPattern, index)
    case .setInputMuted(let isMuted):
      guard state.sessions[index].isInputMuted != isMuted else { return }
      state.sessions[index].isInputMuted = isMuted
      notify(index, .inputMuteChanged(isMuted: isMuted))
      needsLevels = true
    case .setOutputMuted(let isMuted):
      try setOutputMuted(isMuted, index)
    case .setTakesRemoteCommands(let isOn):
      state.sessions[index].traits.takesRemoteCommands = isOn
      reviewNowPlaying(index)
    case .setPrefersInterruptionOnRouteDisconnect(let isOn):
      state.sessions[index].traits.prefersInterruptionOnRouteDisconnect = isOn
    case .setPrefersNoInterruptionsFromSystemAlerts(let isOn):
      state.sessions[index].traits.prefersNoInterruptionsFromSystemAlerts = isOn
    case .requestRecordPermission:
      break
    }
  }

  private mutating func setOutputMuted(_ isMuted: Bool, _ index: Int) throws(SessionError) {
    let configuration = state.sessions[index].configuration
    if isMuted, configuration.category == .playAndRecord, configuration.mode != .default {
      throw .value(
        "outputMuted with playAndRecord in mode \(configuration.mode.name)",
        given: "true",
        allowed: "mode default",
        .ses3,
      )
    }
    guard state.sessions[index].isOutputMuted != isMuted else { return }
    state.sessions[index].isOutputMuted = isMuted
    notify(index, .outputMuteChanged(isMuted: isMuted))
    needsLevels = true
  }
}
