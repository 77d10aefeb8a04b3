// SPDX-License-Identifier: MIT

internal import ControlProtocol
internal import GraphFiles
internal import InterAppAudio
internal import JACK
internal import Patchbay

/// The nodes that the graph and its users ask for: starts them, connects them as sources and effects, and
/// leaves them out when they fail.
///
/// Belongs to the control thread.
final class NodeRoom {
  /// The interval of checking for stopped processes and late nodes.
  private static let watchInterval = Duration.milliseconds(10)

  private let control: Control
  private let inForce: GraphRoom
  private var graph: GraphFile { inForce.file }
  private let machine: NodeMachine
  private let server: () -> (any NodeServer)?
  private let outside: Outside
  private let access: NodeAccess
  private let ledger = NodeLedger()
  private lazy var chains: InsertChains = InsertChains(
    control: control,
    ledger: ledger,
    server: server
  ) {
    [unowned self] node, fault in faults.report(node, fault)
  }
  private lazy var faults: NodeFaults = NodeFaults(
    control: control,
    ledger: ledger,
    chains: chains,
    server: server,
  )
  private lazy var programs: NodePrograms = NodePrograms(
    control: control,
    ledger: ledger,
    machine: machine,
    server: server,
  ) { [unowned self] node, fault in faults.report(node, fault) }

  private lazy var requests: NodeRequests = NodeRequests(
    control: control,
    ledger: ledger,
    chains: chains,
    programs: programs,
    server: server,
    check: outside.check,
    access: access,
    connect: { [unowned self] in came($0) },
  )

  private lazy var controls: NodeControls = NodeControls(
    control: control,
    ledger: ledger,
    server: server
  )

  /// The recording state and cycle that were last published to nodes.
  private var transport = HostTransportState()
  /// The last report of stopped nodes to the host; nil before the first on this server.
  private var reportedStop: Bool?
  private var watch: Task<Void, Never>?
  /// The places that had effects in a version before, and still have ports for them.
  private var leaving: Set<InsertPlace> = []
  /// The strips that a node feeds, and whose ports for it are made once the ports before them have left.
  private var waitingStrips: Set<String> = []

  /// The connections of the room to the rest of the host.
  struct Outside {
    /// Whether the host's own session is active.
    var isSessionActive: () -> Bool
    /// Throws if the mix has no such strip or route.
    var check: (MixTarget) throws(ControlError) -> Void
    /// Reports that sources with nodes may have found or lost their ports.
    var availabilityChanged: () -> Void
    /// Reports whether SIGSTOP holds a node: the server then waits for it whenever it asks all clients.
    var stopChanged: (Bool) -> Void
    /// Reports that a parameter of a node has changed.
    var parametersChanged: () -> Void = {}
  }

  /// Makes a room; ``begin()`` starts its nodes.
  ///
  /// - Parameters:
  ///   - control: The services that all rooms share.
  ///   - graph: The graph.
  ///   - machine: Starts programs.
  ///   - server: Gives the server; nil while the host is not attached.
  ///   - outside: The connections to the rest of the host.
  init(
    control: Control,
    graph: GraphRoom,
    machine: NodeMachine,
    server: @escaping () -> (any NodeServer)?,
    outside: Outside,
  ) {
    self.control = control
    inForce = graph
    self.machine = machine
    self.server = server
    self.outside = outside
    access = NodeAccess(graph: graph, server: server, isSessionActive: outside.isSessionActive)
  }

  // MARK: - Life

  /// Finds the graph's nodes on the server, starts missing ones, and patches; called after each attachment.
  func begin() {
    guard let server = server() else { return }
    waitingStrips.removeAll()
    ledger.begin(graph)
    chains.begin(graph)
    let installed = programs.readFiles()
    do throws(JACKError) {
      try access.describeHost(on: server)
      ledger.beginAnew(try server.listNodes(installed))
    } catch {
      control.publish(.error(), "no inter-app audio: \(error)")
      return
    }
    chains.beginAnew()
    reportedStop = nil
    for name in ledger.names {
      if let node = ledger.running(name) { came(node) } else { programs.start(name) }
    }
    chains.settle()
    watchNodes()
  }

