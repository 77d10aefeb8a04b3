// SPDX-License-Identifier: MIT

internal import Sessions

extension GraphRules {
  /// Each node is in one place, none is the host itself, and the session lets nodes in (IAA-3).
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
            + "before a strip and after a route it would make a loop through the host, which costs "
            + "a period",
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
