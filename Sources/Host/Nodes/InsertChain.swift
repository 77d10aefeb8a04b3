// SPDX-License-Identifier: MIT

internal import GraphFiles
internal import InterAppAudio
internal import Patchbay

/// A chain of effects: the requested effects, and the present patch.
///
/// Pure value: [any-thread].
struct InsertChain: Sendable {
  /// One effect of the chain.
  struct Slot: Sendable {
    let use: GraphFile.NodeUse
    var isBypassed: Bool
    /// The reason why it is left out; nil without a fault.
    var fault: NodeFault?

    init(_ use: GraphFile.NodeUse) {
      self.use = use
      isBypassed = use.isBypassed
    }
  }

  /// Links that another program has removed, for a reason that shows later.
  struct LostLinks: Sendable {
    let sinceNanoseconds: UInt64
    var pairs: Set<ConnectionPair>
  }

  private(set) var place: InsertPlace
  var slots: [Slot]
  /// The requested share of the effects' sound, 0…1.
  var wet: Double
  /// The present connections of the chain.
  var links: [ConnectionPair] = []
  /// Whether the patch is being changed.
  var isSettling = false
  /// Links that another program removed, for a user or because a node is ending.
  var lost: LostLinks?
  /// Whether a user took the patch apart; the chain stays so until it is set again.
  var isLeftAlone = false

  /// The running nodes that belong into the patch.
  ///
  /// Effects that run without a fault are heard even while others of the chain are missing.
  func present(_ find: (String) -> Node?) -> [Node] {
    guard !isLeftAlone else { return [] }
    return slots.compactMap { slot in
      slot.isBypassed || slot.fault != nil ? nil : find(slot.use.name)
    }
  }

  /// The slot of a node; nil if the chain does not contain it.
  func slot(of node: String) -> Slot? { slots.first { $0.use.name == node } }

  /// Replaces the effects, and ends the rest after a user's act.
  ///
  /// - Parameters:
  ///   - nodes: The names of the effects; effects that the chain has already, without a fault, stay as they
  ///     are.
  ///   - wet: The requested share of the effects' sound; nil leaves it.
  /// - Returns: The names of the removed effects.
  mutating func set(_ nodes: [String], wet: Double?) -> [String] {
    let before = slots
    slots = nodes.map { name in
      before.first { $0.use.name == name && $0.fault == nil } ?? Slot(GraphFile.NodeUse(name: name))
    }
    if let wet { self.wet = wet }
    isLeftAlone = false
    lost = nil
    return before.map(\.use.name).filter { !nodes.contains($0) }
  }

  /// The same chain at a place of another name.
  func renamed(_ renames: PortRenames) -> InsertChain {
    var chain = self
    switch place {
    case .strip(let id): chain.place = .strip(renames.strips[id] ?? id)
    case .route(let id): chain.place = .route(renames.routes[id] ?? id)
    }
    return chain
  }

  /// Replaces the effects by those of a graph file, and ends the rest after a user's act.
  ///
  /// - Returns: The names of the removed effects.
  mutating func set(_ uses: [GraphFile.NodeUse], wet: Double) -> [String] {
    let gone = set(uses.map(\.name), wet: wet)
    slots = zip(slots, uses).map { slot, use in slot.use == use ? slot : Slot(use) }
    return gone
  }

  /// Bypasses an effect, or ends its bypass and its fault.
  ///
  /// - Returns: Whether the chain contains that effect.
  mutating func setBypass(_ node: String, isBypassed: Bool) -> Bool {
    guard let index = slots.firstIndex(where: { $0.use.name == node }) else { return false }
    slots[index].isBypassed = isBypassed
    if !isBypassed {
      slots[index].fault = nil
      isLeftAlone = false
    }
    return true
  }

  /// Leaves an effect out because of a fault.
  mutating func setFault(_ fault: NodeFault, of node: String) {
    for index in slots.indices where slots[index].use.name == node { slots[index].fault = fault }
  }

  /// Forgets the fault of an effect.
  ///
  /// - Returns: Whether a fault was cleared.
  mutating func clearFault(of node: String, where isMeant: (NodeFault) -> Bool) -> Bool {
    var isAny = false
    for index in slots.indices where slots[index].use.name == node {
      guard let fault = slots[index].fault, isMeant(fault) else { continue }
      slots[index].fault = nil
      isAny = true
    }
    return isAny
  }

  /// Notes that another program removed a link.
  mutating func lose(_ pair: ConnectionPair, nowNanoseconds now: UInt64) {
    links.removeAll { $0 == pair }
    let since = lost?.sinceNanoseconds ?? now
    lost = LostLinks(sinceNanoseconds: since, pairs: (lost?.pairs ?? []).union([pair]))
  }

  /// Forgets links that have gone with a port or with the server's own changes, because users did not remove them.
  mutating func forgetLinks(where isGone: (ConnectionPair) -> Bool) {
    links.removeAll(where: isGone)
    guard var lost else { return }
    lost.pairs = lost.pairs.filter { !isGone($0) }
    self.lost = lost.pairs.isEmpty ? nil : lost
  }

  /// The connections that the chain needs now.
  ///
  /// - Parameters:
  ///   - present: The nodes that belong into the patch.
  ///   - ports: The ports of the chain.
  ///   - server: Gives the sources of a strip, and the destinations of a route.
  /// - Returns: The connections; empty where the chain has no nodes, no source or no destination.
  /// - Throws: `invalidFormat` or `unsupportedType`, with the faulty node.
  func links(
    through present: [Node],
    _ ports: any ChainPorts,
    on server: any NodeServer,
  ) throws(InterAppAudioError) -> [ConnectionPair] {
    switch place {
    case .strip(let strip):
      let heard = server.heardPorts(ofStrip: strip)
      return try Self.links(from: heard, through: present, to: ports.returnNames)
    case .route:
      let links = try Self.links(from: ports.sendNames, through: present, to: ports.returnNames)
      guard !links.isEmpty else { return [] }
      // The sound of a route's effects goes wherever the route's own ports are connected.
      return links
        + zip(ports.routeNames, ports.outletNames).flatMap { own, outlet in
          server.destinations(of: own).map { ConnectionPair(source: outlet, destination: $0) }
        }
    }
  }

  /// The connections from the sources through the nodes to the destinations.
  ///
  /// - Throws: `invalidFormat` or `unsupportedType`, with the faulty node.
  static func links(
    from sources: [String],
    through nodes: [Node],
    to destinations: [String],
  ) throws(InterAppAudioError) -> [ConnectionPair] {
    guard !nodes.isEmpty, !sources.isEmpty, !destinations.isEmpty else { return [] }
    var from = sources
    var pairs: [ConnectionPair] = []
    func connect(to inputs: [String]) throws(InterAppAudioError) {
      pairs += try PortPairs.pairs(from, inputs).map(ConnectionPair.init)
    }
    for (index, node) in nodes.enumerated() {
      guard node.description.kind.takesAudio else {
        throw InterAppAudioError(
          .unsupportedType,
          "node '\(node.name)' is no effect: it takes no audio",
        )
      }
      try connect(to: node.audioInputs)
      let next = index + 1 < nodes.count ? nodes[index + 1].audioInputs : destinations
      // JACK adds the signals of one port: both sides of a stereo effect would be twice as loud there.
      from = next.count == 1 ? Array(node.audioOutputs.prefix(1)) : node.audioOutputs
    }
    try connect(to: destinations)
    return pairs
  }
}
