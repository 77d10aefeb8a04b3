// SPDX-License-Identifier: MIT

import Sessions

/// The invariants of docs/sessions.md, which hold after every event.
///
/// It keeps a picture of the engine made from the effects alone, as the host has it, and compares it with the state.
struct Invariants {
  /// The state of one session according to the effects.
  struct Picture {
    var isGateOpen = false
    var isCaptureOpen = false
    var duckGainDB = 0.0
    var isInterrupted = false
    var route = RouteDescription()
    /// The combination that was found valid last.
    var valid = SessionConfiguration()
  }

  /// By session id: the random events use small ones.
  private var pictures = [Picture](repeating: Picture(), count: 8)
  /// Accepted simulated interruptions by class, from the events alone.
  private var simulated: [PriorityClass] = []
  /// Whether a call rings that is not answered yet, from the events alone.
  private var isCallRinging = false
  /// Whether the silent switch or the lock is on, from the events alone.
  private var isSwitchOn = false
  private var isLocked = false
  /// The sessions that the last event notified of an end.
  private var ended: [SessionID] = []
  /// By request id, whether it is made and answered.
  private var requests: [Answer] = []
  /// The number of requests that are not answered yet.
  private var owed = 0

  private enum Answer {
    case notAsked
    case owed
    case given
  }

  /// A session's state before a request, to check that a refusal leaves it.
  struct Standing: Equatable {
    var configuration: SessionConfiguration
    var preferences: HardwarePreferences
    var isActive: Bool

    init?(_ event: TowerEvent, _ state: TowerState) {
      guard case .request(_, let id, _) = event.kind, let session = state.session(id) else {
        return nil
      }
      configuration = session.configuration
      preferences = session.preferences
      isActive = session.isActive
    }
  }

  /// Checks one step; returns the invariant that does not hold.
  mutating func check(
    _ event: TowerEvent,
    _ effects: [TowerEffect],
    before: Standing?,
    _ state: TowerState
  ) -> String? {
    forgetClosed(event, state)
    ended.removeAll(keepingCapacity: true)
    switch event.kind {
    case .request(let id, _, _): ask(id)
    case .sessionOpened(.some(let id), _, _): ask(id)
    case .serverLost: for id in pictures.indices { pictures[id].isInterrupted = false }
    case .silentSwitchChanged(let isOn): isSwitchOn = isOn
    case .screenLockChanged(let isOn): isLocked = isOn
    case .simulatedInterruptionBegan(let priorityClass, isRinging: false):
      if priorityClass != .app, !simulated.contains(priorityClass) {
        simulated.append(priorityClass)
      }
      if priorityClass == .phone { isCallRinging = false }
    case .simulatedInterruptionBegan(.phone, isRinging: true):
      if !simulated.contains(.phone) { isCallRinging = true }
    case .simulatedInterruptionEnded(let priorityClass, _):
      simulated.removeAll { $0 == priorityClass }
      if priorityClass == .phone { isCallRinging = false }
    case .callAnswered:
      if isCallRinging { simulated.append(.phone) }
      isCallRinging = false
    case .callDeclined: isCallRinging = false
    default: break
    }
    for effect in effects {
      if let violation = picture(effect, event, before, state) { return violation }
    }
    return checkTogether(state) ?? checkEach(state) ?? checkAnswers(state)
  }

  /// Checks that no answer is missing when every session is closed.
  func checkEnd() -> String? {
    owed == 0 ? nil : "each request is answered exactly once: some are not"
  }

  private mutating func ask(_ id: RequestID) {
    while requests.count <= id.number { requests.append(.notAsked) }
    requests[id.number] = .owed
    owed += 1
  }

  private mutating func forgetClosed(_ event: TowerEvent, _ state: TowerState) {
    if case .sessionClosed(let id, _) = event.kind { pictures[id.number] = Picture() }
    if case .serverLost = event.kind {
      for id in pictures.indices where state.session(SessionID(rawValue: UInt32(id))) == nil {
        pictures[id] = Picture()
      }
    }
  }

  private mutating func picture(
    _ effect: TowerEffect,
    _ event: TowerEvent,
    _ before: Standing?,
    _ state: TowerState
  ) -> String? {
    switch effect {
    case .setGate(let id, let isOpen, _):
      guard state.index(of: id) != nil else { return isOpen ? "a gate without session" : nil }
      pictures[id.number].isGateOpen = isOpen
    case .setCapture(let id, let isOpen, _):
      guard state.index(of: id) != nil else { return isOpen ? "a capture without session" : nil }
      pictures[id.number].isCaptureOpen = isOpen
    case .setDuck(let id, let gainDB, _):
      pictures[id.number].duckGainDB = gainDB
    case .setRoute(let id, let route):
      guard state.index(of: id) != nil else { return nil }
      pictures[id.number].route = route
    case .notify(let id, .interruptionBegan):
      if pictures[id.number].isInterrupted { return "began twice without an end" }
      pictures[id.number].isInterrupted = true
    case .notify(let id, .interruptionEnded):
      if !pictures[id.number].isInterrupted { return "an end without a begin" }
      pictures[id.number].isInterrupted = false
      ended.append(id)
    case .notify(let id, .didBecomeActive):
      pictures[id.number].isInterrupted = false
      // Requests that waited in the background are carried out one after the other: a later one may begin what an
      // earlier one has ended.
      switch event.kind {
      case .appForegrounded, .foregroundChanged: ended.removeAll(keepingCapacity: true)
      default: break
      }
    case .reply(let id, let reply):
      guard id.number < requests.count, requests[id.number] == .owed else {
        return "each request is answered exactly once"
      }
      requests[id.number] = .given
      owed -= 1
      if case .refused(let error) = reply, error.code != .isBusy, let before,
        case .request(id, _, _) = event.kind, Standing(event, state) != before
      {
        return "a refusal changes nothing"
      }
    default: break
    }
    return nil
  }

