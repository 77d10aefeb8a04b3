// SPDX-License-Identifier: MIT

extension Tower {
  /// Changes the facts by an event.
  mutating func take(_ kind: TowerEvent.Kind) {
    switch kind {
    case .sessionOpened(let request, let id, let description):
      open(id, description, request)
    case .request(let id, let session, let request):
      receive(request, id: id, from: session)
    case .permissionAnswered(let app, let permission):
      answer(permission, for: app)
    case .permissionReset(let app):
      answer(nil, for: app)
    case .remoteCommand(let command, let session):
      deliver(command, to: session)
    case .silentSwitchChanged(let isOn):
      state.isSilentSwitchOn = isOn
      needsLevels = true
    case .screenLockChanged(let isLocked):
      state.isScreenLocked = isLocked
      needsLevels = true
    case .microphoneMuteChanged(let isMuted):
      muteMicrophone(isMuted)
    case .simulatedInterruptionBegan(let priorityClass, let isRinging):
      beginSimulation(priorityClass, isRinging: isRinging)
    case .simulatedInterruptionEnded(let priorityClass, let shouldResume):
      endSimulation(priorityClass, shouldResume: shouldResume)
    case .callAnswered:
      answerCall()
    case .callDeclined:
      declineCall()
    case .foregroundChanged(let app):
      changeForeground(app)
    case .routeAppeared(let port):
      addPort(port)
    case .routeVanished(let uid):
      removePort(uid)
    case .routeRenamed(let uid, let port):
      renamePort(uid, to: port)
    case .hardwareChanged(let values, let byOthers):
      readBack(values, byOthers: byOthers)
    case .serverLost:
      loseServer()
    case .serverReset(let facts):
      resetServer(facts)
    case .configurationChanged(let configuration):
      state.configuration = configuration
      needsLevels = true
    case .sessionClosed(let id, _), .traitsChanged(let id, _), .ioStarted(let id),
      .ioStopped(let id), .audioLevelChanged(let id, _), .soundBegan(let id), .soundEnded(let id),
      .appBackgrounded(let id), .appForegrounded(let id), .playerResumed(let id):
      guard let index = state.index(of: id) else {
        log(.ses6, .ignored(what: "an event for session \(id), which does not exist"))
        return
      }
      take(kind, at: index)
    }
  }

  /// Changes the facts about one session.
  private mutating func take(_ kind: TowerEvent.Kind, at index: Int) {
    switch kind {
    case .sessionClosed(_, let cause):
      close(index, cause)
    case .traitsChanged(_, let traits):
      state.sessions[index].traits = traits
      reviewNowPlaying(index)
      reviewBackground(index)
      reroute(index, .routeConfigurationChange)
      needsLevels = true
    case .ioStarted:
      startIO(index)
    case .ioStopped:
      stopIO(index)
    case .audioLevelChanged(_, let isSilent):
      changeLevel(index, isSilent: isSilent)
    case .soundBegan:
      takeHold(index)
    case .soundEnded:
      letGo(index)
    case .appBackgrounded:
      leaveForeground(index)
    case .appForegrounded:
      returnToForeground(index)
    case .playerResumed:
      unpause(index)
    default:
      break
    }
  }

  /// Adds a line about a session to the log.
  mutating func log(_ rule: RuleID, _ kind: Decision.Kind, _ index: Int) {
    messages.append(
      .log(
        decision: Decision(
          rule: rule,
          kind: kind,
          session: state.sessions[index].id,
          app: state.sessions[index].app,
        )
      )
    )
  }

  /// Adds a line to the log that concerns no single session.
  mutating func log(_ rule: RuleID, _ kind: Decision.Kind) {
    messages.append(.log(decision: Decision(rule: rule, kind: kind, session: nil, app: nil)))
  }

  /// Notifies a session.
  mutating func notify(_ index: Int, _ notification: SessionNotification) {
    messages.append(.notify(session: state.sessions[index].id, notification: notification))
  }

  /// Answers a request.
  mutating func reply(_ request: RequestID, _ reply: Reply) {
    messages.append(.reply(request: request, reply: reply))
  }
}
