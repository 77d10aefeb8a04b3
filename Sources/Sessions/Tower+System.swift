// SPDX-License-Identifier: MIT

extension Tower {
  /// Whether the app is in the background and may not sound there (rule SYS-1).
  func isBarred(_ index: Int) -> Bool {
    let traits = state.sessions[index].traits
    return state.sessions[index].isInBackground && state.sessions[index].priorityClass == .app
      && (traits.suspendsInBackground || !traits.hasBackgroundAudio
        || !state.sessions[index].configuration.category.canRunInBackground)
  }

  /// Interrupts a session that may not sound in the background, or lets it go on.
  mutating func reviewBackground(_ index: Int) {
    if isBarred(index) {
      interrupt(index, by: .background, .appWasSuspended, .sys1)
    } else {
      release(.background, shouldResume: true, only: index)
    }
  }

  /// An app is back: it is told, then its requests are carried out in their order (rule SYS-2).
  mutating func returnToForeground(_ index: Int) {
    state.sessions[index].isInBackground = false
    reviewBackground(index)
    let waiting = state.sessions[index].waitingRequests
    state.sessions[index].waitingRequests = []
    for request in waiting { answer(request.request, id: request.id, index) }
  }

  /// The built-in microphone's mute switch interrupts who uses it, unless they opted out.
  mutating func muteMicrophone(_ isMuted: Bool) {
    guard state.isMicrophoneMuted != isMuted else { return }
    state.isMicrophoneMuted = isMuted
    guard isMuted else {
      release(.microphoneMute, shouldResume: true)
      return
    }
    for index in state.sessions.indices where state.sessions[index].isActive {
      let options = state.sessions[index].configuration.options
      guard state.sessions[index].route.inputs.contains(where: { $0.type == .builtInMic }),
        !options.contains(.overrideMutedMicrophoneInterruption)
      else { continue }
      interrupt(index, by: .microphoneMute, .builtInMicMuted, .int1)
    }
  }

  /// Whether a session asked not to be interrupted by ringing.
  func sparesRinging(_ index: Int) -> Bool {
    state.sessions[index].traits.prefersNoInterruptionsFromSystemAlerts
  }

  /// Begins a simulated interruption, or turns a ringing call into an accepted one (rule SYS-4).
  mutating func beginSimulation(_ priorityClass: PriorityClass, isRinging: Bool) {
    guard priorityClass != .app else {
      log(.sys4, .ignored(what: "a simulated interruption of class app; open a session instead"))
      return
    }
    if let known = state.simulated.firstIndex(where: { $0.priorityClass == priorityClass }) {
      guard state.simulated[known].isRinging, !isRinging else { return }
      state.simulated[known].isRinging = false
    } else {
      state.simulated.append(
        SimulatedInterruption(
          priorityClass: priorityClass,
          sinceNanoseconds: now,
          isRinging: isRinging
        )
      )
    }
    interruptAll(by: .simulated(class: priorityClass)) { tower, index in
      guard tower.isBeaten(index, by: priorityClass) else { return nil }
      return isRinging && tower.sparesRinging(index) ? nil : .act4
    }
  }

  /// Whether a simulated interruption of that class stops the session.
  func isBeaten(_ index: Int, by priorityClass: PriorityClass) -> Bool {
    let rank = state.sessions[index].priorityClass.rank
    return rank < priorityClass.rank
      || rank == priorityClass.rank && state.sessions[index].isExclusive
  }

  /// Ends a simulated interruption.
  mutating func endSimulation(_ priorityClass: PriorityClass, shouldResume: Bool) {
    guard let known = state.simulated.firstIndex(where: { $0.priorityClass == priorityClass })
    else {
      log(.sys4, .ignored(what: "the end of a simulated \(priorityClass.rawValue) that is not on"))
      return
    }
    state.simulated.remove(at: known)
    release(.simulated(class: priorityClass), shouldResume: shouldResume)
  }

  /// The JACK server is gone: sessions are inactive and at their defaults (rule RST-1).
  ///
  /// Adopted clients died with it and come back by themselves (rule RST-2).
  mutating func loseServer() {
    guard state.isServerRunning else { return }
    state.isServerRunning = false
    log(.rst1, .serverLost)
    // Nobody goes on at the end of an interruption now, so all ends before sessions are closed.
    for index in state.sessions.indices { reset(index) }
    while let adopted = state.sessions.firstIndex(where: \.isAdopted) { close(adopted, .died) }
    state.ports = []
    for index in state.sessions.indices {
      state.sessions[index].route = RouteDescription()
      patching.append(.setRoute(session: state.sessions[index].id, route: RouteDescription()))
      notify(index, .mediaServicesWereLost)
    }
    needsLevels = true
  }

  /// Puts a session back to its defaults.
  private mutating func reset(_ index: Int) {
    if state.sessions[index].isActive || state.sessions[index].interruption != nil {
      state.sessions[index].changedAtNanoseconds = now
    }
    state.sessions[index].isActive = false
    state.sessions[index].interruption = nil
    state.sessions[index].isRunningIO = false
    state.sessions[index].isPaused = false
    state.sessions[index].isInputMuted = false
    state.sessions[index].isOutputMuted = false
    state.sessions[index].silentSinceNanoseconds = nil
    state.sessions[index].override = .none
    state.sessions[index].preferredInput = nil
    state.sessions[index].isRouteStale = true
    guard !state.sessions[index].isAdopted else { return }
    state.sessions[index].configuration = SessionConfiguration()
    state.sessions[index].preferences = HardwarePreferences()
    state.sessions[index].appliedPreferences = HardwarePreferences()
  }

  /// The JACK server is back: apps set up and activate again (rule RST-1).
  mutating func resetServer(_ facts: HardwareFacts) {
    state.hardware = HardwareState(facts: facts)
    guard !state.isServerRunning else { return }
    state.isServerRunning = true
    log(.rst1, .serverReset)
    for index in state.sessions.indices {
      reroute(index, .routeConfigurationChange)
      notify(index, .mediaServicesWereReset)
    }
    needsLevels = true
  }
}
