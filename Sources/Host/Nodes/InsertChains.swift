// SPDX-License-Identifier: MIT

internal import ControlProtocol
internal import GraphFiles
internal import InterAppAudio
internal import JACK
internal import Patchbay

/// The chains of effects at strips and routes: patches each chain as requested, without a click.
///
/// Belongs to the control thread.
final class InsertChains {
  /// The longest wait for the fade to the sound without effects, which is shorter, in sound.
  ///
  /// A client that hangs must not delay the patch.
  private static let dryLimit = Duration.seconds(1)

  private let control: Control
  private let ledger: NodeLedger
  private let server: () -> (any NodeServer)?
  private let report: (String, NodeFault) -> Void
  private var chains: [InsertPlace: InsertChain] = [:]
  private var hasBegun = false

  /// Makes the chains of a ledger's nodes.
  ///
  /// - Parameters:
  ///   - control: The services that all rooms share.
  ///   - ledger: The nodes in use.
  ///   - server: Gives the server; nil while the host is not attached.
  ///   - report: Receives faults of a node's place, by the name under which the node is used.
  init(
    control: Control,
    ledger: NodeLedger,
    server: @escaping () -> (any NodeServer)?,
    report: @escaping (_ node: String, NodeFault) -> Void,
  ) {
    self.control = control
    self.ledger = ledger
    self.server = server
    self.report = report
  }

  /// Adds the graph's chains, at the first start.
  func begin(_ graph: GraphFile) {
    guard !hasBegun else { return }
    hasBegun = true
    for source in graph.sources {
      add(.strip(source.name), source.inserts, wet: source.wet)
    }
    for route in graph.routes { add(.route(route.name), route.inserts, wet: route.wet) }
  }

  private func add(_ place: InsertPlace, _ uses: [GraphFile.NodeUse], wet: Double) {
    guard !uses.isEmpty else { return }
    chains[place] = InsertChain(place: place, slots: uses.map(InsertChain.Slot.init), wet: wet)
  }

  /// Forgets the patches on the previous server.
  func beginAnew() {
    for place in chains.keys {
      chains[place]?.links = []
      chains[place]?.isSettling = false
    }
  }

  // MARK: - Requests

  /// Every chain, sorted by the name of its place.
  var all: [InsertChain] { chains.values.sorted { $0.place.name < $1.place.name } }

  /// The chain of a place; nil if it never had one.
  func chain(at place: InsertPlace) -> InsertChain? { chains[place] }

  /// Replaces the chain of a place; ``settle()`` patches it.
  func set(_ chain: InsertChain) { chains[chain.place] = chain }

  /// Whether nothing is heard of effects at a place, and nothing is connected to the ports for them.
  func isDry(_ place: InsertPlace) -> Bool {
    guard let ports = server()?.chainPorts(at: place), let chain = chains[place] else {
      return true
    }
    return !chain.isSettling && chain.links.isEmpty && ports.wet == 0
  }

  /// Forgets a place.
  func remove(_ place: InsertPlace) { chains[place] = nil }

  /// Gives strips and routes other names.
  func rename(_ renames: PortRenames) {
    chains = Dictionary(chains.values.map { $0.renamed(renames) }.map { ($0.place, $0) }) {
      first,
      _ in first
    }
  }

  /// Bypasses an effect, or ends its bypass; ``settle()`` patches it.
  ///
  /// - Returns: Whether the chain contains that effect.
  func setBypass(_ node: String, at place: InsertPlace, isBypassed: Bool) -> Bool {
    chains[place]?.setBypass(node, isBypassed: isBypassed) ?? false
  }

  /// The places at which a node is used as an effect.
  func places(of node: String) -> [InsertPlace] {
    all.filter { $0.slot(of: node) != nil }.map(\.place)
  }

  /// The names of the nodes of a place: its effects and its source.
  func nodes(at place: InsertPlace) -> [String] {
    var names = chains[place]?.slots.map(\.use.name) ?? []
    if case .strip(let strip) = place, let source = ledger.source(ofStrip: strip) {
      names.append(source)
    }
    return names
  }

  /// Whether a connection belongs to a chain.
  func contain(_ pair: ConnectionPair) -> Bool {
    chains.values.contains { $0.links.contains(pair) }
  }

