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
  private(set) var ports = PortDirectory(ownPorts: [])
  /// The connections that exist and have one end at a port of ours.
  private(set) var connections: Set<ConnectionPair> = []
  /// What users made by hand; put back after a server loss.
  private(set) var madeByHand: Set<ConnectionPair> = []
  /// What users took away; not made again.
  private(set) var takenAway: Set<ConnectionPair> = []

  private(set) var rules: [ConnectionRule] = []
  /// Where owners are heard while their own ports are away, by owner.
  fileprivate var fallbacks: [String: String] = [:]
  /// The connections that stand in for others now.
  var fallbackPairs: Set<ConnectionPair> = []
  private var ownPorts: Set<String> = []
  /// The owners that are unplugged: nothing of theirs is connected (SYS-4).
  private var unplugged: Set<String> = []
  /// What the host itself takes away.
  fileprivate var releasing: Set<ConnectionPair> = []
  /// What JACK refused; not asked for again until one of the ports is told of anew.
  private var refusals: Set<ConnectionPair> = []
  private var inDoubt: [ConnectionPair: UInt64] = [:]

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

  // MARK: - What has happened

  /// The ports and the connections as they are, after attaching.
  mutating func reset(ports infos: [PortInfo], connections pairs: [ConnectionPair]) {
    ports.removeAll()
    for info in infos { ports.insert(info) }
    connections = Set(pairs.filter(isOurs))
  }

  /// A port appeared or changed, or its client became active: JACK connects no ports before.
  mutating func portAppeared(_ port: PortInfo) {
    ports.insert(port)
    refusals = refusals.filter { !$0.contains(port.name) }
  }

  /// A port vanished, and its connections with it.
  mutating func portVanished(_ name: String) {
    ports.remove(name)
    connections = connections.filter { !$0.contains(name) }
    inDoubt = inDoubt.filter { !$0.key.contains(name) }
  }

  /// Two ports were connected, by us or by somebody else.
  mutating func connected(_ pair: ConnectionPair) {
    guard isOurs(pair) else { return }
    connections.insert(pair)
    inDoubt[pair] = nil
    takenAway.remove(pair)
    let isOurWish =
      fallbackPairs.contains(pair) || releasing.contains(pair)
      || rules.contains { $0.asks(for: pair, among: ports) }
    if !isOurWish { madeByHand.insert(pair) }
  }

  /// JACK refused to connect two ports.
  mutating func refused(_ pair: ConnectionPair) { refusals.insert(pair) }

  /// Two ports were disconnected; why, shows later.
  ///
  /// - Returns: Whether it was the host itself that took the connection away: it may want it again by now.
  @discardableResult
  mutating func disconnected(_ pair: ConnectionPair, nowNanoseconds: UInt64) -> Bool {
    guard isOurs(pair) else { return false }
    let wasConnected = connections.remove(pair) != nil
    if releasing.remove(pair) != nil { return true }
    guard wasConnected else { return false }
    inDoubt[pair] = nowNanoseconds
    return false
  }

  /// Lets disconnections that are old enough count as a user's will.
  ///
  /// - Returns: The connections that a user has taken away for certain now.
  mutating func settle(nowNanoseconds: UInt64) -> [ConnectionPair] {
    let settled = inDoubt.filter { nowNanoseconds &- $0.value >= Self.doubtNanoseconds }.map(\.key)
    for pair in settled {
      inDoubt[pair] = nil
      if madeByHand.remove(pair) == nil { takenAway.insert(pair) }
    }
    return settled.sorted()
  }

  /// The server is gone: what went with it was nobody's will.
  mutating func serverLost() {
    inDoubt.removeAll()
    connections.removeAll()
    ports.removeAll()
  }

  // MARK: - Owners that come and go

  /// Takes in an owner that has come, with ports of ours that are its own.
  mutating func add(_ rule: ConnectionRule, ownPorts new: Set<String>) {
    rules.append(rule)
    ownPorts.formUnion(new)
    ports.addOwnPorts(new)
  }

  /// Replaces what an owner asks for, such as a node source whose ports are known now; what is connected
  /// stays.
  mutating func change(_ rule: ConnectionRule) {
    rules.removeAll { $0.owner == rule.owner }
    rules.append(rule)
  }

  /// Takes in more ports of an owner's own.
  mutating func add(ownPorts new: Set<String>) {
    ownPorts.formUnion(new)
    ports.addOwnPorts(new)
  }

  /// Asks again for a connection that a user has taken away.
  mutating func wantAgain(_ pair: ConnectionPair) { takenAway.remove(pair) }

  /// Forgets an owner and all of its ports' connections.
  mutating func remove(owner: String, ownPorts gone: Set<String>) {
    rules.removeAll { $0.owner == owner }
    ownPorts.subtract(gone)
    func isGone(_ pair: ConnectionPair) -> Bool {
      gone.contains(pair.source) || gone.contains(pair.destination)
    }
    connections = connections.filter { !isGone($0) }
    madeByHand = madeByHand.filter { !isGone($0) }
    takenAway = takenAway.filter { !isGone($0) }
    inDoubt = inDoubt.filter { !isGone($0.key) }
    releasing = releasing.filter { !isGone($0) }
  }

  /// Whether any of these ports of ours is connected, but to a fallback.
  func isConnected(_ ownPorts: Set<String>) -> Bool {
    connections.subtracting(fallbackPairs).contains {
      ownPorts.contains($0.source) || ownPorts.contains($0.destination)
    }
  }

  /// Whether an owner is unplugged.
  func isUnplugged(_ owner: String) -> Bool { unplugged.contains(owner) }

  /// Notes what the host itself takes away: JACK's word of it is under way, and may come after a new connection.
  mutating func release(_ pairs: [ConnectionPair]) { releasing.formUnion(pairs) }

  /// Unplugs an owner; where it is heard meanwhile already, it stays so.
  ///
  /// - Returns: The connections to take away now; nobody takes them for a user's will.
  mutating func unplug(_ owner: String) -> [ConnectionPair] {
    guard unplugged.insert(owner).inserted else { return [] }
    let own = ownPorts(of: owner)
    let pairs = connections.subtracting(fallbackPairs).filter {
      own.contains($0.source) || own.contains($0.destination)
    }
    releasing.formUnion(pairs)
    return pairs.sorted()
  }

  /// Plugs an owner in again.
  mutating func plug(_ owner: String) { unplugged.remove(owner) }

  private func ownPorts(of owner: String) -> Set<String> {
    Set(rules.filter { $0.owner == owner }.flatMap(\.channels).map(\.ownPort))
  }

  private func isOurs(_ pair: ConnectionPair) -> Bool {
    ownPorts.contains(pair.source) || ownPorts.contains(pair.destination)
  }
}

