// SPDX-License-Identifier: MIT

internal import Sessions
internal import YAML

extension GraphFile {
  /// A node in the graph: a source, or an insert in a chain.
  public struct NodeUse: Sendable, Equatable {
    /// The name of its JACK client, or its name in a node file.
    public var name: String
    /// Whether the host starts it again when it ends.
    public var restart = Restart.once
    /// Whether it starts bypassed; inserts only.
    public var isBypassed = false

    /// Makes a use of a node that is started again once.
    public init(name: String) { self.name = name }
  }
}

extension GraphFile.NodeUse {
  /// The host's policy for starting a node again; the raw value is the name in the file.
  public enum Restart: String, Sendable, CaseIterable {
    /// The host never starts it again.
    case never
    /// The first time.
    case once
    /// Each time, waiting longer from one to the next.
    case always
  }
}

extension GraphFile {
  /// The most bytes of a client's name in JACK.
  static let nodeNameLimit = 63

  /// Every use of a node, with its source or route.
  public var nodeUses: [(place: String, use: NodeUse)] {
    sources.flatMap { source in
      var uses = source.inserts.map { (source.name, $0) }
      if case .node(let use) = source.kind { uses.insert((source.name, use), at: 0) }
      return uses
    } + routes.flatMap { route in route.inserts.map { (route.name, $0) } }
  }
}

/// The keys of a node in `inserts`, or of a source's `node`.
enum InsertKey: String, SectionKey {
  static let section = "insert"
  case name, restart, bypass
}

extension Field {
  /// A node, as a name alone or as a mapping.
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
      error("\(MessageText.quoted(text)) cannot be a JACK client's name; write \(allowed)")
      return nil
    }
    return text
  }

  /// A chain of inserts, in the order of the signal.
  func inserts() -> [GraphFile.NodeUse] {
    (list(allowed: "a list of nodes, for example [delay, equalizer],", limit: 64) ?? [])
      .compactMap { $0.nodeUse(isEffect: true) }
  }
}

extension GraphChecks {
  /// Checks that each node has one place and is not the host itself, and that the session permits
  /// nodes (IAA-3).
  func checkNodes() {
    var places: [String: String] = [:]
    for (place, use) in graph.nodeUses {
      let isRoute = routes[place] != nil
      let position = map.keyPosition(isRoute ? "routes" : "sources", .key(place))
      if use.name == graph.name || use.name == "\(graph.name)-sources" {
        log.error(
          at: position,
          "'\(place)': '\(use.name)' is the host itself; a client in a loop with itself costs a period",
        )
      }
      if let other = places[use.name] {
        log.error(
          at: position,
          "'\(place)': node '\(use.name)' is at '\(other)' already; a node has one place, because "
            + "two places would make a loop through the host, which costs a period",
        )
      }
      places[use.name] = place
    }
    guard !faulty.isSessionFaulty, let first = graph.nodeUses.first else { return }
    let mixes = graph.session.options.contains { $0.contains(.mixWithOthers) }
    if !mixes {
      log.error(
        at: map.keyPosition("session"),
        "session: node '\(first.use.name)' needs 'options: [mixWithOthers]' (IAA-3)",
      )
    }
    for route in graph.routes where route.direction == .input && !route.inserts.isEmpty {
      log.error(
        at: map.position("routes", .key(route.name), "inserts"),
        "inserts: '\(route.name)' is an input route; give them to a source with 'input: \(route.name)'",
      )
    }
  }
}
