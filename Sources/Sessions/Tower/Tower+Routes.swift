// SPDX-License-Identifier: MIT

extension Tower {
  /// The route of a session by the present facts.
  func chooseRoute(_ index: Int) -> RouteDescription {
    RouteSelector.route(
      for: state.sessions[index].configuration,
      ports: state.ports,
      override: state.sessions[index].override,
      preferredInput: state.sessions[index].preferredInput,
      pinnedOutputs: state.sessions[index].traits.pinnedOutputs,
      preferredOutputs: state.sessions[index].traits.preferredOutputs,
      chosenOutput: state.chosenOutputs[state.sessions[index].app],
    )
  }

  /// Chooses the route of a session anew and notifies it (rule RTE-2).
  ///
  /// While the server is gone there are no notifications until the reset (rule RST-1).
  mutating func reroute(_ index: Int, _ reason: RouteChangeReason, always: Bool = false) {
    let previous = state.sessions[index].route
    let route = chooseRoute(index)
    if route == previous, !always { return }
    let id = state.sessions[index].id
    state.sessions[index].route = route
    state.sessions[index].isRouteStale = false
    needsLevels = true
    if route != previous { patching.append(.setRoute(session: id, route: route)) }
    guard state.isServerRunning else { return }
    let category = state.sessions[index].configuration.category
    let isUnsuitable =
      category.hasOutput && route.outputs.isEmpty
      || category.hasInput && !category.hasOutput && route.inputs.isEmpty
    let reported = isUnsuitable ? RouteChangeReason.noSuitableRouteForCategory : reason
    log(reported == .categoryChange ? .rte4 : .rte2, .routed(reason: reported), index)
    notify(index, .routeChanged(reason: reported, previous: previous, current: route))
  }

  /// Adds a port.
  ///
  /// Every session that may use it does, because the last port wins (rules CAT-2, CAT-5, RTE-3).
  mutating func addPort(_ port: PortDescription) {
    var reason = RouteChangeReason.newDeviceAvailable
    if let known = state.ports.firstIndex(where: { $0.uid == port.uid }) {
      reason = .routeConfigurationChange
      state.ports[known] = port
    } else {
      state.ports.append(port)
    }
    portsChanged(port, reason)
  }

  /// Removes a port.
  ///
  /// Its sessions get other routes, players pause (rule RTE-3).
  mutating func removePort(_ uid: String) {
    guard let known = state.ports.firstIndex(where: { $0.uid == uid }) else {
      log(.rte2, .ignored(what: "the end of port \(uid), which is not connected"))
      return
    }
    let port = state.ports.remove(at: known)
    // The user's pick of an output ends with it (rule VOL-4).
    state.chosenOutputs = state.chosenOutputs.filter { $0.value != uid }
    for index in state.sessions.indices where state.sessions[index].preferredInput == uid {
      state.sessions[index].preferredInput = nil
    }
    portsChanged(port, .oldDeviceUnavailable)
  }

  /// Gives a port another uid and description; users' picks and apps' preferences go with it, and no player pauses (rule VOL-4).
  mutating func renamePort(_ uid: String, to port: PortDescription) {
    guard let known = state.ports.firstIndex(where: { $0.uid == uid }),
      !state.ports.contains(where: { $0.uid == port.uid })
    else {
      log(.rte2, .ignored(what: "another name of port \(uid), which is not connected, or in use"))
      return
    }
    func renamed(_ name: String) -> String { name == uid ? port.uid : name }
    state.ports[known] = port
    state.chosenOutputs = state.chosenOutputs.mapValues(renamed)
    for index in state.sessions.indices {
      let session = state.sessions[index]
      state.sessions[index].preferredInput = session.preferredInput.map(renamed)
      state.sessions[index].traits.pinnedOutputs = session.traits.pinnedOutputs.map(renamed)
      state.sessions[index].traits.preferredOutputs = session.traits.preferredOutputs.map {
        PreferredOutputs(uids: Set($0.uids.map(renamed)), known: Set($0.known.map(renamed)))
      }
    }
    portsChanged(port, .routeConfigurationChange)
  }

  private mutating func portsChanged(_ port: PortDescription, _ reason: RouteChangeReason) {
    for index in state.sessions.indices {
      let configuration = state.sessions[index].configuration
      let isEligible =
        port.direction == .output
        ? configuration.allowsOutput(port) : configuration.allowsInput(port.type)
      let isUsed = uses(state.sessions[index].route, port.uid)
      guard isEligible || isUsed else { continue }
      // An override lasts until the next route change (rule RTE-5); the end of an unused device is none (rule RTE-7).
      // One that was made while inactive waits for the activation.
      if state.sessions[index].isActive,
        reason == .newDeviceAvailable || reason == .oldDeviceUnavailable && isUsed
      {
        state.sessions[index].override = .none
      }
      let outputs = state.sessions[index].route.outputs
      let hadInput = !state.sessions[index].route.inputs.isEmpty
      reroute(index, reason)
      if port.direction == .input, state.isServerRunning {
        notify(index, .availableInputsChanged)
      }
      if reason == .oldDeviceUnavailable, outputs.contains(where: { $0.uid == port.uid }) {
        loseOutput(index, outputs)
      }
      if !hadInput { retryForInput(index) }
    }
  }

  /// Activates an adopted client that was refused because no input was connected, now that one is.
  private mutating func retryForInput(_ index: Int) {
    let session = state.sessions[index]
    guard session.isAdopted, session.isRunningIO, !session.isActive, session.interruption == nil,
      !session.route.inputs.isEmpty
    else { return }
    activateImplicitly(index)
  }