// MARK: - Fallbacks

extension ConnectionKeeper {
  /// The owner whose ports stand in for those of an owner now; nil where its own are there.
  func fallback(of owner: String) -> String? {
    let satisfied = satisfiedOwners()
    var next = owner
    var seen: Set<String> = []
    while !satisfied.contains(next), seen.insert(next).inserted {
      guard let fallback = fallbacks[next] else { return nil }
      next = fallback
    }
    return next != owner && satisfied.contains(next) ? next : nil
  }

  /// Works out anew which connections stand in for others.
  ///
  /// - Returns: Those to take away now; nobody takes them for a user's will.
  mutating func settleFallbacks() -> [ConnectionPair] {
    guard !fallbacks.isEmpty else { return [] }
    let wanted = Set(fallbacks.keys.flatMap { fallbackPairs(of: $0) })
    let stale = fallbackPairs.subtracting(wanted).intersection(connections)
    fallbackPairs = wanted
    releasing.formUnion(stale)
    return stale.sorted()
  }

  /// Channel to channel, and round where there are not as many; one channel goes to all.
  private func fallbackPairs(of owner: String) -> [ConnectionPair] {
    guard let fallback = fallback(of: owner) else { return [] }
    let own = rules.filter { $0.owner == owner }.flatMap(\.channels).map(\.ownPort)
    let targets = foundPorts(of: fallback)
    guard !own.isEmpty, !targets.isEmpty else { return [] }
    return (0..<max(own.count, own.count == 1 ? targets.count : 0)).map { channel in
      ConnectionPair(
        source: own[channel % own.count],
        destination: targets[channel % targets.count],
      )
    }
  }
}

extension [String] {
  /// Each text once, in the order of its first place.
  fileprivate func uniqued() -> [String] {
    var seen: Set<String> = []
    return filter { seen.insert($0).inserted }
  }
}
