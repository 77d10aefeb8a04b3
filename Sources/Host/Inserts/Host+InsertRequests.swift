// SPDX-License-Identifier: MIT

internal import ControlProtocol
internal import GraphFiles
internal import InterAppAudio
internal import JACK
internal import Mixing

extension Host {
  /// Sets the effects of a strip or route live.
  func setInserts(_ params: SetInserts.Params) throws(ControlError) -> Applied {
    let place = try insertPlace(params.target)
    let names = params.nodes
    for name in names {
      try checkFree(name, for: place)
      try checkUse(of: name, at: place)
    }
    guard Set(names).count == names.count else {
      throw ControlError(
        .badValue,
        place: "nodes",
        fault: "a node is there twice",
        allowed: "each node once",
      )
    }
    try makePorts(at: place)
    var chain = nodes.chains[place] ?? InsertChain(place: place, slots: [], wet: 1)
    chain.slots = names.map { name in
      chain.slots.first { $0.use.name == name && $0.fault == nil }
        ?? InsertChain.Slot(GraphFile.NodeUse(name: name))
    }
    if let wet = params.wet { chain.wet = wet }
    chain.isLeftAlone = false
    chain.lost = nil
    let before = nodes.chains.updateValue(chain, forKey: place)
    for slot in before?.slots ?? [] where !names.contains(slot.use.name) { giveUp(slot.use.name) }
    for name in names {
      want(name)
      let isStarting = nodes.wanted[name]?.program?.hasEnded == false
      if nodes.running(name) == nil, !isStarting { startNode(name) }
    }
    for name in names {
      if let node = nodes.running(name) { nodeCame(node) }
    }
    settleInserts()
    watchNodes()
    publish(
      .mixChanged,
      "the effects of \(place.description) have changed",
      details: params.details
    )
    return Applied(frame: frame())
  }

  /// Bypasses an effect, or lets it be heard again.
  func setBypass(_ params: SetBypass.Params) throws(ControlError) -> Applied {
    let place = try insertPlace(params.target)
    guard let index = nodes.chains[place]?.slots.firstIndex(where: { $0.use.name == params.node })
    else {
      let names = nodes.chains[place]?.slots.map(\.use.name) ?? []
      throw ControlError(
        .badValue,
        place: "node",
        fault: "\(place.description) has no effect '\(params.node)'",
        allowed: names.isEmpty ? "nothing, there are none" : names.joined(separator: ", "),
      )
    }
    nodes.chains[place]?.slots[index].isBypassed = params.bypassed
    if !params.bypassed {
      nodes.chains[place]?.slots[index].fault = nil
      nodes.chains[place]?.isLeftAlone = false
      nodes.wanted[params.node]?.retries = LateRetries()
      if nodes.wanted[params.node]?.isRefused == true, let node = nodes.running(params.node) {
        nodeCame(node)
      }
    }
    settleInserts()
    publish(.mixChanged, "effect '\(params.node)' has changed", details: params.details)
    return Applied(frame: frame())
  }

  private func insertPlace(_ target: MixTarget) throws(ControlError) -> InsertPlace {
    _ = try mix?.gainDB(of: target)
    switch target {
    case .strip(let id): return .strip(id)
    case .route(let name): return .route(name)
    case .send:
      throw ControlError(
        .badValue,
        place: "strip, route",
        fault: "a send has no effects",
        allowed: "a strip's id or a route's name",
      )
    }
  }

  private func checkFree(_ name: String, for place: InsertPlace) throws(ControlError) {
    let isHost = presence?.clientNames.contains(name) == true
    let other =
      nodes.places(of: name).first { $0 != place }?.description
      ?? nodes.sources.first { $0.value == name }.map { "source '\($0.key)'" }
    guard isHost || other != nil else { return }
    throw ControlError(
      .refused,
      place: "nodes",
      fault: isHost
        ? "'\(name)' is the host itself: a loop through it costs a period"
        : "node '\(name)' is in \(other ?? "") already: in two places it would make a loop "
          + "through the host, which costs a period",
      allowed: "nodes that are nowhere else",
    )
  }

