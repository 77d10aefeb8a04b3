// SPDX-License-Identifier: MIT

internal import ControlProtocol
internal import GraphFiles
internal import JACK
internal import Sessions

/// Where adopted clients are heard: what they, and their users, connect decides it.
extension Host {
  /// An output of an adopted client has been connected, by itself or by its user.
  ///
  /// Connections to the hardware are moved to the strip; all others are nobody's business.
  func adoptedConnected(_ port: String, to other: String) {
    guard let id = tower.session(adoptedPort: port) else { return }
    var isNews = false
    tower.changeAdopted(id) { isNews = $0.connected(port, to: other) }
    guard isNews else { return }
    guard isReachable(other) else {
      if isUnnamedHardware(other) { tellDirect(port, other) }
      return reviewInputGate(id, port)
    }
    let now = HostClock.nowNanoseconds()
    var isElsewhere = false
    tower.changeAdopted(id) { isElsewhere = $0.place(port, at: other, nowNanoseconds: now) }
    isElsewhere = placeSiblings(id).areElsewhere || isElsewhere
    moveToStrip(id, isElsewhere: isElsewhere)
    if tower.tower.state.session(id)?.isPaused == true,
      tower.held[id]?.adopted?.isStarting(nowNanoseconds: now) == false
    {
      // Who patches a player to where it is to be heard wants to hear it.
      tell(.playerResumed(session: id))
    }
    if isElsewhere { keepState() }
  }

  /// Looks where a client that is just starting has connected its other outputs: all go together.
  ///
  /// - Returns: Whether any of them was found connected to the hardware, and whether it is heard elsewhere
  ///   than before by that.
  func placeSiblings(_ id: SessionID) -> (areFound: Bool, areElsewhere: Bool) {
    let now = HostClock.nowNanoseconds()
    guard let connection = presence?.mix, let adopted = tower.held[id]?.adopted,
      adopted.isStarting(nowNanoseconds: now)
    else { return (false, false) }
    var result = (areFound: false, areElsewhere: false)
    for sibling in adopted.ports where (adopted.connections[sibling] ?? []).isEmpty {
      for other in (try? connection.connections(ofPort: sibling)) ?? [] where isReachable(other) {
        tower.changeAdopted(id) { adopted in
          guard adopted.found(sibling, connectedTo: other) else { return }
          result.areFound = true
          result.areElsewhere =
            adopted.place(sibling, at: other, nowNanoseconds: now) || result.areElsewhere
        }
      }
    }
    return result
  }

  /// An output of an adopted client has been disconnected.
  func adoptedDisconnected(_ port: String, from other: String) {
    guard let id = tower.session(adoptedPort: port) else { return }
    tower.changeAdopted(id) { $0.disconnected(port, from: other) }
    reviewInputGate(id, port)
  }

  /// Whether a route of the graph leads to a port of the hardware.
  func isReachable(_ port: String) -> Bool {
    outputRoutes.contains { route in keeper.places(of: route).contains { $0.others.contains(port) }
    }
  }

  /// The ports of hardware that a client plays to past its strip, as no route names them.
  func directPorts(of adopted: AdoptedClient) -> [String] {
    Set(adopted.connections.values.joined()).filter(isUnnamedHardware)
      .sorted(by: NaturalOrder.areInIncreasingOrder)
  }

  private func isUnnamedHardware(_ port: String) -> Bool {
    keeper.ports.info(of: port)?.isPhysical == true && !isReachable(port)
  }

  private func tellDirect(_ port: String, _ hardware: String) {
    publish(
      .decision,
      "INT-1 \(port) sounds directly at \(hardware), which no route of the graph names: no session silences it "
        + "there",
      details: ["rule": "INT-1", "port": .string(port), "hardware": .string(hardware)],
    )
  }

  /// The routes that its outputs were placed on; nil where they were not.
  func preferredOutputs(of adopted: AdoptedClient) -> PreferredOutputs? {
    guard !adopted.followsRule else { return nil }
    let uids = outputRoutes.filter { route in
      adopted.matrix(to: keeper.places(of: route).map(\.others)) != nil
    }
    guard !uids.isEmpty else { return nil }
    let known = tower.tower.state.ports.filter { $0.direction == .output }.map(\.uid)
    return PreferredOutputs(uids: Set(uids), known: Set(known))
  }

  /// Says anew what feeds a client's strip, and where the strip goes.
  func restateRule(_ id: SessionID) {
    guard let held = tower.held[id], let adopted = held.adopted, let presence else { return }
    if let rule = held.connectionRule(client: presence.mix.name) { keeper.change(rule) }
    if var traits = tower.tower.state.session(id)?.traits {
      traits.pinnedOutputs = adopted.followsRule ? adopted.rule.routes : []
      traits.preferredOutputs = preferredOutputs(of: adopted)
      if traits != tower.tower.state.session(id)?.traits {
        tell(.traitsChanged(session: id, traits: traits))
      }
    }
    // The same route, but perhaps other channels of it.
    let routes = tower.tower.state.session(id)?.route.outputs.map(\.uid) ?? []
    setSends(of: tower.held[id] ?? held, to: routes)
  }

  private var outputRoutes: [String] {
    configuration.graph.routes.filter { $0.direction == .output }.map(\.name)
  }
}
