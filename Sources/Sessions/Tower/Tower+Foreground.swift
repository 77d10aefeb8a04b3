// SPDX-License-Identifier: MIT

extension Tower {
  /// Brings one app to the foreground and pushes the others back; nil brings all of them back (rule SYS-5).
  mutating func changeForeground(_ app: String?) {
    state.foreground = app.map { .app(name: $0) } ?? .unknown
    messages.append(
      .log(
        decision: Decision(rule: .sys5, kind: .foregroundChanged, session: nil, app: app)
      )
    )
    // Pushed back first, so that the app that comes finds the others silent already.
    for index in state.sessions.indices where state.isPushedBack(state.sessions[index]) {
      guard !state.sessions[index].isInBackground else { continue }
      state.sessions[index].isInBackground = true
      reviewBackground(index)
    }
    for index in state.sessions.indices where !state.isPushedBack(state.sessions[index]) {
      if state.sessions[index].isInBackground { returnToForeground(index) }
    }
  }

  /// Sends one app's session to the background.
  mutating func leaveForeground(_ index: Int) {
    if state.foreground == .app(name: state.sessions[index].app) { state.foreground = .none }
    state.sessions[index].isInBackground = true
    reviewBackground(index)
  }

  /// Whether the app is in the background and may not sound there (rule SYS-1).
  func isBarred(_ index: Int) -> Bool {
    let traits = state.sessions[index].traits
    return state.sessions[index].isInBackground && state.sessions[index].priorityClass == .app
      && (traits.suspendsInBackground || !traits.hasBackgroundAudio
        || !state.sessions[index].configuration.category.canRunInBackground)
  }

  /// Interrupts a session that may not sound in the background, or ends that interruption.
  mutating func reviewBackground(_ index: Int) {
    if isBarred(index) {
      interrupt(index, by: .background, .appWasSuspended, .sys1)
    } else {
      release(.background, shouldResume: true, only: index)
    }
  }

  /// An app is back: it is notified, then its requests are carried out in their order (rules SYS-2, SYS-5).
  mutating func returnToForeground(_ index: Int) {
    state.sessions[index].isInBackground = false
    reviewBackground(index)
    let waiting = state.sessions[index].waitingRequests
    state.sessions[index].waitingRequests = []
    for request in waiting { answer(request.request, id: request.id, index) }
    // An adopted client that was refused in the background cannot ask again.
    let session = state.sessions[index]
    if session.isAdopted, !session.isPrompt, session.isRunningIO, !session.isActive,
      session.interruption == nil
    {
      activateImplicitly(index)
    }
  }

  /// The rule by which a request waits for the app's return to the foreground; nil when it is answered now.
  ///
  /// Requests of suspended apps wait (SYS-2), and those of apps whose category ends in the background (SYS-5). An app that
  /// may sound there can still choose a category that goes on there; it would wait forever otherwise.
  func waitingRule(_ request: SessionRequest, _ index: Int) -> RuleID? {
    let session = state.sessions[index]
    guard session.isInBackground else { return nil }
    // A pick of the user waits for no app (rule VOL-4).
    if case .chooseOutput = request { return nil }
    if session.traits.suspendsInBackground { return .sys2 }
    guard session.priorityClass == .app, !session.configuration.category.canRunInBackground else {
      return nil
    }
    let goesOn =
      session.traits.hasBackgroundAudio && session.waitingRequests.isEmpty
      && request.category?.canRunInBackground == true
    return goesOn ? nil : .sys5
  }
}

extension TowerState {
  /// Whether another app is in the foreground; sessions of the host itself are always there.
  func isPushedBack(_ session: Session) -> Bool {
    if session.traits.isAlwaysInForeground { return false }
    switch foreground {
    case .unknown: return false
    case .app(let name): return session.app != name
    case .none: return true
    }
  }
}

extension SessionRequest {
  /// The category that the request sets; nil for other requests.
  fileprivate var category: Category? {
    switch self {
    case .setCategory(let category, _), .configure(let category, _, _, _): category
    default: nil
    }
  }
}
