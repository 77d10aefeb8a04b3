// SPDX-License-Identifier: MIT

/// Owners that are added, changed, unplugged and removed. [any-thread]
extension ConnectionKeeper {
  /// Adds an owner with its ports of the host.
  package mutating func add(_ rule: ConnectionRule, ownPorts new: Set<String>) {
    add(ownPorts: new)
    review(rules.add(rule, among: &ports))
  }

  /// Has the answers to the questions of rules at hand that are added from now on; nil for none.
  package mutating func use(_ prepared: PreparedAnswers?) { ports.use(prepared) }

  /// Replaces the rules of an owner, such as a node source whose ports are known now.
  ///
  /// Existing connections stay.
  package mutating func change(_ rule: ConnectionRule) {
    let before = rules.remove(owner: rule.owner, among: &ports)
    review(before + rules.add(rule, among: &ports))
  }

  /// Adds ports of the host to those already known.
  package mutating func add(ownPorts new: Set<String>) {
    ownPorts.formUnion(new)
    hide(new)
    for port in new { review(knownPairs(of: port)) }
  }

  /// Adds ports of the host that carry another port's audio: no pattern matches them, and their connections are not
  /// kept.
  package mutating func hide(_ ports: Set<String>) {
    for change in self.ports.addOwnPorts(ports) { take(change) }
  }

  /// Keeps ready which ports a target of the graph finds that no rule has.
  package mutating func watch(
    _ target: ConnectionRule.Target,
    facing direction: ConnectionRule.Direction,
  ) {
    for query in target.queries(facing: direction) { ports.watch(query) }
  }

  /// Forgets that a user has removed a connection: the rules may ask for it again.
  package mutating func wantAgain(_ pair: ConnectionPair) {
    takenAway.remove(pair)
    review([pair])
  }

  /// Removes an owner, with all connections of its ports.
  package mutating func remove(owner: String, ownPorts gone: Set<String>) {
    review(rules.remove(owner: owner, among: &ports))
    for port in gone {
      let pairs = knownPairs(of: port)
      for pair in pairs {
        note(pair, isConnected: false)
        madeByHand.remove(pair)
        madeByPrograms.remove(pair)
        takenAway.remove(pair)
        inDoubt[pair] = nil
        orphans[pair] = nil
        releasing.remove(pair)
      }
      ownPorts.remove(port)
      review(pairs)
    }
  }

  /// Whether any of these ports of the host has a connection.
  package func isConnected(_ ownPorts: Set<String>) -> Bool {
    ownPorts.contains { !connectedPairs(of: $0).isEmpty }
  }

  /// Whether an owner is unplugged.
  package func isUnplugged(_ owner: String) -> Bool { unplugged.contains(owner) }

  /// Notes connections that the host itself removes; JACK's report may arrive after the same connection is made again.
  package mutating func release(_ pairs: [ConnectionPair]) {
    releasing.formUnion(pairs)
    review(pairs)
  }

  /// Unplugs an owner.
  ///
  /// - Returns: The connections to remove now; their removal is not taken for a user's.
  package mutating func unplug(_ owner: String) -> [ConnectionPair] {
    guard unplugged.insert(owner).inserted else { return [] }
    let own = Set(rules.ownPorts(of: owner))
    let pairs = Set(own.flatMap { connectedPairs(of: $0) })
    releasing.formUnion(pairs)
    for port in own { review(knownPairs(of: port)) }
    return pairs.sorted()
  }

  /// Plugs an owner in again.
  package mutating func plug(_ owner: String) {
    guard unplugged.remove(owner) != nil else { return }
    for port in rules.ownPorts(of: owner) { review(knownPairs(of: port)) }
  }
}
