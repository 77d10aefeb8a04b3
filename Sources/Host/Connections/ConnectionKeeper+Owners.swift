// SPDX-License-Identifier: MIT

/// Owners that come and go.
extension ConnectionKeeper {
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

  /// Takes in ports of the host's that stand in for others: no pattern means them, and their connections are not
  /// ours to keep.
  mutating func hide(_ ports: Set<String>) { self.ports.addOwnPorts(ports) }

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
}
