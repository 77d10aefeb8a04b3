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
    let waiting = installed.filter { file in
      !running.contains { node in
        node.client.map { file.isOf(node.description, client: $0) } ?? false
      }
    }
    return (Array(running) + waiting.map(\.node))
      .filter { wanted.finds($0.description.component) }
      .map { node in
        var node = node
        node.lastActiveSeconds = lastUse[NodeFolders.key(node.description)] ?? 0
        return node
      }
      .sorted { ($1.lastActiveSeconds, $0.name) < ($0.lastActiveSeconds, $1.name) }
  }
}
