// SPDX-License-Identifier: MIT

internal import ControlProtocol
internal import GraphFiles
internal import JACK
internal import Patchbay

/// The ports of one server and the connections of the host's own: those that exist, and those that are asked for.
///
/// Part of an ``Attachment``. Belongs to the control thread.
final class HostConnections {
  private let presence: any HostPresence
  private let control: Control
  private var keeper: ConnectionKeeper
  /// Whether a patch rule has the host leave a connection out.
  private let leavesOut: (ConnectionPair) -> Bool
  /// The connections of the host that were left out.
  private var leftOut: Set<ConnectionPair> = []
  private var areOwnIgnored = false
  /// Connects and disconnects of the host that JACK has not reported yet.
  private var ownConnects: [ConnectionPair: Int] = [:]
  private var ownCuts: [ConnectionPair: Int] = [:]
  /// The ports that jackd has lost.
  private var losses: FreewheelLosses
  /// The clients whose ports have come, changed or gone since ``takeChangedClients()``.
  private var changedClients: Set<String> = []

  /// Takes over the wanted connections; ``read()`` reads the existing ones.
  ///
  /// - Parameters:
  ///   - keeper: The connections to make, and the patches of users.
  ///   - losses: The ports that the server has lost.
  ///   - presence: The host's clients.
  ///   - leavesOut: Whether a patch rule has the host leave a connection out.
  ///   - control: The services that all rooms share.
  init(
    _ keeper: ConnectionKeeper,
    losses: FreewheelLosses,
    presence: any HostPresence,
    leavesOut: @escaping (ConnectionPair) -> Bool,
    control: Control,
  ) {
    self.keeper = keeper
    self.losses = losses
    self.losses.registered(presence.ownPorts)
    self.leavesOut = leavesOut
    self.presence = presence
    self.control = control
  }

  /// The connections for the next attachment: the rules and the patches of users, without ports.
  func remains() -> ConnectionKeeper {
    var remains = keeper
    remains.serverLost()
    return remains
  }

  /// The ports that the server has lost, for the next attachment to it.
  var lostPorts: FreewheelLosses { losses }

  // MARK: - What is known

  /// The ports of the server.
  var ports: PortDirectory { keeper.ports }
  /// The connections that users made and removed by hand.
  var patches: UserPatches { UserPatches(of: keeper) }
  /// Whether the server ignores the connections that the host makes (jackd -a): then no client is moved to a strip.
  var ignoresOwnConnections: Bool { areOwnIgnored }

  /// Whether a connection of the host's ports exists.
  func contains(_ pair: ConnectionPair) -> Bool { keeper.connections.contains(pair) }
  /// Whether a user has removed a connection, or a patch rule leaves it out.
  func isTakenAway(_ pair: ConnectionPair) -> Bool {
    keeper.takenAway.contains(pair) || leavesOut(pair)
  }
  /// Whether any of these ports of the host has a connection.
  func isConnected(_ ownPorts: Set<String>) -> Bool { keeper.isConnected(ownPorts) }
  /// The ports among these that the host hears.
  func heard(among ports: Set<String>) -> Set<String> {
    Set(keeper.connections.map(\.source)).intersection(ports)
  }

  /// The clients whose ports have come, changed or gone since this was asked last.
  func takeChangedClients() -> Set<String> {
    defer { changedClients.removeAll() }
    return changedClients
  }
  /// The host's ports whose connections have changed since this was asked last.
  func takeChangedPorts() -> Set<String> { keeper.takeChangedPorts() }
  /// How many rules, connections and watched questions were looked at so far: what notifications have cost.
  var visits: Int { keeper.visits }

  /// Whether all channels of a route or source find a port, and it is plugged in.
  func isSatisfied(_ owner: String) -> Bool { keeper.isSatisfied(owner) }
  /// The routes and sources all of whose channels find a port.
  func satisfiedOwners() -> Set<String> { keeper.satisfiedOwners() }
  /// The ports of others that a route, source or strip finds now, channel by channel.
  func foundPorts(of owner: String) -> [String] { keeper.foundPorts(of: owner) }
  /// The ports of others that each port of a route, source or strip is connected to, or would be.
  func places(of owner: String) -> [(ownPort: String, others: [String])] {
    keeper.places(of: owner)
  }
  /// The ports that a port of the host is connected to.
  func destinations(of ownPort: String) -> [String] { keeper.destinations(of: ownPort) }
  /// Whether a route, source or strip is unplugged.
  func isUnplugged(_ owner: String) -> Bool { keeper.isUnplugged(owner) }

