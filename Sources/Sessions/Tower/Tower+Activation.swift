// SPDX-License-Identifier: MIT

extension Tower {
  /// Why a session cannot become active with a configuration; nil when it can (rules ACT-1, ACT-4).
  func refusal(
    _ index: Int,
    _ configuration: SessionConfiguration,
    isReconfiguration: Bool = false
  ) -> SessionError? {
    guard state.isServerRunning else {
      return SessionError(.mediaServicesFailed, .serverLost, .rst1)
    }
    if !isReconfiguration, let blocked = outranking(index, configuration) { return blocked }
    let category = configuration.category
    let needsInput = category == .record || category == .playAndRecord
    if !isReconfiguration, needsInput,
      RouteSelector.availableInputs(for: configuration, ports: state.ports).isEmpty
    {
      return SessionError(.resourceNotAvailable, .noInput(category: category), .act1)
    }
    guard state.sessions[index].isInBackground, state.sessions[index].priorityClass == .app else {
      return nil
    }
    if !isReconfiguration,
      !category.canRunInBackground || !state.sessions[index].traits.hasBackgroundAudio
    {
      return SessionError(.cannotStartPlaying, .background(category: category), .sys1)
    }
    if !configuration.isMixable, state.nowPlaying(atNanoseconds: now) != state.sessions[index].id {
      return SessionError(.cannotInterruptOthers, .background(category: category), .act4)
    }
    if configuration.isMixable, category.hasInput,
      !state.sessions[index].traits.isInterAppConnected
    {
      return SessionError(.cannotStartRecording, .background(category: category), .act4)
    }
    return nil
  }

  /// The refusal by a session or simulation of a higher class; nil without one.
  private func outranking(_ index: Int, _ configuration: SessionConfiguration) -> SessionError? {
    let own = state.sessions[index].priorityClass
    if own == .app, configuration.category.hasInput,
      let assistant = state.sessions.first(where: {
        $0.isActive && $0.priorityClass == .assistant && $0.configuration.category.hasInput
      })
    {
      return SessionError(
        .siriIsRecording,
        .outranked(by: .session(id: assistant.id), class: .assistant),
        .act4,
      )
    }
    guard let holder = holders(above: index).first else { return nil }
    return SessionError(
      .insufficientPriority,
      .outranked(by: holder.interrupter, class: holder.class),
      .act4
    )
  }

  /// The active exclusive sessions and simulations of higher classes, simulations first.
  func holders(above index: Int) -> [(interrupter: Interrupter, class: PriorityClass)] {
    let own = state.sessions[index].priorityClass.rank
    var holders: [(interrupter: Interrupter, class: PriorityClass)] = []
    for simulated in state.simulated where simulated.priorityClass.rank > own {
      if simulated.isRinging, sparesRinging(index) { continue }
      holders.append((.simulated(class: simulated.priorityClass), simulated.priorityClass))
    }
    for other in state.sessions.indices where state.sessions[other].isActive {
      guard state.sessions[other].priorityClass.rank > own, state.sessions[other].isExclusive
      else { continue }
      holders.append(
        (.session(id: state.sessions[other].id), state.sessions[other].priorityClass)
      )
    }
    return holders
  }

  /// Makes a session active, or throws the refusal.
  mutating func activate(_ index: Int, isImplicit: Bool = false) throws(SessionError) {
    if state.sessions[index].traits.playsSystemSounds {
      throw .value(
        "activate",
        given: "asked of system sounds",
        allowed: "sessions of other audio; system sounds are heard without",
        .plr5,
      )
    }
    if state.sessions[index].isActive {
      applyPreferences(index)
      return
    }
    if let refusal = refusal(index, state.sessions[index].configuration) { throw refusal }
    becomeActive(index, isImplicit: isImplicit)
  }

  /// Activates because I/O started (rule SES-4).
  ///
  /// An adopted client cannot ask again later. When a higher class is active, it counts as interrupted from the start,
  /// and resumes when that ends.
  mutating func activateImplicitly(_ index: Int) {
    do throws(SessionError) {
      try activate(index, isImplicit: true)
    } catch {
      log(error.rule, .refused(error: error), index)
      guard state.sessions[index].isAdopted else { return }
      switch error.code {
      case .insufficientPriority:
        let holders = holders(above: index).map(\.interrupter)
        beginInterruption(index, by: holders, .default, .act4, wasPlaying: true)
      case .cannotStartPlaying:
        beginInterruption(index, by: [.background], .appWasSuspended, .sys1, wasPlaying: true)
      default:
        break
      }
    }
  }

  /// Makes a session active after all checks.
  mutating func becomeActive(_ index: Int, isImplicit: Bool) {
    leaveInterrupters(of: index)
    state.activations += 1
    state.sessions[index].isActive = true
    state.sessions[index].interruption = nil
    state.sessions[index].isPaused = false
    state.sessions[index].activationOrder = state.activations
    state.sessions[index].changedAtNanoseconds = now
    if state.sessions[index].silentSinceNanoseconds != nil {
      // The host reports changes only: a signal that was silent before is silent still.
      state.sessions[index].silentSinceNanoseconds = now
    }
    log(isImplicit ? .ses4 : .act1, .activated(isImplicit: isImplicit), index)
    notify(index, .didBecomeActive)
    interruptOthers(index)
    applyPreferences(index)
    if state.sessions[index].isRouteStale { reroute(index, .categoryChange, always: true) }
    claimNowPlaying(index)
    needsLevels = true
  }

  /// Makes a session inactive because its app asked; the sessions that it interrupted are notified (rule ACT-6).
  mutating func deactivate(_ index: Int, notifyOthers: Bool) {
    if state.sessions[index].isActive {
      state.sessions[index].isActive = false
      state.sessions[index].changedAtNanoseconds = now
      notify(index, .didBecomeInactive(interruption: nil))
    }
    log(.act6, .deactivated(notifiesOthers: notifyOthers), index)
    release(
      .session(id: state.sessions[index].id),
      shouldResume: notifyOthers,
      heirs: state.sessions[index].interruption?.interrupters ?? [],
    )
    needsLevels = true
    needsHardware = true
  }

  /// `setActive(false)`: stops running I/O, or fails, depending on the SDK version (rule ACT-5).
  mutating func requestDeactivation(_ index: Int, notifyOthers: Bool) throws(SessionError) {
    let isBusy = state.sessions[index].isActive && state.sessions[index].isRunningIO
    let busy = SessionError(.isBusy, .ioRunning, .act5)
    let behaviour = state.sessions[index].compatibility.busyDeactivation
    if isBusy, behaviour == .fails { throw busy }
    if state.sessions[index].isRunningIO {
      state.sessions[index].isRunningIO = false
      closing.append(.stopIO(session: state.sessions[index].id))
    }
    deactivate(index, notifyOthers: notifyOthers)
    if isBusy, behaviour == .deactivatesAndFails { throw busy }
  }
}
