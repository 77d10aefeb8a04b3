// SPDX-License-Identifier: MIT

extension Tower {
  /// The route of a session as things stand.
  func chooseRoute(_ index: Int) -> RouteDescription {
    RouteSelector.route(
      for: state.sessions[index].configuration,
      ports: state.ports,
      override: state.sessions[index].override,
      preferredInput: state.sessions[index].preferredInput,
      pinnedOutputs: state.sessions[index].traits.pinnedOutputs,
      preferredOutputs: state.sessions[index].traits.preferredOutputs,
    )
  }

  /// Chooses the route of a session anew and tells it (rule RTE-2).
  ///
  /// While the server is gone nothing is told: everything is void until the reset (rule RST-1).
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
    let told = isUnsuitable ? RouteChangeReason.noSuitableRouteForCategory : reason
    log(told == .categoryChange ? .rte4 : .rte2, .routed(reason: told), index)
    notify(index, .routeChanged(reason: told, previous: previous, current: route))
  }

  /// A port appeared: who may use it uses it, as last-in wins (rules CAT-2, CAT-5, RTE-3).
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

  /// A port vanished: who used it goes elsewhere, players pause (rule RTE-3).
  mutating func removePort(_ uid: String) {
    guard let known = state.ports.firstIndex(where: { $0.uid == uid }) else {
      log(.rte2, .ignored(what: "the end of port \(uid), which is not connected"))
      return
    }
    let port = state.ports.remove(at: known)
    for index in state.sessions.indices where state.sessions[index].preferredInput == uid {
      state.sessions[index].preferredInput = nil
    }
    portsChanged(port, .oldDeviceUnavailable)
  }

  private mutating func portsChanged(_ port: PortDescription, _ reason: RouteChangeReason) {
    for index in state.sessions.indices {
      let configuration = state.sessions[index].configuration
      let isEligible =
        port.direction == .output
        ? configuration.allowsOutput(port.type) : configuration.allowsInput(port.type)
      let isUsed = uses(state.sessions[index].route, port.uid)
      guard isEligible || isUsed else { continue }
      // An override lasts until the next route change (rule RTE-5).
      if reason != .routeConfigurationChange { state.sessions[index].override = .none }
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

  /// Activates an adopted client that was refused for want of an input, now that there is one.
  private mutating func retryForInput(_ index: Int) {
    let session = state.sessions[index]
    guard session.isAdopted, session.isRunningIO, !session.isActive, session.interruption == nil,
      !session.route.inputs.isEmpty
    else { return }
    activateImplicitly(index)
  }

  /// What a session does when the output it plays through went away.
  private mutating func loseOutput(_ index: Int, _ previous: [PortDescription]) {
    let current = state.sessions[index].route.outputs
    let goesOnElsewhere = previous.contains { old in current.contains { $0.uid == old.uid } }
    guard state.sessions[index].isActive, !goesOnElsewhere else { return }
    if state.sessions[index].traits.prefersInterruptionOnRouteDisconnect {
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

  private func uses(_ route: RouteDescription, _ uid: String) -> Bool {
    route.outputs.contains { $0.uid == uid } || route.inputs.contains { $0.uid == uid }
  }
}