  /// Forgets links that are gone, where no reports tell it; they are nobody's act.
  func readAnew() {
    guard let server = server() else { return }
    for place in chains.keys { chains[place]?.forgetLinks(where: { !server.isConnected($0) }) }
    settle()
  }

  // MARK: - Faults

  /// The fault of an effect; nil without one.
  func fault(of node: String) -> NodeFault? {
    places(of: node).first.flatMap { chains[$0]?.slot(of: node)?.fault }
  }

  /// Leaves an effect out because of a fault; ``settle()`` patches it.
  func setFault(_ fault: NodeFault, of node: String) {
    for place in places(of: node) { chains[place]?.setFault(fault, of: node) }
  }

  /// Forgets faults of an effect.
  ///
  /// - Returns: Whether a fault was cleared.
  @discardableResult
  func clearFaults(of node: String, where isMeant: (NodeFault) -> Bool = { _ in true }) -> Bool {
    places(of: node).map { chains[$0]?.clearFault(of: node, where: isMeant) ?? false }
      .contains(true)
  }

  // MARK: - Settling

  /// Patches every chain as requested.
  func settle() {
    for place in chains.keys { settle(place) }
  }

  /// Patches a chain as requested: fades to the sound without effects, patches, and fades back.
  ///
  /// The patching is not audible. If the patch stays as it is, the sound is not faded.
  private func settle(_ place: InsertPlace) {
    guard let chain = chains[place], !chain.isSettling, chain.lost == nil, let server = server(),
      let ports = server.chainPorts(at: place) ?? remakePorts(chain, on: server)
    else { return }
    if nodes(at: place).contains(where: { ledger[$0]?.life.isStopped == true }) {
      // The server would wait for the stopped client after each change of the graph, and effects behind that
      // client are silent anyway.
      return ports.setWet(0)
    }
    let asked = askedLinks(chain, ports, server)
    let changed = Set(asked).symmetricDifference(chain.links)
    if changed.allSatisfy({ ports.outletNames.contains($0.source) }) {
      // If the sound passes through all effects already, the patch stays.
      if !changed.isEmpty { patch(place, ports, server) }
      ports.setWet(asked.isEmpty ? 0 : chain.wet)
      return
    }
    chains[place]?.isSettling = true
    ports.setWet(0)
    control.task { [weak self] in await self?.patchUnheard(place, ports) }
  }

  private func patchUnheard(_ place: InsertPlace, _ ports: any ChainPorts) async {
    if let server = server() {
      await control.wait(on: server, atMost: Self.dryLimit) { ports.wet == 0 }
    }
    guard let server = server(), server.chainPorts(at: place) === ports else { return }
    patch(place, ports, server)
    // The new links exist from the cycle behind the next one on; a delay line of the engine needs no time to fill.
    await control.passCycles(2, on: server)
    guard self.server()?.chainPorts(at: place) === ports else { return }
    chains[place]?.isSettling = false
    settle(place)
  }

  /// The connections that a chain needs now; empty with a fault.
  private func askedLinks(
    _ chain: InsertChain,
    _ ports: any ChainPorts,
    _ server: any NodeServer,
  ) -> [ConnectionPair] {
    let present = chain.present { ledger.admitted($0) }
    do throws(InterAppAudioError) {
      return try chain.links(through: present, ports, on: server)
    } catch {
      let name = present.first.flatMap { ledger.usedName(of: $0) } ?? chain.place.name
      control.task { [weak self] in self?.report(name, .unfit(chain.place, error)) }
      return []
    }
  }

  /// Removes the superfluous links and makes the missing ones, while the chain is not heard.
  private func patch(_ place: InsertPlace, _ ports: any ChainPorts, _ server: any NodeServer) {
    guard let chain = chains[place] else { return }
    let asked = askedLinks(chain, ports, server)
    chains[place]?.links = asked
    for pair in chain.links where !asked.contains(pair) { server.unlink(pair) }
    for pair in asked where !chain.links.contains(pair) {
      do throws(JACKError) {
        try server.link(pair)
      } catch {
        // The node may be gone by now, with its notification still to come.
        chains[place]?.links.removeAll { $0 == pair }
        guard error.code != .serverGone else { continue }
        noteFailure(of: pair, at: place, "\(error)")
      }
    }
  }

