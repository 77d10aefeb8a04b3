// SPDX-License-Identifier: MIT

internal import JACK

/// Decides which connections the host makes: those the graph asks for, and those a user made by hand
/// before the server was lost; never one that a user has taken away.
///
/// Pure: JACK's notifications go in, connections to make come out. A disconnection says nothing of
/// its reason, so it stays in doubt for `doubtNanoseconds`: when the port vanishes or the
/// server goes in that time, nobody meant it; otherwise a user did, and it is respected.
struct ConnectionKeeper: Sendable {
  /// How long after a disconnection its reason is in doubt.
  static let doubtNanoseconds: UInt64 = 1_000_000_000

  /// The ports that exist.
  var ports = PortDirectory(ownPorts: [])
  /// The connections that exist and have one end at a port of ours.
  var connections: Set<ConnectionPair> = []
  /// What users made by hand; put back after a server loss.
  var madeByHand: Set<ConnectionPair> = []
  /// What users took away; not made again.
  var takenAway: Set<ConnectionPair> = []

  /// What the graph and sessions ask for.
  var rules: [ConnectionRule] = []
  /// Where owners are heard while their own ports are away, by owner.
  var fallbacks: [String: String] = [:]
  /// The connections that stand in for others now.
  var fallbackPairs: Set<ConnectionPair> = []
  /// The full names of the ports of the host's clients.
  var ownPorts: Set<String> = []
  /// The owners that are unplugged: nothing of theirs is connected (SYS-4).
  var unplugged: Set<String> = []
  /// What effects are patched with: the host's own business, and nobody's wish; each as often as it has been made
  /// and JACK has not told that it was taken away.
  var patchedLinks: [ConnectionPair: Int] = [:]
  /// What the host itself takes away.
  var releasing: Set<ConnectionPair> = []
  /// What JACK refused; not asked for again until one of the ports is told of anew.
  var refusals: Set<ConnectionPair> = []
  /// When connections were taken away by somebody else.
  var inDoubt: [ConnectionPair: UInt64] = [:]

  /// Begins on a server, with nothing known of its ports yet.
  ///
  /// - Parameters:
  ///   - rules: What the graph asks for.
  ///   - ownPorts: The full names of all ports of the host's clients.
  ///   - fallbacks: The owner whose ports stand in while an owner's own are away.
  mutating func attach(
    rules: [ConnectionRule],
    ownPorts: Set<String>,
    fallbacks: [String: String] = [:],
  ) {
    self.rules = rules
    self.fallbacks = fallbacks
    fallbackPairs.removeAll()
    self.ownPorts = ownPorts
    ports = PortDirectory(ownPorts: ownPorts)
    connections.removeAll()
    refusals.removeAll()
    inDoubt.removeAll()
    releasing.removeAll()
    patchedLinks.removeAll()
  }

  /// Takes in what users patched when another host kept this.
  mutating func restore(madeByHand: Set<ConnectionPair>, takenAway: Set<ConnectionPair>) {
    self.madeByHand = madeByHand
    self.takenAway = takenAway
  }

  // MARK: - What is to be done

  /// The connections to make now.
  func missing() -> [ConnectionPair] {
    wanted()
      .subtracting(connections)
      .subtracting(takenAway)
      .subtracting(inDoubt.keys)
      .subtracting(refusals)
      .sorted()
  }

  /// The owners (routes, sources) all of whose channels find a port.
  func satisfiedOwners() -> Set<String> {
    var satisfied: [String: Bool] = [:]
    for rule in rules {
      satisfied[rule.owner] =
        (satisfied[rule.owner] ?? true) && rule.isSatisfied(among: ports)
        && !unplugged.contains(rule.owner)
    }
    return Set(satisfied.filter(\.value).keys)
  }

  /// The ports of others that an owner's rules find now, channel by channel.
  func foundPorts(of owner: String) -> [String] {
    rules.filter { $0.owner == owner }.flatMap { $0.foundPorts(among: ports) }
  }

  /// What an owner's ports of ours are connected to, or where nothing is what its rules find.
  func places(of owner: String) -> [(ownPort: String, others: [String])] {
    rules.filter { $0.owner == owner }.flatMap(\.channels).map(\.ownPort).uniqued().map { own in
      let connected = connections.filter { $0.contains(own) }
        .map { $0.source == own ? $0.destination : $0.source }
      guard connected.isEmpty else { return (own, connected) }
      let wanted = rules.filter { $0.owner == owner }.flatMap { $0.pairs(among: ports) }
        .filter { $0.contains(own) && !takenAway.contains($0) }
      return (own, wanted.map { $0.source == own ? $0.destination : $0.source })
    }
  }

  /// What a port of ours is connected to.
  func destinations(of ownPort: String) -> [String] {
    connections.filter { $0.source == ownPort }.map(\.destination).sorted()
  }

  private func wanted() -> Set<ConnectionPair> {
    let plugged = rules.filter { !unplugged.contains($0.owner) }
    var wanted = Set(plugged.flatMap { $0.pairs(among: ports) }).union(fallbackPairs)
    let away = Set(unplugged.flatMap { ownPorts(of: $0) })
    for pair in madeByHand where ports.contains(pair.source) && ports.contains(pair.destination) {
      guard !away.contains(pair.source), !away.contains(pair.destination) else { continue }
      wanted.insert(pair)
    }
    return wanted
  }

  func ownPorts(of owner: String) -> Set<String> {
    Set(rules.filter { $0.owner == owner }.flatMap(\.channels).map(\.ownPort))
  }

  func isOurs(_ pair: ConnectionPair) -> Bool {
    ownPorts.contains(pair.source) || ownPorts.contains(pair.destination)
  }
}

extension [String] {
  /// Each text once, in the order of its first place.
  fileprivate func uniqued() -> [String] {
    var seen: Set<String> = []
    return filter { seen.insert($0).inserted }
  }
}