  /// Interrupts or pauses a session whose output was unplugged.
  private mutating func loseOutput(_ index: Int, _ previous: [PortDescription]) {
    let current = state.sessions[index].route.outputs
    let goesOnElsewhere = previous.contains { old in current.contains { $0.uid == old.uid } }
    guard state.sessions[index].isActive, !goesOnElsewhere else { return }
    if isInterruptedByLostRoute(index) {
      interrupt(index, by: .routeDisconnect, .routeDisconnected, .rte3)
    } else if state.sessions[index].isAdopted,
      state.sessions[index].traits.reactions.unplug == .pause, !state.sessions[index].isPaused
    {
      state.sessions[index].isPaused = true
      needsLevels = true
      log(.rte3, .pausedByUnplug, index)
      opening.append(.pausePlayer(session: state.sessions[index].id))
    }
  }

  /// Whether the loss of its route interrupts a session: as it prefers, else the app that is now playing, from iOS 17 on.
  private func isInterruptedByLostRoute(_ index: Int) -> Bool {
    let session = state.sessions[index]
    if let isPreferred = session.traits.prefersInterruptionOnRouteDisconnect { return isPreferred }
    return !session.isAdopted && session.compatibility.interruptsOnRouteDisconnect
      && state.nowPlaying(atNanoseconds: now) == session.id
  }

  private func uses(_ route: RouteDescription, _ uid: String) -> Bool {
    route.outputs.contains { $0.uid == uid } || route.inputs.contains { $0.uid == uid }
  }
}

extension Tower {
  /// Overrides the output until the next route change, or ends the override, which always succeeds (rule RTE-5).
  ///
  /// An override of an inactive session takes effect with its activation.
  mutating func overrideOutput(_ port: PortOverride, _ index: Int) throws(SessionError) {
    let category = state.sessions[index].configuration.category
    guard category == .playAndRecord || port == .none else {
      throw SessionError(
        .incompatibleCategory,
        .category(
          category: category,
          operation: "output override",
          allowed: [.playAndRecord]
        ),
        .rte5,
      )
    }
    guard state.sessions[index].override != port else { return }
    state.sessions[index].override = port
    guard state.sessions[index].isActive else {
      state.sessions[index].isRouteStale = true
      return
    }
    reroute(index, .override)
  }

  /// Prefers one of the inputs the session may choose from (rule RTE-5).
  mutating func setPreferredInput(_ uid: String?, _ index: Int) throws(SessionError) {
    if let uid {
      let available = RouteSelector.availableInputs(
        for: state.sessions[index].configuration,
        ports: state.ports
      )
      guard available.contains(where: { $0.uid == uid }) else {
        let uids = available.map(\.uid).joined(separator: ", ")
        throw .value(
          "preferredInput",
          given: uid,
          allowed: uids.isEmpty ? "none here" : uids,
          .rte5
        )
      }
    }
    guard state.sessions[index].preferredInput != uid else { return }
    state.sessions[index].preferredInput = uid
    reroute(index, .override)
  }

  /// Moves the sessions of a program to the output that its user has picked; nil lets the rules decide (rule VOL-4).
  ///
  /// The pick counts more than the app's override and preferences and the graph's routes. It holds until the output goes, or
  /// until the next pick.
  mutating func chooseOutput(_ uid: String?, _ index: Int) throws(SessionError) {
    let session = state.sessions[index]
    if let uid {
      let choices = state.outputChoices(of: session.id)
      guard let choice = choices.first(where: { $0.port.uid == uid }) else {
        let uids = choices.filter { $0.fault == nil }.map(\.port.uid).joined(separator: ", ")
        throw .value("route", given: uid, allowed: uids.isEmpty ? "none here" : uids, .vol4)
      }
      if let fault = choice.fault {
        throw SessionError(.resourceNotAvailable, .output(portUID: uid, fault: fault), .vol4)
      }
    }
    guard state.chosenOutputs[session.app] != uid else { return }
    state.chosenOutputs[session.app] = uid
    log(.vol4, .outputChosen(portUID: uid), index)
    for other in state.sessions.indices
    where state.sessions[other].app == session.app
      && chooseRoute(other) != state.sessions[other].route
    {
      // An override lasts until the next route change (rule RTE-5).
      state.sessions[other].override = .none
      reroute(other, .override)
    }
  }

  /// Switches a port of the current route to a data source and polar pattern (rule RTE-5).
  mutating func setDataSource(
    _ uid: String,
    _ dataSource: Int?,
    _ polarPattern: String?,
    _ index: Int
  ) throws(SessionError) {
    let route = state.sessions[index].route
    guard let port = (route.inputs + route.outputs).first(where: { $0.uid == uid }),
      let known = state.ports.firstIndex(where: { $0.uid == uid })
    else {
      throw .value("port", given: uid, allowed: "a port of the current route", .rte5)
    }
    var changed = port
    if let dataSource {
      guard let source = port.dataSources.firstIndex(where: { $0.id == dataSource }) else {
        throw SessionError(
          .resourceNotAvailable,
          .noChoice(portUID: uid, what: "data source \(dataSource)"),
          .rte5,
        )
      }
      if let polarPattern {
        guard port.dataSources[source].polarPatterns.contains(polarPattern) else {
          throw SessionError(
            .resourceNotAvailable,
            .noChoice(portUID: uid, what: "polar pattern \(polarPattern)"),
            .rte5,
          )
        }
        changed.dataSources[source].selectedPolarPattern = polarPattern
      }
    }
    changed.selectedDataSource = dataSource
    guard changed != port else { return }
    state.ports[known] = changed
    patching.append(
      .setDataSource(portUID: uid, dataSource: dataSource, polarPattern: polarPattern)
    )
    for user in state.sessions.indices { reroute(user, .routeConfigurationChange) }
  }
}
