// SPDX-License-Identifier: MIT

internal import ControlProtocol
internal import ControlSocket
internal import GraphFiles
internal import InterAppAudio

extension Host {
  /// Answers the requests about effects. [any-thread]
  nonisolated func registerNodes(on router: ControlRouter) -> ControlRouter {
    router
      .on(SetInserts.self) { params, _ throws(ControlError) in
        try await self.run { rooms throws(ControlError) in try rooms.nodes.setInserts(params) }
      }
      .on(SetBypass.self) { params, _ throws(ControlError) in
        try await self.run { rooms throws(ControlError) in try rooms.nodes.setBypass(params) }
      }
  }
}

extension Rooms {
  /// The connections of the node room to other rooms.
  func nodesOutside() -> NodeRoom.Outside {
    NodeRoom.Outside(
      isSessionActive: { [unowned self] in sessions.isHostSessionActive },
      check: { [unowned self] target throws(ControlError) in try mix.check(target) },
      availabilityChanged: { [unowned self] in tellAvailability() },
      stopChanged: { [control, hardware] isStopped in
        control.attachment?.latencies.hold(isStopped)
        hardware.setHaveStoppedClients(isStopped)
      },
      parametersChanged: { [unowned self] in parameters.changed() },
    )
  }
}

/// The effects of a strip or route in a graph file.
///
/// Pure value: [any-thread].
struct InsertUses: Sendable, Equatable {
  let nodes: [GraphFile.NodeUse]
  let wet: Double
}

extension GraphFile {
  /// The effects of each strip and route that has any. [any-thread]
  var insertUses: [InsertPlace: InsertUses] {
    let ofSources = sources.map { (InsertPlace.strip($0.name), $0.inserts, $0.wet) }
    let ofRoutes = routes.map { (InsertPlace.route($0.name), $0.inserts, $0.wet) }
    return Dictionary(
      (ofSources + ofRoutes).filter { !$0.1.isEmpty }.map {
        ($0.0, InsertUses(nodes: $0.1, wet: $0.2))
      }
    ) { first, _ in first }
  }
}

/// The users' requests about effects, and the effects' state.
///
/// Belongs to the control thread.
struct NodeRequests {
  let control: Control
  let ledger: NodeLedger
  let chains: InsertChains
  let programs: NodePrograms
  let server: () -> (any NodeServer)?
  /// Throws if the mix has no such strip or route.
  let check: (MixTarget) throws(ControlError) -> Void
  let access: NodeAccess
  /// Connects a running node.
  let connect: (Node) -> Void

  /// Sets the effects of a strip or route while the host runs.
  func setInserts(_ params: SetInserts.Params) throws(ControlError) -> Applied {
    let place = try place(params.target)
    let names = params.nodes
    for name in names {
      try checkFree(name, for: place)
      try checkUse(of: name, at: place)
    }
    guard Set(names).count == names.count else {
      throw ControlError(
        .badValue,
        place: "nodes",
        fault: "a node appears twice",
        allowed: "each node once",
      )
    }
    try chains.makePorts(at: place)
    var chain = chains.chain(at: place) ?? InsertChain(place: place, slots: [], wet: 1)
    let gone = chain.set(names, wet: params.wet)
    chains.set(chain)
    for name in gone { programs.giveUp(name) }
    for name in names {
      programs.take(GraphFile.NodeUse(name: name))
      let isStarting = ledger[name]?.hasLiveProgram == true
      if ledger.running(name) == nil, !isStarting { programs.start(name) }
    }
    for name in names {
      if let node = ledger.running(name) { connect(node) }
    }
    chains.settle()
    control.publish(
      .mixChanged(params.change),
      "the effects of \(place.description) have changed",
    )
    return Applied(frame: server()?.frame)
  }

  /// Bypasses an effect, or ends its bypass.
  func setBypass(_ params: SetBypass.Params) throws(ControlError) -> Applied {
    let place = try place(params.target)
    guard chains.setBypass(params.node, at: place, isBypassed: params.bypassed) else {
      let names = chains.chain(at: place)?.slots.map(\.use.name) ?? []
      throw ControlError(
        .badValue,
        place: "node",
        fault: "\(place.description) has no effect '\(params.node)'",
        allowed: names.isEmpty ? "nothing, because there are none" : names.joined(separator: ", "),
      )
    }
    if !params.bypassed {
      _ = ledger.change(params.node) { $0.forgetLateness() }
      if ledger[params.node]?.life.isRefused == true, let node = ledger.running(params.node) {
        connect(node)
      }
    }
    chains.settle()
    control.publish(.mixChanged(params.change), "effect '\(params.node)' has changed")
    return Applied(frame: server()?.frame)
  }