  // MARK: - Routes

  /// The ports of an input route that exist.
  func inputPorts(of route: GraphFile.Route) -> [String] {
    route.ports.flatMap { selector -> [String] in
      switch ConnectionRule.Target(selector) {
      case .named(let name):
        [ports.canonicalName(of: name, facing: .intoHost)].compactMap { $0 }
      case .matching(let pattern): ports.matching(pattern, facing: .intoHost)
      case .physical, .dealt, .dealtByClient: []
      }
    }
  }

  /// The ports of others that a route has found, whatever its direction.
  func foundPorts(of route: GraphFile.Route) -> [String] {
    route.direction == .output ? foundPorts(of: route.name) : inputPorts(of: route)
  }

  /// The full names of the host's own ports of an output route.
  func ownPorts(of route: GraphFile.Route) -> Set<String> {
    Set(
      (0..<route.channels).map {
        "\(presence.hostName):\(PortNames.route(route.name, channel: $0))"
      }
    )
  }

  // MARK: - What JACK has

  /// Reads the ports of the server and the connections of the host's ports as they are.
  func read() throws(JACKError) {
    let ports = try presence.audioPorts()
    let own = presence.ownPorts
    var pairs: [ConnectionPair] = []
    for port in ports where own.contains(port.name) {
      for other in try presence.connections(ofPort: port.name) {
        pairs.append(
          port.isOutput
            ? ConnectionPair(source: port.name, destination: other)
            : ConnectionPair(source: other, destination: port.name)
        )
      }
    }
    keeper.reset(ports: ports, connections: pairs)
  }

  /// Reads the outputs of a client.
  ///
  /// JACK reports them one by one, and has them all when it reports the first.
  func readOutputs(ofClient client: String) throws(JACKError) {
    for port in try presence.audioOutputs(ofClient: client) where port.client == client {
      keeper.portAppeared(port, nowNanoseconds: control.nowNanoseconds)
    }
  }

  /// All ports of the server, for audio and MIDI.
  func allPorts() throws(JACKError) -> [PortInfo] { try presence.allPorts() }

  /// The port of this full name; nil where there is none.
  func portInfo(_ name: String) -> PortInfo? { presence.portInfo(name) }

  /// The names of the host's own clients.
  var ownClients: Set<String> { Set(presence.clientNames) }

  /// The maker of a connection.
  func maker(of pair: ConnectionPair) -> ConnectionMaker { keeper.maker(of: pair) }

  /// The ports that a port is connected to; empty if it is gone.
  func others(of port: String) -> [String] { (try? presence.connections(ofPort: port)) ?? [] }

  // MARK: - JACK's notifications

  /// A port has come or has changed.
  func appeared(_ port: PortInfo) {
    changedClients.insert(port.client)
    losses.appeared(port.name)
    keeper.portAppeared(port, nowNanoseconds: control.nowNanoseconds)
  }

  /// A port has gone, and its connections with it.
  func vanished(_ port: String) {
    if let client = JACKNames.client(of: port) { changedClients.insert(client) }
    losses.vanished(port)
    keeper.portVanished(port, nowNanoseconds: control.nowNanoseconds)
  }

  /// A port has another name; its connections stay.
  ///
  /// - Returns: Whether all that was known of it is known under that name now.
  func renamed(_ port: String, to name: String) -> Bool {
    changedClients.formUnion([port, name].compactMap(JACKNames.client))
    let names = [port: name]
    ownConnects = Dictionary(ownConnects.map { ($0.renamed(names), $1) }, uniquingKeysWith: +)
    ownCuts = Dictionary(ownCuts.map { ($0.renamed(names), $1) }, uniquingKeysWith: +)
    leftOut = Set(leftOut.map { $0.renamed(names) })
    losses.renamed(port, to: name)
    if keeper.portRenamed(port, to: name) { return true }
    vanished(port)
    if !ports.contains(name), let info = presence.portInfo(name) { appeared(info) }
    return false
  }

  /// JACK freewheels, or runs in real time again.
  ///
  /// - Returns: Whether ports of the host's own are lost with that.
  func freewheel(_ isOn: Bool) -> Bool {
    losses.freewheel(isOn)
    return !losses.ports.isDisjoint(with: presence.ownPorts)
  }

