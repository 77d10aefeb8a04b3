// SPDX-License-Identifier: MIT

/// Decides which connections the host makes: those the graph asks for, and those a user made by hand
/// before the server was lost.
///
/// A connection that a user has removed is never made again. Made by hand is neither what the host itself connects, nor
/// what a program connects within `startNanoseconds` of its appearance. A program that has gone takes the patches of its
/// ports with it, unless patches are kept. Its own connections last as long as its ports: when a route is
/// plugged in again, they are made again.
///
/// JACK's notifications go in, connections to make come out. JACK gives no reason for a disconnection, so each one
/// is in doubt for `doubtNanoseconds`. If the port vanishes or the server is lost in that time, no user
/// meant it; otherwise a user did, and the host respects it.
///
/// An event costs as much as it changes: rules and connections are found by their ports, and what is missing is kept
/// ready. Pure value: [any-thread].
package struct ConnectionKeeper: Sendable {
  /// Time after a disconnection in which its reason is in doubt.
  package static let doubtNanoseconds: UInt64 = 1_000_000_000
  /// Time after its appearance in which a program connects itself; JACK does not report who connected two ports.
  package static let startNanoseconds: UInt64 = 2_000_000_000

  /// The ports that exist.
  package internal(set) var ports = PortDirectory(ownPorts: [])
  /// The connections that exist and have one end at a port of the host.
  package internal(set) var connections: Set<ConnectionPair> = []
  /// Connections that users made by hand; restored after a server loss.
  package internal(set) var madeByHand: Set<ConnectionPair> = []
  /// Connections that programs have made themselves, and that last as long as their ports.
  var madeByPrograms: Set<ConnectionPair> = []
  /// Connections that users removed; not made again.
  package internal(set) var takenAway: Set<ConnectionPair> = []
  /// Whether users' connections outlive the programs at their other ends.
  package internal(set) var keepsPatches: Bool

  /// Connections that the graph and the sessions ask for.
  var rules = RuleBook()
  /// The full names of the ports of the host's clients.
  var ownPorts: Set<String> = []
  /// The unplugged owners, whose ports stay unconnected (SYS-4).
  var unplugged: Set<String> = []
  /// Connections made for effects, with a count of connects minus disconnects that JACK reported; never taken for a
  /// user's patch.
  package internal(set) var patchedLinks: [ConnectionPair: Int] = [:]
  /// Connections that the host itself is removing.
  var releasing: Set<ConnectionPair> = []
  /// Connections that JACK refused; tried again when JACK reports one of the ports again.
  var refusals: Set<ConnectionPair> = []
  /// The time of each disconnection that the host did not ask for.
  var inDoubt: [ConnectionPair: UInt64] = [:]
  /// The host's own connects that JACK has not reported yet, with their number.
  var ownConnects: [ConnectionPair: Int] = [:]
  /// When the programs have appeared that came after the host.
  var arrivals: [String: UInt64] = [:]
  /// Connections made by hand whose program has gone, with the time.
  var orphans: [ConnectionPair: UInt64] = [:]

  /// Every connection of which anything is known above.
  private var known = PairIndex()
  /// The connections to make now.
  private var absent: Set<ConnectionPair> = []
  /// The host's ports whose connections have changed since ``takeChangedPorts()``.
  private var changedPorts: Set<String> = []
  private var pairVisits = 0

  /// Makes a keeper without ports and rules.
  ///
  /// - Parameter keepsPatches: Whether users' connections outlive the programs at their other ends.
  package init(keepsPatches: Bool = false) { self.keepsPatches = keepsPatches }

  /// Begins on a server; its ports follow with ``reset(ports:connections:)``.
  ///
  /// - Parameters:
  ///   - rules: Connections that the graph asks for.
  ///   - ownPorts: The full names of all ports of the host's clients.
  package mutating func attach(rules: [ConnectionRule], ownPorts: Set<String>) {
    self.ownPorts = ownPorts
    forgetServer()
    refusals.removeAll()
    releasing.removeAll()
    ports = PortDirectory(ownPorts: ownPorts)
    self.rules = RuleBook()
    for rule in rules { _ = self.rules.add(rule, among: &ports) }
    reviewAll()
  }

  /// Restores the connections that users made and removed under an earlier host process.
  package mutating func restore(madeByHand: Set<ConnectionPair>, takenAway: Set<ConnectionPair>) {
    self.madeByHand = madeByHand
    self.takenAway = takenAway
    reviewAll()
  }

  // MARK: - Queries

  /// The connections to make now.
  package func missing() -> [ConnectionPair] { absent.sorted() }

  /// Whether all channels of an owner (route, source) find a port, and it is plugged in.
  package func isSatisfied(_ owner: String) -> Bool {
    rules.isSatisfied(owner) && !unplugged.contains(owner)
  }

  /// The owners (routes, sources) all of whose channels find a port.
  package func satisfiedOwners() -> Set<String> { Set(rules.owners.filter(isSatisfied)) }

  /// The foreign ports that an owner's rules find now, channel by channel.
  package func foundPorts(of owner: String) -> [String] { rules.foundPorts(of: owner) }

  /// The foreign ports that each port of an owner is connected to; for an unconnected port, those its rules find.
  package func places(of owner: String) -> [(ownPort: String, others: [String])] {
    rules.channels(of: owner).map { own, found in
      let connected = connectedPairs(of: own).map { $0.source == own ? $0.destination : $0.source }
      guard connected.isEmpty else { return (own, connected) }
      let wanted = found.filter { other in
        !takenAway.contains(ConnectionPair(source: own, destination: other))
          && !takenAway.contains(ConnectionPair(source: other, destination: own))
      }
      return (own, wanted)
    }
  }

  /// The ports that a port of the host is connected to.
  package func destinations(of ownPort: String) -> [String] {
    connectedPairs(of: ownPort).filter { $0.source == ownPort }.map(\.destination).sorted()
  }

  /// How many rules, connections and watched questions were looked at so far: what events have cost.
  package var visits: Int { rules.visits + ports.visits + pairVisits }

  // MARK: - One connection

  /// The connections that exist at a port.
  func connectedPairs(of port: String) -> [ConnectionPair] {
    known[port].filter(connections.contains)
  }

  /// All connections at a port of which anything is known.
  func knownPairs(of port: String) -> Set<ConnectionPair> { known[port] }

  /// Whether one of the two ports is the host's.
  package func isOurs(_ pair: ConnectionPair) -> Bool {
    ownPorts.contains(pair.source) || ownPorts.contains(pair.destination)
  }

  /// Notes that a connection is made or gone.
  ///
  /// - Returns: Whether that is news.
  @discardableResult
  mutating func note(_ pair: ConnectionPair, isConnected: Bool) -> Bool {
    let isNews =
      isConnected ? connections.insert(pair).inserted : connections.remove(pair) != nil
    if isNews { changedPorts.formUnion([pair.source, pair.destination].filter(ownPorts.contains)) }
    return isNews
  }

  /// The host's ports whose connections have changed since this was asked last.
  package mutating func takeChangedPorts() -> Set<String> {
    defer { changedPorts.removeAll() }
    return changedPorts
  }

  /// Brings what is kept ready up to date, after anything that concerns these connections.
  mutating func review(_ pairs: some Sequence<ConnectionPair>) {
    for pair in pairs {
      pairVisits += 1
      if isMissing(pair) { absent.insert(pair) } else { absent.remove(pair) }
      if isKnown(pair) { known.insert(pair) } else { known.remove(pair) }
    }
  }

  /// Brings all that is kept ready up to date, where everything may be another.
  mutating func reviewAll() {
    known.removeAll()
    absent.removeAll()
    review(rules.askedPairs)
    review(connections)
    review(madeByHand)
    review(madeByPrograms)
    review(takenAway)
    review(patchedLinks.keys)
    review(releasing)
    review(refusals)
    review(inDoubt.keys)
    review(ownConnects.keys)
    review(orphans.keys)
  }

  /// Forgets what was known of the server.
  mutating func forgetServer() {
    inDoubt.removeAll()
    connections.removeAll()
    ports.removeAll()
    patchedLinks.removeAll()
    changedPorts.removeAll()
    ownConnects.removeAll()
    madeByPrograms.removeAll()
    arrivals.removeAll()
    orphans.removeAll()
  }

  private func isMissing(_ pair: ConnectionPair) -> Bool {
    isWanted(pair) && !connections.contains(pair) && !takenAway.contains(pair)
      && inDoubt[pair] == nil && !refusals.contains(pair)
  }

  private func isWanted(_ pair: ConnectionPair) -> Bool {
    if rules.owners(askingFor: pair).contains(where: { !unplugged.contains($0) }) { return true }
    return (madeByHand.contains(pair) && orphans[pair] == nil || madeByPrograms.contains(pair))
      && [pair.source, pair.destination].allSatisfy { ports.contains($0) && !isAway($0) }
  }

  /// Whether a port belongs to an unplugged owner.
  private func isAway(_ port: String) -> Bool {
    !unplugged.isEmpty && rules.owners(ofPort: port).contains(where: unplugged.contains)
  }

  private func isKnown(_ pair: ConnectionPair) -> Bool {
    connections.contains(pair) || madeByHand.contains(pair) || madeByPrograms.contains(pair)
      || takenAway.contains(pair)
      || !rules.owners(askingFor: pair).isEmpty
      || patchedLinks[pair] != nil || releasing.contains(pair) || refusals.contains(pair)
      || inDoubt[pair] != nil || ownConnects[pair] != nil || orphans[pair] != nil
  }
}