  /// Leaves a node out after several failed connections of its ports.
  private func noteFailure(of pair: ConnectionPair, at place: InsertPlace, _ reason: String) {
    let present = chains[place]?.present { ledger.admitted($0) } ?? []
    let node = present.first { node in
      (node.audioInputs + node.audioOutputs).contains { pair.contains($0) }
    }
    guard let name = node.flatMap({ ledger.usedName(of: $0) }),
      ledger.change(name, { $0.noteFailedConnection() }) == true
    else { return }
    control.task { [weak self] in self?.report(name, .cannotConnect(pair, reason: reason)) }
  }

  // MARK: - Ports

  /// Registers the ports of a chain that has none on this server.
  ///
  /// - Throws: `notReady` while the host is not attached, `refused` if JACK or the engine has no room.
  func makePorts(at place: InsertPlace) throws(ControlError) {
    guard let server = server() else {
      throw ControlError(.notReady, message: "the host is not attached to a JACK server yet")
    }
    guard server.chainPorts(at: place) == nil else { return }
    do {
      try server.addChainPorts(at: place)
    } catch {
      throw ControlError(.refused, message: "\(place.description): \(error)")
    }
  }

  /// Registers the ports of a strip that a node feeds, in place of ports that have left.
  ///
  /// - Throws: As ``makePorts(at:)``.
  func makeNodePorts(at place: InsertPlace) throws(ControlError) {
    try makePorts(at: place)
    // The former ports had the same names.
    for name in server()?.chainPorts(at: place)?.returnNames ?? [] {
      chains[place]?.forgetLinks { $0.contains(name) }
    }
  }

  /// Registers the ports of a chain that was set by request, after a new server or a new strip.
  ///
  /// - Returns: The ports; nil if the chain is not to be heard.
  private func remakePorts(
    _ chain: InsertChain,
    on server: any NodeServer,
  ) -> (any ChainPorts)? {
    guard server.channels(of: chain.place) > 0, !server.isLeaving(chain.place) else { return nil }
    let present = chain.present { ledger.admitted($0) }
    guard !present.isEmpty else { return nil }
    do throws(ControlError) {
      try makePorts(at: chain.place)
    } catch {
      for name in present.compactMap({ ledger.usedName(of: $0) }) {
        report(name, .noPorts(reason: error.message))
      }
    }
    return server.chainPorts(at: chain.place)
  }

  // MARK: - Changes of links

  /// Updates the chain of a route after one of its ports was connected or disconnected.
  func follow(_ port: String) {
    for ports in server()?.chainPorts ?? [] where ports.routeNames.contains(port) {
      settle(ports.place)
    }
  }

  /// Handles the end of a connection: if it belonged to a chain, the chain fades out at once.
  func lost(_ pair: ConnectionPair) {
    for (place, chain) in chains where chain.links.contains(pair) && !chain.isSettling {
      // The host has made it again since.
      if server()?.isConnected(pair) == true { continue }
      server()?.chainPorts(at: place)?.setWet(0)
      chains[place]?.lose(pair, nowNanoseconds: control.nowNanoseconds)
    }
  }

  /// Handles the end of a port and of its connections, which users did not remove.
  func portGone(_ port: String) {
    for place in chains.keys { chains[place]?.forgetLinks { $0.contains(port) } }
    settle()
  }

  /// Forgets lost links of a node's chains, because the node has come or gone.
  func forgetLostLinks(of node: String) {
    for place in places(of: node) { chains[place]?.lost = nil }
  }

  /// Counts lost links as a user's act if no vanished port explains them; called by the host's timer.
  func settleLostLinks() {
    for (place, chain) in chains {
      guard let lost = chain.lost,
        control.nowNanoseconds &- lost.sinceNanoseconds >= ConnectionKeeper.doubtNanoseconds
      else { continue }
      chains[place]?.lost = nil
      if let server = server(), let ports = server.chainPorts(at: place),
        lost.pairs.isDisjoint(with: askedLinks(chain, ports, server))
      {
        settle(place)
        continue
      }
      chains[place]?.isLeftAlone = true
      control.publish(
        .nodeFault(.init(takenApart: place.target)),
        "a user has taken the effects of \(place.description) apart; they are bypassed until they "
          + "are set again",
      )
    }
  }
}