  /// Two ports were connected, by the host or by another program.
  func connected(_ pair: ConnectionPair) {
    keeper.connected(pair, nowNanoseconds: control.nowNanoseconds)
  }

  /// Handles a disconnection of two ports; if the host itself made it, a connection that is wanted again is
  /// made.
  func disconnected(_ pair: ConnectionPair) {
    let isOurAct = keeper.disconnected(pair, nowNanoseconds: control.nowNanoseconds)
    // A route may have been plugged in again before JACK reported that it was unplugged.
    if isOurAct { makeMissing() }
  }

  /// Publishes the connections that a user has removed for certain: they are not made again.
  func settle() {
    for pair in keeper.settle(nowNanoseconds: control.nowNanoseconds) {
      control.publish(
        .mixChanged(.disconnected(pair.source, from: pair.destination)),
        "a user has disconnected \(pair.source) from \(pair.destination); the host leaves it so",
      )
    }
  }

  // MARK: - What is asked for

  /// Has the ports at hand that the rules of `body` find, where they were found beforehand.
  func using<Result>(
    _ prepared: PreparedAnswers?,
    _ body: () throws(ControlError) -> Result,
  ) throws(ControlError) -> Result {
    keeper.use(prepared)
    defer { keeper.use(nil) }
    return try body()
  }

  /// Adds the connections of a strip's new ports.
  func add(_ rule: ConnectionRule, ownPorts: Set<String>) {
    keeper.add(rule, ownPorts: ownPorts)
  }
  /// Adds ports of the host.
  func add(ownPorts: Set<String>) { keeper.add(ownPorts: ownPorts) }
  /// Asks for other connections of a source or strip; those that exist stay.
  func change(_ rule: ConnectionRule) { keeper.change(rule) }
  /// Removes a strip with all connections of its ports.
  func remove(owner: String, ownPorts: Set<String>) {
    keeper.remove(owner: owner, ownPorts: ownPorts)
  }
  /// Notes connections that the host itself is removing.
  func release(_ pairs: [ConnectionPair]) { keeper.release(pairs) }
  /// Adds ports of the host that carry another port's audio.
  func hide(_ ports: Set<String>) { keeper.hide(ports) }
  /// Forgets that a user has removed a connection.
  func wantAgain(_ pair: ConnectionPair) { keeper.wantAgain(pair) }

  /// Plugs a route or source in again.
  func plug(_ owner: String) { keeper.plug(owner) }

  /// Unplugs a route or source, and disconnects it.
  func unplug(_ owner: String) { for pair in keeper.unplug(owner) { disconnect(pair) } }

  /// Goes over to the connections of another version of the graph.
  ///
  /// - Parameters:
  ///   - version: The rules and names.
  ///   - gone: The host's ports of strips and routes that leave; the audio thread still plays them for a moment.
  ///   - new: The host's ports that have come.
  /// - Returns: The connections to cut now, while nothing is heard of them.
  func take(
    _ version: ConnectionKeeper.Version,
    gone: Set<String>,
    new: Set<String>,
  ) -> [ConnectionPair] {
    keeper.add(ownPorts: new)
    let stale = keeper.take(version)
    // The rules of these ports are gone with the version before.
    keeper.remove(owner: "", ownPorts: gone)
    return stale.filter { !gone.contains($0.source) && !gone.contains($0.destination) }
  }

  /// Watches the ports of the input routes of another version.
  func watchInputs(of graph: GraphFile, insteadOf former: GraphFile) {
    for selector in graph.inputSelectors { keeper.watch(.init(selector), facing: .intoHost) }
    for selector in former.inputSelectors { keeper.unwatch(.init(selector), facing: .intoHost) }
  }

  // MARK: - Connecting

  /// Makes the connections that are asked for and missing.
  func makeMissing() {
    for pair in keeper.missing() {
      guard !leavesOut(pair) else {
        leftOut.insert(pair)
        keeper.refused(pair)
        continue
      }
      do throws(JACKError) {
        try make(pair)
      } catch {
        // The port may be gone by now, with its notification still to come.
        guard error.code != .noSuchPort, error.code != .serverGone, error.code != .closed else {
          continue
        }
        keeper.refused(pair)
        control.publish(.error(), "cannot connect \(pair.source) → \(pair.destination): \(error)")
      }
    }
  }

