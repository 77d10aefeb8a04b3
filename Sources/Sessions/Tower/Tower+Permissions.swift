// SPDX-License-Identifier: MIT

extension Tower {
  /// Answers whether the app may record; asks the user if there is no answer yet (rule PRM-1).
  mutating func requestPermission(_ id: RequestID, _ index: Int) {
    switch state.permission(of: state.sessions[index].app) {
    case .granted: reply(id, .recordPermission(isGranted: true))
    case .denied: reply(id, .recordPermission(isGranted: false))
    case .undetermined:
      let limit = state.configuration.waitingRequestLimit
      let session = state.sessions[index].id
      guard state.permissionQueue.count(where: { $0.session == session }) < limit else {
        refuse(id, SessionError(.isBusy, .tooManyWaiting(limit: limit), .prm1), index)
        return
      }
      state.permissionQueue.append(
        WaitingRequest(id: id, session: session, request: .requestRecordPermission)
      )
      askUser(index)
    }
  }

  /// Asks the user on the first use of an input (rule PRM-1).
  mutating func askOnFirstInput(_ index: Int) {
    if state.sessions[index].configuration.category.hasInput,
      state.permission(of: state.sessions[index].app) == .undetermined
    {
      askUser(index)
    }
  }

  private mutating func askUser(_ index: Int) {
    let app = state.sessions[index].app
    guard state.askedApps.insert(app).inserted else { return }
    log(.prm1, .permissionAsked, index)
    messages.append(.askPermission(session: state.sessions[index].id, app: app))
  }

  /// Stores an answer, or with nil withdraws one.
  ///
  /// Waiting requests are answered, and gates open or close at once.
  mutating func answer(_ answer: RecordPermission?, for app: String) {
    let previous = state.permission(of: app)
    state.permissions[app] = answer
    state.askedApps.remove(app)
    let permission = state.permission(of: app)
    needsLevels = true
    messages.append(
      .log(
        decision: Decision(
          rule: .prm1,
          kind: .permission(permission: permission),
          session: nil,
          app: app
        )
      )
    )
    for index in state.sessions.indices where state.sessions[index].app == app {
      if previous != permission {
        notify(index, .recordPermissionChanged(permission: permission))
      }
      let session = state.sessions[index].id
      for waiting in state.permissionQueue where waiting.session == session {
        reply(waiting.id, .recordPermission(isGranted: permission == .granted))
      }
      state.permissionQueue.removeAll { $0.session == session }
    }
  }
}