  /// Releases all nodes, and ends those that the host started; called when the host ends.
  func end() {
    watch?.cancel()
    watch = nil
    for node in ledger.names.compactMap({ ledger.running($0) }) { server()?.release(node) }
    programs.end()
  }

  /// Takes a notification, and handles the changes of nodes that follow from it.
  func take(_ notification: ClientNotification) {
    for change in ledger.take(notification) {
      switch change {
      case .published(let node): came(node)
      case .changed(let node): changed(node)
      case .withdrawn(let node): gone(node)
      case .remoteControl(let node, let event): remoteControl(event, from: node)
      case .overran(let node, _): faults.overran(node)
      case .parameterChanged(let node, let parameter):
        guard let name = ledger.usedName(of: node), ledger.running(name)?.name == node.name
        else { continue }
        controls.changed(parameter, ofNode: name)
        outside.parametersChanged()
      }
    }
    switch notification {
    case .portsConnected(let source, _): chains.follow(source)
    case .portsDisconnected(let source, let destination):
      chains.lost(ConnectionPair(source: source, destination: destination))
      chains.follow(source)
    case .portUnregistered(let name): chains.portGone(name)
    // The cables stay, at ports that have other names now.
    case .portRenamed: chains.readAnew()
    default: break
    }
  }

  /// Patches the chains anew, where no reports have told what the server has.
  func readAnew() { chains.readAnew() }

  /// Whether a client is a node that the host uses.
  func isInUse(client: String) -> Bool { ledger.isInUse(client: client) }

  /// Whether effects are patched into the sound of a strip or a route.
  func isAltering(_ place: InsertPlace) -> Bool {
    chains.chain(at: place)?.links.isEmpty == false
  }

  // MARK: - Versions of the graph

  /// Goes over to the effects of the version in force.
  ///
  /// - Parameter before: The version that was in force, with the new names of its sources and routes.
  func take(insteadOf before: GraphFile) {
    waitingStrips = Set(graph.nodeSources.keys.filter { !hasInlets($0) })
    takeSources(insteadOf: before)
    let former = before.insertUses
    let next = graph.insertUses
    for (place, _) in former where next[place] == nil {
      requests.setChain(at: place, nil)
      leaving.insert(place)
    }
    for (place, uses) in next where former[place] != uses { requests.setChain(at: place, uses) }
    leaving.subtract(next.keys)
    if former != next { watchNodes() }
  }

  private func takeSources(insteadOf before: GraphFile) {
    let (former, next) = (before.nodeSources, graph.nodeSources)
    for strip in former.keys where next[strip] == nil {
      // A source of another kind has its own connections by now.
      server()?.plug(strip)
      requests.setSource(nil, ofStrip: strip)
    }
    for (strip, use) in next where former[strip]?.name != use.name {
      requests.setSource(use, ofStrip: strip)
    }
    if former != next { watchNodes() }
  }

  /// The connections of the nodes that are sources, as far as these run and are admitted.
  func sourceRules(of graph: GraphFile) -> [ConnectionRule] {
    guard let server = server() else { return [] }
    return graph.nodeSources.sorted { $0.key < $1.key }.compactMap { strip, use in
      guard ledger[use.name]?.life.client != nil, let node = ledger.admitted(use.name) else {
        return nil
      }
      return pairs(of: node, feeding: strip, on: server).map {
        ConnectionRule(plugging: strip, $0)
      }
    }
  }

  /// The strips that a node feeds, and whose ports for it are still to be made.
  var unreadyStrips: Set<String> { waitingStrips }

  /// Whether a strip has ports for the node that feeds it.
  private func hasInlets(_ strip: String) -> Bool {
    server()?.chainPorts(at: .strip(strip))?.inletNames.isEmpty == false
  }

