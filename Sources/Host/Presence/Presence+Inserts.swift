// SPDX-License-Identifier: MIT

internal import GraphFiles
internal import JACK

/// The chains of effects at strips and routes.
extension Presence {
  /// Where the graph has effects.
  static func inserts(of graph: GraphFile) -> [InsertPlace] {
    graph.sources.filter { !$0.inserts.isEmpty }.map { .strip($0.name) }
      + graph.routes.filter { !$0.inserts.isEmpty }.map { .route($0.name) }
  }

  /// The ports of the chain at a place; nil where there is none.
  func inserts(at place: InsertPlace) -> InsertPorts? { inserts.first { $0.place == place } }

  /// Registers the ports of a chain that the graph does not have.
  ///
  /// - Returns: The tag of the arrangement with it, for the engine.
  func addInserts(at place: InsertPlace, label: String?) throws(JACKError) -> UInt64 {
    inserts.append(
      try InsertPorts(place, channels: mixPorts.channels(of: place), label: label, on: mix)
    )
    return rearrange()
  }
}