  private func checkTogether(_ state: TowerState) -> String? {
    var highest = 0
    for priorityClass in simulated { highest = max(highest, priorityClass.rank) }
    var exclusives = 0
    var isDucking = false
    for index in state.sessions.indices where state.sessions[index].isActive {
      let rank = state.sessions[index].priorityClass.rank
      if state.sessions[index].isExclusive {
        exclusives += 1
        highest = max(highest, rank)
      }
      if state.sessions[index].configuration.ducksOthers { isDucking = true }
    }
    if exclusives > 1 { return "never two non-mixable sessions active" }
    for id in ended {
      if let session = state.session(id), session.interruption == nil,
        session.priorityClass.rank < highest
      {
        return "no session is notified of an end while a higher class goes on"
      }
    }
    for index in state.sessions.indices {
      if state.sessions[index].isActive, state.sessions[index].priorityClass.rank < highest {
        return "the higher class always wins"
      }
      if !isDucking, state.sessions[index].duckGainDB != 0 {
        return "no session stays lowered after the last ducker is gone"
      }
    }
    return nil
  }

  private mutating func checkEach(_ state: TowerState) -> String? {
    for index in state.sessions.indices {
      if let violation = check(state.sessions[index], state) { return violation }
    }
    return nil
  }

  private mutating func check(_ session: Session, _ state: TowerState) -> String? {
    let picture = pictures[session.id.number]
    if picture.isGateOpen != session.isGateOpen
      || picture.isCaptureOpen != session.isCaptureOpen
      || picture.duckGainDB != session.duckGainDB || picture.route != session.route
      || picture.isInterrupted != (session.interruption != nil)
    {
      return "the effects make the same picture as the state"
    }
    let category = session.configuration.category
    if session.isGateOpen, !(session.isActive || session.isWaitingForSound) || !category.hasOutput {
      return "only active sessions with output, and those that wait for a sound, are heard"
    }
    if session.isWaitingForSound,
      session.isActive || session.interruption != nil || !session.isAdopted || !session.isRunningIO
    {
      return "only an adopted client that is connected and idle waits for a sound"
    }
    if session.isCaptureOpen,
      !session.isActive || !category.hasInput || state.permission(of: session.app) != .granted
    {
      return "only active sessions with input and permission capture"
    }
    if session.isGateOpen, category.isSilencedBySwitchAndLock,
      isSwitchOn || isLocked
    {
      return "the silent switch and the lock silence"
    }
    if !state.isServerRunning, session.isActive { return "no session is active without a server" }
    if session.duckGainDB != 0, session.priorityClass != .app {
      return "priority classes are never ducked"
    }
    if picture.valid != session.configuration {
      if !isValid(session.configuration) { return "always a valid combination" }
      pictures[session.id.number].valid = session.configuration
    }
    if let interruption = session.interruption {
      if session.isActive { return "interrupted or active, never both" }
      if interruption.interrupters.isEmpty
        || !interruption.interrupters.allSatisfy({
          isAlive($0, session, state)
        })
      {
        return "each interrupter exists and can still end"
      }
    }
    return nil
  }

  /// Whether the interrupter exists and can still end.
  private func isAlive(
    _ interrupter: Interrupter,
    _ session: Session,
    _ state: TowerState
  ) -> Bool {
    switch interrupter {
    case .session(let id): state.index(of: id) != nil && id != session.id
    case .simulated(let priorityClass):
      state.simulated.contains { $0.priorityClass == priorityClass }
    case .background: session.isInBackground
    case .microphoneMute: state.isMicrophoneMuted
    case .routeDisconnect: true
    }
  }

  private func isValid(_ configuration: SessionConfiguration) -> Bool {
    let table = CategoryOptions.table(for: configuration.category, mode: configuration.mode)
    let mixes: CategoryOptions = configuration.ducksOthers ? .mixWithOthers : []
    return configuration.mode.isAllowed(in: configuration.category)
      && configuration.options.isSubset(of: table.settable.union(mixes))
  }

  private func checkAnswers(_ state: TowerState) -> String? {
    var waiting = state.permissionQueue.count
    for index in state.sessions.indices { waiting += state.sessions[index].waitingRequests.count }
    return owed == waiting ? nil : "what is not answered waits"
  }
}

extension SessionID {
  /// The id as a place in a list.
  fileprivate var number: Int { Int(rawValue) }
}

extension RequestID {
  /// The id as a place in a list.
  fileprivate var number: Int { Int(rawValue) }
}