  /// Makes the ports of strips that a node feeds in the version in force, where the ports before them have left by now, and
  /// connects the nodes.
  ///
  /// The former ports were for effects alone, or for a node with another number of channels. JACK's refusal is published.
  func makeWaitingPorts() {
    guard let server = server() else { return }
    for strip in waitingStrips.sorted() where !server.isLeaving(.strip(strip)) {
      waitingStrips.remove(strip)
      guard let use = graph.nodeSources[strip] else { continue }
      do throws(ControlError) {
        try chains.makeNodePorts(at: .strip(strip))
      } catch {
        faults.report(use.name, .noPorts(reason: error.message))
        continue
      }
      guard ledger[use.name]?.life.client != nil, let node = ledger.admitted(use.name) else {
        continue
      }
      plug(strip, node, use.name)
    }
    chains.settle()
  }

  /// Whether nothing is heard of the effects that are gone.
  var isSettled: Bool { leaving.allSatisfy { chains.isDry($0) } }

  /// Forgets the effects that are gone and not heard any more.
  ///
  /// - Returns: Their places, whose ports can leave.
  func forgetGone() -> Set<InsertPlace> {
    let gone = leaving.filter { chains.isDry($0) }
    for place in gone { chains.remove(place) }
    leaving.subtract(gone)
    // The sound of a node that feeds a strip comes in at the same client.
    return gone.subtracting(graph.nodeSources.keys.map { InsertPlace.strip($0) })
  }

  /// Gives strips and routes other names.
  func rename(_ renames: PortRenames) {
    chains.rename(renames)
    ledger.rename(strips: renames.strips)
    waitingStrips = Set(waitingStrips.map { renames.strips[$0] ?? $0 })
  }

  /// Patches the chains after ports have come or gone.
  func settle() { if server() != nil { chains.settle() } }

  /// Handles due work: users' acts on chains, starts, ends, and new tries; called by the host's timer.
  func look() {
    chains.settleLostLinks()
    programs.restart()
    programs.endLeaving()
    faults.retryLate()
    controls.sendSoon()
    if !waitingStrips.isEmpty { makeWaitingPorts() }
  }

  // MARK: - Requests and status

  /// Sets the effects of a strip or route while the host runs.
  func setInserts(_ params: SetInserts.Params) throws(ControlError) -> Applied {
    let applied = try requests.setInserts(params)
    // A user has set them anew before their ports have left.
    leaving = leaving.filter { chains.chain(at: $0)?.slots.isEmpty ?? true }
    watchNodes()
    return applied
  }

  /// Bypasses an effect, or ends its bypass.
  func setBypass(_ params: SetBypass.Params) throws(ControlError) -> Applied {
    try requests.setBypass(params)
  }

  /// The parameters of all nodes that run and are in use.
  var parameters: [NodeControl] { controls.all }

  /// One parameter of a node in use; nil if the node does not run, or has no such one.
  func parameter(_ name: String, ofNode node: String) -> NodeParameter? {
    controls.find(node, name)
  }

  /// Sets a parameter of a node; it is written soon, unless a later value replaces it.
  ///
  /// - Throws: `badValue` for a parameter that is not there, or a value that it does not allow.
  func setParameter(
    _ name: String,
    to value: Double,
    ofNode node: String,
  ) throws(ControlError) {
    try controls.set(value, of: name, ofNode: node)
  }

  /// The chains of effects, by place.
  var insertStatuses: [InsertStatus] { requests.insertStatuses }

  /// The hand-overs of nodes, by strip and route.
  var handoverStatuses: [HandoverStatus] { requests.handoverStatuses }

  /// Whether SIGSTOP holds a node.
  var haveStopped: Bool { ledger.haveStopped }

  /// Whether a connection belongs to a chain of effects.
  func owns(_ pair: ConnectionPair) -> Bool { chains.contain(pair) }

  // MARK: - Coming and going

  private func came(_ node: Node) {
    guard let name = ledger.usedName(of: node), let server = server(),
      ledger.running(name)?.name == node.name
    else { return }
    let now = control.nowNanoseconds
    do throws(InterAppAudioError) {
      try access.check(node)
      try server.claim(node)
    } catch {
      _ = ledger.change(name) { $0.came(node.name, isAdmitted: false, nowNanoseconds: now) }
      faults.report(name, .refused(error))
      return
    }
    _ = ledger.change(name) { $0.came(node.name, isAdmitted: true, nowNanoseconds: now) }
    machine.noteUse(node.description)
    controls.came(name, node)
    chains.forgetLostLinks(of: name)
    chains.clearFaults(of: name)
    for strip in ledger.strips(fedBy: name) { plug(strip, node, name) }
    control.publish(.nodeConnected(.init(node: name)), "node '\(name)' is connected")
    chains.settle()
  }

