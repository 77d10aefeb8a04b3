// SPDX-License-Identifier: MIT

/// The keys of a node in `inserts`, or of a source's `node`.
enum InsertKey: String, SectionKey {
  static let section = "insert"
  case name, restart, bypass
}

extension Field {
  /// A node, by its name alone or with more about it.
  func nodeUse(isEffect: Bool) -> GraphFile.NodeUse? {
    if case .scalar = node.content { return text(allowed: "a node's name").map { .init(name: $0) } }
    guard let section: Section<InsertKey> = section(),
      let name = section.required(.name, example: "delay")?.text(allowed: "a node's name")
    else { return nil }
    var use = GraphFile.NodeUse(name: name)
    use.restart = section[.restart]?.choice() ?? use.restart
    use.isBypassed = section[.bypass]?.flag() ?? use.isBypassed
    if !isEffect { section[.bypass]?.error("a source cannot be bypassed; mute it") }
    return use
  }

  /// A chain of effects, in the order of the signal.
  func inserts() -> [GraphFile.NodeUse] {
    (list(allowed: "a list of nodes, for example [delay, equalizer],", limit: 64) ?? [])
      .compactMap { $0.nodeUse(isEffect: true) }
  }
}
