// SPDX-License-Identifier: MIT

internal import GraphFiles

/// The version of the graph that is in force; all rooms read it here.
///
/// Belongs to the control thread.
final class GraphRoom {
  private var present: GraphFile { didSet { looks = Appearance.all(of: present) } }
  private var looks: [String: Appearance]
  private var count = 1

  /// Starts with the graph of the host's start.
  init(_ graph: GraphFile) {
    present = graph
    looks = Appearance.all(of: graph)
  }

  /// The graph in force.
  var file: GraphFile { present }
  /// The labels and colours of its sources and routes, by name.
  var appearances: [String: Appearance] { looks }
  /// The number of the version in force; the graph of the start is 1.
  var version: Int { count }

  /// Puts another version in force; rooms read it from now on.
  func take(_ graph: GraphFile) {
    present = graph
    count += 1
  }

  /// Gives sources and routes of the version in force other names; it counts as the same version.
  func rename(to graph: GraphFile) { present = graph }
}

/// Parts of a graph that several rooms ask for. [any-thread]
extension GraphFile {
  /// The routes that are heard.
  var outputRoutes: [Route] { routes.filter { $0.direction == .output } }
  /// The ports of the routes from which the host hears.
  var inputSelectors: [PortSelector] {
    routes.filter { $0.direction == .input }.flatMap(\.ports)
  }
  /// Whether a rule gives clients sessions.
  var adoptsClients: Bool { adoptions.contains { $0.session != nil } }
}
