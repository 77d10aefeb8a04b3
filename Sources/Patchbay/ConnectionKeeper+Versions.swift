// SPDX-License-Identifier: MIT

internal import JACK

/// Another version of the graph. [any-thread]
extension ConnectionKeeper {
  /// The connections of a version of the graph.
  package struct Version: Sendable {
    /// Its rules.
    package var rules: [ConnectionRule]
    /// The routes and sources of the version before, by the names that they had.
    package var formerOwners: Set<String>
    /// The new full name of each port of the host that has been renamed, by the former one.
    package var renamedPorts: [String: String]
    /// The owner that is heard instead while an owner's own ports are away, by owner.
    package var fallbacks: [String: String]
    /// Whether users' connections outlive the programs at their other ends.
    package var keepsPatches: Bool

    /// Makes the value from its parts.
    package init(
      rules: [ConnectionRule],
      formerOwners: Set<String>,
      renamedPorts: [String: String] = [:],
      fallbacks: [String: String] = [:],
      keepsPatches: Bool,
    ) {
      self.rules = rules
      self.formerOwners = formerOwners
      self.renamedPorts = renamedPorts
      self.fallbacks = fallbacks
      self.keepsPatches = keepsPatches
    }

    fileprivate func renamed(_ pair: ConnectionPair) -> ConnectionPair {
      ConnectionPair(
        source: renamedPorts[pair.source] ?? pair.source,
        destination: renamedPorts[pair.destination] ?? pair.destination,
      )
    }
  }

  /// Goes over to another version.
  ///
  /// A connection that the new rules ask for, too, and one that a user has made by hand stays. JACK keeps the connections of a
  /// renamed port.
  ///
  /// - Returns: The connections to remove now; their removal is not taken for a user's.
  package mutating func take(_ version: Version) -> [ConnectionPair] {
    fallbacks = version.fallbacks
    keepsPatches = version.keepsPatches
    var changed: [ConnectionPair] = []
    for owner in version.formerOwners { changed += rules.remove(owner: owner, among: &ports) }
    rename(version)
    unplugged.subtract(version.formerOwners.subtracting(version.rules.map(\.owner)))
    for rule in version.rules { changed += rules.add(rule, among: &ports) }
    let dropped = Set(changed.map(version.renamed)).filter {
      rules.owners(askingFor: $0).isEmpty
    }
    // A connection that nobody asks for any more is refused by no user either.
    takenAway.subtract(dropped)
    for pair in dropped { inDoubt[pair] = nil }
    let stale = dropped.filter {
      connections.contains($0) && !fallbackPairs.contains($0) && !madeByHand.contains($0)
    }
    releasing.formUnion(stale)
    reviewAll()
    return stale.sorted()
  }

  private mutating func rename(_ version: Version) {
    guard !version.renamedPorts.isEmpty else { return }
    for (old, new) in version.renamedPorts {
      guard let info = ports.info(of: old) else { continue }
      ports.remove(old)
      ports.addOwnPorts([new])
      ports.insert(info.renamed(new))
    }
    ownPorts = Set(ownPorts.map { version.renamedPorts[$0] ?? $0 })
    connections = Set(connections.map(version.renamed))
    madeByHand = Set(madeByHand.map(version.renamed))
    madeByPrograms = Set(madeByPrograms.map(version.renamed))
    takenAway = Set(takenAway.map(version.renamed))
    releasing = Set(releasing.map(version.renamed))
    refusals = Set(refusals.map(version.renamed))
    fallbackPairs = Set(fallbackPairs.map(version.renamed))
    patchedLinks = Dictionary(
      patchedLinks.map { (version.renamed($0), $1) },
      uniquingKeysWith: +,
    )
    ownConnects = Dictionary(ownConnects.map { (version.renamed($0), $1) }, uniquingKeysWith: +)
    inDoubt = Dictionary(inDoubt.map { (version.renamed($0), $1) }, uniquingKeysWith: max)
    orphans = Dictionary(orphans.map { (version.renamed($0), $1) }, uniquingKeysWith: max)
  }

  /// Forgets a target that ``watch(_:facing:)`` keeps ready.
  package mutating func unwatch(
    _ target: ConnectionRule.Target,
    facing direction: ConnectionRule.Direction,
  ) {
    for query in target.queries(facing: direction) { ports.unwatch(query) }
  }
}

extension PortInfo {
  /// The same port with another full name of its client. [any-thread]
  fileprivate func renamed(_ name: String) -> PortInfo {
    PortInfo(
      name: name,
      client: client,
      shortName: String(name.dropFirst(client.utf8.count + 1)),
      type: type,
      flags: flags,
      isMine: isMine,
      uuid: uuid,
      aliases: aliases,
    )
  }
}