  /// Sets the effects of a strip or route as a version of the graph has them; nil takes all away.
  ///
  /// A node that is missing is started, and the sound is heard without it until it runs. JACK's refusal is published.
  func setChain(at place: InsertPlace, _ uses: InsertUses?) {
    let nodes = uses?.nodes ?? []
    var chain = chains.chain(at: place) ?? InsertChain(place: place, slots: [], wet: 1)
    let gone = chain.set(nodes, wet: uses?.wet ?? 1)
    // Ports with another number of channels make room first.
    if !nodes.isEmpty, server()?.isLeaving(place) != true {
      do throws(ControlError) {
        try chains.makePorts(at: place)
      } catch {
        control.publish(.error(), "the effects of \(place.description): \(error.message)")
      }
    }
    chains.set(chain)
    for name in gone { programs.giveUp(name) }
    for use in nodes { begin(use) }
    chains.settle()
  }

  /// Uses a node from now on, and starts it where it does not run.
  private func begin(_ use: GraphFile.NodeUse) {
    programs.take(use)
    let isStarting = ledger[use.name]?.hasLiveProgram == true
    if let node = ledger.running(use.name) {
      connect(node)
    } else if !isStarting {
      programs.start(use.name)
    }
  }

  /// Has a version's node feed a strip, whose ports for it are there; nil for a strip that no node feeds any more.
  func setSource(_ use: GraphFile.NodeUse?, ofStrip strip: String) {
    let former = ledger.source(ofStrip: strip)
    ledger.set(source: use?.name, ofStrip: strip)
    if let former, former != use?.name { programs.giveUp(former) }
    if let use { begin(use) }
  }

  private func place(_ target: MixTarget) throws(ControlError) -> InsertPlace {
    try check(target)
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
    let isHost = server()?.hostClients.contains(name) == true
    let other =
      chains.places(of: name).first { $0 != place }?.description
      ?? ledger.strips(fedBy: name).first.map { "source '\($0)'" }
    guard isHost || other != nil else { return }
    throw ControlError(
      .refused,
      place: "nodes",
      fault: isHost
        ? "'\(name)' is the host itself: a loop through it costs a period"
        : "node '\(name)' is in \(other ?? "") already: in two places it would make a loop "
          + "through the host, which costs a period",
      allowed: "nodes that are in no other place",
    )
  }

  /// Refuses a node that is known not to be an effect, or not to be permitted (IAA-3).
  ///
  /// A node whose session is inactive waits until it is active (IAA-4); a node that is in the chain already
  /// waits until it runs.
  private func checkUse(of name: String, at place: InsertPlace) throws(ControlError) {
    guard ledger.hasListing, chains.places(of: name).isEmpty else { return }
    if ledger.running(name) == nil, ledger.installed(name) == nil {
      ledger.declare(programs.readFiles())
    }
    guard var node = ledger.running(name) ?? ledger.installed(name)?.node else {
      let effects = ledger.effectNames
      throw ControlError(
        .badValue,
        place: "nodes",
        fault: "there is no node '\(name)', neither running nor installed",
        allowed: effects.isEmpty
          ? "nothing, because there are no effects" : effects.joined(separator: ", "),
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
    node.description.isSessionActive = true
    do throws(InterAppAudioError) {
      try access.check(node, assumingSession: true)
    } catch {
      throw ControlError(.refused, message: "\(place.description): \(error.description)")
    }
  }

  // MARK: - Status

  /// The chains of effects, by place.
  var insertStatuses: [InsertStatus] {
    chains.all.map { chain in
      InsertStatus(
        strip: chain.place.strip,
        route: chain.place.route,
        wet: chain.wet,
        heard: server()?.chainPorts(at: chain.place)?.wet ?? 0,
        leftAlone: chain.isLeftAlone,
        nodes: chain.slots.map { slot in
          InsertStatus.NodeStatus(
            name: slot.use.name,
            running: ledger.running(slot.use.name) != nil,
            bypassed: slot.isBypassed,
            fault: slot.fault?.sentence,
            restart: slot.use.restart.reported,
          )
        },
      )
    }
  }

  /// The hand-overs of nodes, by strip and route.
  var handoverStatuses: [HandoverStatus] {
    (server()?.chainPorts ?? []).sorted { $0.place.name < $1.place.name }.map { ports in
      HandoverStatus(
        strip: ports.place.strip,
        route: ports.place.route,
        misses: ports.missCount,
        missedCycles: ports.missedCycleCount,
      )
    }
  }
}

extension InsertPlace {
  /// The strip's id; nil for a route.
  fileprivate var strip: String? { if case .strip(let id) = self { id } else { nil } }

  /// The route's name; nil for a strip.
  fileprivate var route: String? { if case .route(let name) = self { name } else { nil } }

  /// The place as requests and events name it.
  var target: MixTarget {
    switch self {
    case .strip(let id): .strip(id)
    case .route(let name): .route(name)
    }
  }
}

extension GraphFile.NodeUse.Restart {
  /// The policy as the socket says it.
  fileprivate var reported: InsertStatus.Restart {
    switch self {
    case .never: .never
    case .once: .once
    case .always: .always
    }
  }
}
