// SPDX-License-Identifier: MIT

extension Tower {
  /// Follows the built-in microphone's mute switch: it interrupts sessions that use it, unless they opted out.
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

  /// Whether a session prefers no interruption by ringing.
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
    if priorityClass == .phone { report(isRinging ? .ringing : .answered) }
    interruptAll(by: .simulated(class: priorityClass)) { tower, index in
      tower.isBeaten(index, by: priorityClass) ? .act4 : nil
    }
  }

  /// Answers the call that rings: it also interrupts the sessions that ringing spared (rule INT-8).
  mutating func answerCall() {
    guard isCallRinging else {
      log(.int8, .ignored(what: "the answer to a call, because none rings"))
      return
    }
    beginSimulation(.phone, isRinging: false)
  }

  /// Declines the call that rings: the sessions that it interrupted may resume (rule INT-8).
  mutating func declineCall() {
    guard isCallRinging else {
      log(.int8, .ignored(what: "the decline of a call, because none rings"))
      return
    }
    endSimulation(.phone, shouldResume: true)
  }

  private var isCallRinging: Bool {
    state.simulated.contains { $0.priorityClass == .phone && $0.isRinging }
  }

  /// Reports the state of a call (rule INT-8); the sessions that it concerns are notified after it.
  private mutating func report(_ call: CallState) {
    messages.append(.reportCall(state: call))
    log(.int8, .call(state: call))
  }

  /// Whether a simulated interruption of that class stops the session; one that rings spares those that prefer so.
  func isBeaten(_ index: Int, by priorityClass: PriorityClass) -> Bool {
    let isRinging = state.simulated.contains { $0.priorityClass == priorityClass && $0.isRinging }
    if isRinging, sparesRinging(index) { return false }
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
    let wasRinging = state.simulated.remove(at: known).isRinging
    if priorityClass == .phone { report(wasRinging ? .declined : .ended) }
    release(.simulated(class: priorityClass), shouldResume: shouldResume)
  }

  /// Resets all sessions, because the JACK server is gone (rule RST-1).
  ///
  /// Adopted clients died with it and come back by themselves (rule RST-2).
  mutating func loseServer() {
    guard state.isServerRunning else { return }
    state.isServerRunning = false
    log(.rst1, .serverLost)
    // Reset first: no session may resume because an adopted one is closed.
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

  /// Resets a session to its defaults.
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
    if state.sessions[index].silentSinceNanoseconds != nil {
      // The host reports changes only: a strip that was silent before is silent still.
      state.sessions[index].silentSinceNanoseconds = now
    }
    state.sessions[index].override = .none
    state.sessions[index].preferredInput = nil
    state.sessions[index].isRouteStale = true
    guard !state.sessions[index].isAdopted else { return }
    state.sessions[index].configuration = SessionConfiguration()
    state.sessions[index].preferences = HardwarePreferences()
    state.sessions[index].appliedPreferences = HardwarePreferences()
  }

  /// Accepts the new JACK server: apps set up and activate again (rule RST-1).
  mutating func resetServer(_ facts: HardwareFacts) {
    if state.isServerRunning, facts == state.hardware.facts { return }
    state.hardware = HardwareState(facts: facts)
    // Sessions can be active before the host has a server: what they prefer is asked for anew.
    needsHardware = true
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
