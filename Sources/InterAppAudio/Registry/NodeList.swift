// SPDX-License-Identifier: MIT

/// Nodes that run and nodes that are installed, as one list.
public enum NodeList {
  /// Joins both: an installed node that runs is in the list once.
  ///
  /// - Parameters:
  ///   - running: The nodes of a directory.
  ///   - installed: What node files declare.
  ///   - lastUse: When each was last used, from ``NodeFolders/lastUse()``.
  ///   - wanted: What is looked for; its zero fields fit anything.
  /// - Returns: The nodes that fit, the one used last first, then by name.
  public static func make(
    running: some Collection<Node>,
    installed: [InstalledNode],
    lastUse: [String: Double],
    finding wanted: AudioComponentDescription = AudioComponentDescription(),
  ) -> [Node] {
    let used = Set(
      running.compactMap { node in
        node.client.flatMap { installed.file(of: node.description, client: $0)?.path }
      }
    )
    let waiting = installed.filter { !used.contains($0.path) }
    return (Array(running) + waiting.map(\.node))
      .filter { wanted.finds($0.description.component) }
      .map { node in
        var node = node
        node.lastActiveSeconds = lastUse[NodeFolders.key(node.description)] ?? 0
        return node
      }
      .sorted { ($1.lastActiveSeconds, $0.name) < ($0.lastActiveSeconds, $1.name) }
  }

  /// The node that a name means: that of its client, else one that would be started, else what is called so.
  static func node(named name: String, in nodes: [Node]) -> Node? {
    let called = nodes.filter { $0.description.name == name }
    return nodes.first { $0.client == name } ?? called.first { !$0.isRunning } ?? called.first
  }
}
