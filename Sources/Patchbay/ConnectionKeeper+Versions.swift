// SPDX-License-Identifier: MIT

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
    /// Whether users' connections outlive the programs at their other ends.
    package var keepsPatches: Bool

    /// Makes the value from its parts.
    package init(
      rules: [ConnectionRule],
      formerOwners: Set<String>,
      renamedPorts: [String: String] = [:],
      keepsPatches: Bool,
    ) {
      self.rules = rules
      self.formerOwners = formerOwners
      self.renamedPorts = renamedPorts
      self.keepsPatches = keepsPatches
    }
  }

  /// Goes over to another version.
  ///
  /// A connection that the new rules ask for, too, and one that a user has made by hand stays. JACK keeps the connections of a
  /// renamed port.
  ///
  /// - Returns: The connections to remove now; their removal is not taken for a user's.
  package mutating func take(_ version: Version) -> [ConnectionPair] {
    keepsPatches = version.keepsPatches
    var changed: [ConnectionPair] = []
    for owner in version.formerOwners { changed += rules.remove(owner: owner, among: &ports) }
    renamePorts(version.renamedPorts)
    unplugged.subtract(version.formerOwners.subtracting(version.rules.map(\.owner)))
    for rule in version.rules { changed += rules.add(rule, among: &ports) }
    let dropped = Set(changed.map { $0.renamed(version.renamedPorts) }).filter {
      rules.owners(askingFor: $0).isEmpty
    }
    // A connection that nobody asks for any more is refused by no user either.
    takenAway.subtract(dropped)
    for pair in dropped { inDoubt[pair] = nil }
    let stale = dropped.filter { connections.contains($0) && !madeByHand.contains($0) }
    releasing.formUnion(stale)
    reviewAll()
    return stale.sorted()
  }

  private mutating func renamePorts(_ names: [String: String]) {
    for (old, new) in names {
      guard let info = ports.info(of: old)?.renamed(new) else { continue }
      ports.remove(old)
      ports.addOwnPorts([new])
      ports.insert(info)
    }
    rename(names)
  }

  /// Forgets a target that ``watch(_:facing:)`` keeps ready.
  package mutating func unwatch(
    _ target: ConnectionRule.Target,
    facing direction: ConnectionRule.Direction,
  ) {
    for query in target.queries(facing: direction) { ports.unwatch(query) }
  }
}
