// SPDX-License-Identifier: MIT

internal import JACK

/// Ports that get other names; JACK keeps their connections. [any-thread]
extension ConnectionKeeper {
  /// A port of another program has another name: all that is known of its connections goes on under that name.
  ///
  /// - Returns: Whether the port is known.
  package mutating func portRenamed(_ old: String, to new: String) -> Bool {
    guard let renamed = ports.info(of: old)?.renamed(new) else { return false }
    rename([old: new])
    take(ports.remove(old))
    take(ports.insert(renamed))
    reviewAll()
    return true
  }

  /// Ports have other names.
  ///
  /// - Parameter names: The new full name of each, by the former one.
  mutating func rename(_ names: [String: String]) {
    guard !names.isEmpty else { return }
    ownPorts = Set(ownPorts.map { names[$0] ?? $0 })
    connections = Set(connections.map { $0.renamed(names) })
    madeByHand = Set(madeByHand.map { $0.renamed(names) })
    madeByPrograms = Set(madeByPrograms.map { $0.renamed(names) })
    takenAway = Set(takenAway.map { $0.renamed(names) })
    releasing = Set(releasing.map { $0.renamed(names) })
    refusals = Set(refusals.map { $0.renamed(names) })
    patchedLinks = Dictionary(patchedLinks.map { ($0.renamed(names), $1) }, uniquingKeysWith: +)
    ownConnects = Dictionary(ownConnects.map { ($0.renamed(names), $1) }, uniquingKeysWith: +)
    inDoubt = Dictionary(inDoubt.map { ($0.renamed(names), $1) }, uniquingKeysWith: max)
    orphans = Dictionary(orphans.map { ($0.renamed(names), $1) }, uniquingKeysWith: max)
  }
}

extension PortInfo {
  /// The same port with another full name; nil where that is another client's. [any-thread]
  func renamed(_ name: String) -> PortInfo? {
    guard name.hasPrefix(client + ":") else { return nil }
    return PortInfo(
      name: name,
      client: client,
      shortName: String(name.dropFirst(client.count + 1)),
      type: type,
      flags: flags,
      isMine: isMine,
      uuid: uuid,
      aliases: aliases,
    )
  }
}
