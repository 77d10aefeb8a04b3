// SPDX-License-Identifier: MIT

internal import GraphFiles
internal import JACK

/// The chains of effects at strips and routes.
extension Presence {
  /// The strips and routes at which the graph has nodes.
  private static func places(of graph: GraphFile) -> [InsertPlace] {
    graph.sources.filter { !$0.inserts.isEmpty || $0.isNode }.map { .strip($0.name) }
      + graph.routes.filter { !$0.inserts.isEmpty }.map { .route($0.name) }
  }

  /// Registers the ports of all nodes of a graph.
  static func inserts(
    of graph: GraphFile,
    _ ports: MixPorts,
    labels: [String: String],
    _ clients: ClientNames,
    on connection: ClientConnection,
  ) throws(JACKError) -> [InsertPorts] {
    let nodeSources = Set(graph.sources.filter(\.isNode).map { InsertPlace.strip($0.name) })
    return try places(of: graph).map { place throws(JACKError) in
      try InsertPorts(
        place,
        channels: ports.channels(of: place),
        label: labels[place.name],
        hasInlets: nodeSources.contains(place),
        clients: clients,
        on: connection,
      )
    }
  }

  /// The ports of the nodes at a place; nil without nodes.
  func inserts(at place: InsertPlace) -> InsertPorts? { inserts.first { $0.place == place } }

  /// Registers the ports of a chain that the graph file does not contain.
  ///
  /// - Returns: The tag of the new arrangement with the chain, for the engine.
  func addInserts(at place: InsertPlace, label: String?) throws(JACKError) -> UInt64 {
    inserts.append(
      try InsertPorts(
        place,
        channels: mixPorts.channels(of: place),
        label: label,
        hasInlets: nodeStrips.contains { place == .strip($0) },
        clients: clients,
        on: mix,
      )
    )
    return rearrange()
  }
}

extension GraphFile.Source {
  /// Whether the source is a node.
  fileprivate var isNode: Bool { if case .node = kind { true } else { false } }
}
