// SPDX-License-Identifier: MIT

/// The keys of a node in `inserts`, or of a source's `node`.
enum InsertKey: String, SectionKey {
  static let section = "insert"
  case name, restart, bypass
}

extension Field {
  /// A node, by its name alone or with more about it.
  func nodeUse(isEffect: Bool) -> GraphFile.NodeUse? {
    if case .scalar = node.content { return nodeName().map { .init(name: $0) } }
    guard let section: Section<InsertKey> = section(),
      let name = section.required(.name, example: "delay")?.nodeName()
    else { return nil }
    var use = GraphFile.NodeUse(name: name)
    use.restart = section[.restart]?.choice() ?? use.restart
    use.isBypassed = section[.bypass]?.flag() ?? use.isBypassed
    if !isEffect { section[.bypass]?.error("a source cannot be bypassed; mute it") }
    return use
  }

  /// The name of a JACK client.
  private func nodeName() -> String? {
    let limit = GraphFile.nodeNameLimit
    let allowed = "a node's name: at most \(limit) bytes without ':'"
    guard let text = text(allowed: allowed) else { return nil }
    guard text.utf8.count <= limit, !text.contains(":") else {
      error("\(MessageText.quoted(text)) can be no JACK client's name; write \(allowed)")
      return nil
    }
    return text
  }

  /// A chain of effects, in the order of the signal.
  func inserts() -> [GraphFile.NodeUse] {
    (list(allowed: "a list of nodes, for example [delay, equalizer],", limit: 64) ?? [])
      .compactMap { $0.nodeUse(isEffect: true) }
  }
}