  private func make(_ pair: ConnectionPair) throws(JACKError) {
    try losses.check(pair)
    let outcome = try presence.connect(pair.source, to: pair.destination, awaiting: .acceptance)
    guard outcome == .ignored else {
      note(outcome, of: pair)
      return keeper.made(pair, isNew: outcome == .connected)
    }
    keeper.refused(pair)
    areOwnIgnored = true
    control.publish(
      .error(),
      "the server ignores connections that clients make themselves (jackd -a): "
        + "\(pair.source) → \(pair.destination) is for the user to make",
    )
  }

  /// Connects two ports at once, whatever is asked for.
  func connect(_ pair: ConnectionPair) throws(JACKError) {
    try losses.check(pair)
    note(try presence.connect(pair.source, to: pair.destination, awaiting: .nothing), of: pair)
  }

  /// Connects two ports as a user does by hand.
  func connectByHand(_ pair: ConnectionPair) throws(JACKError) {
    try losses.check(pair)
    try presence.connect(pair.source, to: pair.destination, awaiting: .nothing)
  }

  /// Disconnects two ports as a user does by hand.
  func cutByHand(_ pair: ConnectionPair) throws(JACKError) {
    try presence.disconnect(pair.source, from: pair.destination)
  }

  /// Connects two ports at once, whatever is asked for; never taken for a user's patch.
  @discardableResult
  func join(_ pair: ConnectionPair) throws(JACKError) -> ConnectOutcome {
    try losses.check(pair)
    let outcome = try presence.connect(pair.source, to: pair.destination, awaiting: .nothing)
    note(outcome, of: pair)
    keeper.made(pair, isNew: outcome == .connected)
    return outcome
  }

  /// Makes the connections that were left out and no patch rule leaves out any more.
  func retryLeftOut() {
    keeper.retry(leftOut.filter { !leavesOut($0) })
    leftOut = leftOut.filter(leavesOut)
    makeMissing()
  }

  private func note(_ outcome: ConnectOutcome, of pair: ConnectionPair) {
    if outcome == .connected { ownConnects[pair, default: 0] += 1 }
  }

  /// Whether the report of a connection is that of one that the host has made.
  func takeOwnConnect(_ pair: ConnectionPair) -> Bool { Self.take(pair, from: &ownConnects) }

  /// Whether the report of a disconnection is that of one that the host has made.
  func takeOwnCut(_ pair: ConnectionPair) -> Bool { Self.take(pair, from: &ownCuts) }

  private static func take(_ pair: ConnectionPair, from acts: inout [ConnectionPair: Int]) -> Bool {
    guard let count = acts[pair] else { return false }
    acts[pair] = count > 1 ? count - 1 : nil
    return true
  }

  /// Disconnects two ports; a connection that is gone already is no error.
  func disconnect(_ pair: ConnectionPair) { try? cut(pair) }

  /// Disconnects two ports.
  ///
  /// - Throws: Why they stay connected, or that the connection is gone already.
  func cut(_ pair: ConnectionPair) throws(JACKError) {
    try presence.disconnect(pair.source, from: pair.destination)
    ownCuts[pair, default: 0] += 1
  }

  /// The host's ports that are connected to one of these ports of other clients.
  func destinations(where isIncluded: (_ source: String) -> Bool) -> Set<String> {
    Set(keeper.connections.filter { isIncluded($0.source) }.map(\.destination))
  }

  /// Disconnects two ports that may not be connected; neither their connection nor its removal is a user's patch.
  ///
  /// - Throws: Why they stay connected, or that the connection is gone already.
  func forbid(_ pair: ConnectionPair) throws(JACKError) {
    let isOwn = keeper.isOurs(pair)
    if isOwn { keeper.release([pair]) }
    try cut(pair)
    if isOwn { keeper.refused(pair) }
  }

  /// Connects two ports for an effect, and returns when the connection is listed; never taken for a user's patch.
  func link(_ pair: ConnectionPair) throws(JACKError) {
    try losses.check(pair)
    keeper.patched(pair)
    do throws(JACKError) {
      note(try presence.connect(pair.source, to: pair.destination), of: pair)
    } catch {
      keeper.unpatched(pair)
      throw error
    }
  }
}