  /// Connects the strip of a node source to the node's outputs whenever these exist.
  private func plug(_ strip: String, _ node: Node, _ name: String) {
    guard let server = server(), !waitingStrips.contains(strip) else { return }
    guard let pairs = pairs(of: node, feeding: strip, on: server) else {
      return faults.report(name, .otherChannels(strip: strip))
    }
    server.plug(strip, pairs)
    outside.availabilityChanged()
  }

  private func pairs(
    of node: Node,
    feeding strip: String,
    on server: any NodeServer,
  ) -> [ConnectionPair]? {
    let inlets = server.chainPorts(at: .strip(strip))?.inletNames ?? []
    return try? PortPairs.pairs(node.audioOutputs, inlets).map(ConnectionPair.init)
  }

  private func gone(_ node: Node) {
    guard let name = ledger.usedName(of: node), ledger[name]?.life.client?.name == node.name else {
      return
    }
    let since = ledger.change(name) { $0.vanish() } ?? nil
    control.publish(
      .nodeGone(.init(node: name)),
      "node '\(name)' is gone" + (chains.places(of: name).isEmpty ? "" : "; it is bypassed"),
    )
    faults.forgiveMisses(of: name)
    chains.forgetLostLinks(of: name)
    if let another = ledger.running(name) { return came(another) }
    chains.settle()
    programs.planRestart(name, ranSinceNanoseconds: since)
  }

  /// Handles a changed description of a node.
  private func changed(_ node: Node) {
    guard let name = ledger.usedName(of: node), let life = ledger[name]?.life,
      life.client?.name == node.name
    else { return }
    do throws(InterAppAudioError) {
      try access.check(node, assumingSession: true)
      if life.isRefused { came(node) } else { chains.settle() }
    } catch {
      guard !life.isRefused else { return }
      _ = ledger.change(name) { $0.refuse() }
      for strip in ledger.strips(fedBy: name) { server()?.unplug(strip) }
      faults.report(name, .refused(error))
      server()?.release(node)
    }
  }

  private func remoteControl(_ event: AudioUnitRemoteControlEvent, from node: Node) {
    guard let server = server(), ledger.usedName(of: node) != nil else { return }
    do throws(JACKError) {
      try server.carryOut(event, &transport)
      control.publish(
        .remoteControl(.init(node: node.name, event: "\(event)")),
        "node '\(node.name)' asks: \(event)",
      )
    } catch {
      control.publish(.error(), "node '\(node.name)' asks: \(event): \(error)")
    }
  }

  // MARK: - Watching

  /// Checks every 10 ms for stopped processes and for late nodes.
  private func watchNodes() {
    guard !ledger.names.isEmpty, watch == nil else { return }
    watch = control.task { [weak self, control] in
      while !Task.isCancelled {
        // Wall time, between two looks at other processes.
        await control.sleep(Self.watchInterval)
        guard let self else { return }
        watchOnce()
      }
    }
  }

  /// Checks once for stopped processes, for late nodes, and for a change of the session.
  func watchOnce() {
    guard server() != nil else { return }
    if access.followSession() {
      for name in ledger.names where ledger[name]?.life.isRefused == true {
        if let node = ledger.running(name) { came(node) }
      }
    }
    for (name, node, isStopped) in programs.stopChanges() {
      guard isStopped else {
        came(node)
        continue
      }
      _ = ledger.change(name) { $0.stop() }
      faults.forgiveMisses(of: name)
      faults.report(name, .stopped(isEnded: programs.endStopped(name, node)))
    }
    if haveStopped != reportedStop {
      reportedStop = haveStopped
      outside.stopChanged(haveStopped)
    }
    faults.countMisses()
  }
}