  /// Refuses what is known to be no effect, or not to be let in (IAA-3).
  ///
  /// Whose session is not active waits until it is (IAA-4), and what is in the chain already until it runs.
  private func checkUse(of name: String, at place: InsertPlace) throws(ControlError) {
    guard nodes.directory != nil, nodes.places(of: name).isEmpty else { return }
    if nodes.running(name) == nil, nodes.installed(name) == nil {
      // Read first: the assignment holds `nodes` while its right side is computed.
      let files = readNodeFiles()
      nodes.directory?.declarations = files
    }
    guard var node = nodes.running(name) ?? nodes.installed(name)?.node else {
      let effects = nodes.effectNames
      throw ControlError(
        .badValue,
        place: "nodes",
        fault: "there is no node '\(name)', neither running nor installed",
        allowed: effects.isEmpty
          ? "nothing, there are no effects" : effects.joined(separator: ", "),
      )
    }
    guard node.description.kind.takesAudio else {
      throw ControlError(
        .badValue,
        place: "nodes",
        fault: "node '\(name)' is no effect: it takes no audio",
        allowed: "effects",
      )
    }
    var host = nodeHostDescription
    host.isSessionActive = true
    node.description.isSessionActive = true
    do throws(InterAppAudioError) {
      try host.checkAccess(to: node)
    } catch {
      throw ControlError(.refused, message: "\(place.description): \(error.description)")
    }
  }

  /// Registers the ports of a chain that was set live, where the server or the strip has come anew.
  ///
  /// - Returns: The ports; nil where there is nothing to be heard of it.
  func remakePorts(_ chain: InsertChain) -> InsertPorts? {
    guard let presence, presence.mixPorts.channels(of: chain.place) > 0 else { return nil }
    let present = chain.present { nodes.admitted($0) }
    guard !present.isEmpty else { return nil }
    do throws(ControlError) {
      try makePorts(at: chain.place)
    } catch {
      for node in present {
        if let name = nodes.wantedName(of: node) { fault(name, error.message) }
      }
    }
    return presence.inserts(at: chain.place)
  }

  /// Registers the ports of a chain that the graph does not have.
  private func makePorts(at place: InsertPlace) throws(ControlError) {
    guard let presence, let mix else {
      throw ControlError(.notReady, message: "the host is not attached to a JACK server yet")
    }
    guard presence.inserts(at: place) == nil else { return }
    do {
      let tag = try presence.addInserts(at: place, label: nil)
      keeper.hide(presence.hiddenPorts)
      try mix.engine.apply(mix.engine.spec, tag: tag)
      restateLatencies()
    } catch {
      throw ControlError(.refused, message: "\(place.description): \(error)")
    }
  }

  // MARK: - Status

  /// The chains of effects, by place.
  func insertStatuses() -> [InsertStatus] {
    nodes.chains.values.sorted { $0.place.name < $1.place.name }.map { chain in
      let strip: String? = if case .strip(let id) = chain.place { id } else { nil }
      let route: String? = if case .route(let name) = chain.place { name } else { nil }
      return InsertStatus(
        strip: strip,
        route: route,
        wet: chain.wet,
        heard: presence?.inserts(at: chain.place)?.wet ?? 0,
        leftAlone: chain.isLeftAlone,
        nodes: chain.slots.map { slot in
          InsertStatus.NodeStatus(
            name: slot.use.name,
            running: nodes.running(slot.use.name) != nil,
            bypassed: slot.isBypassed,
            fault: slot.fault,
            restart: slot.use.restart.rawValue,
          )
        },
      )
    }
  }

  /// Whether nodes have been in time, by strip and route.
  func handoverStatuses() -> [HandoverStatus] {
    (presence?.inserts ?? []).sorted { $0.place.name < $1.place.name }.map(\.handoverStatus)
  }
}
