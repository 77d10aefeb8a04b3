// SPDX-License-Identifier: MIT

extension GraphRules {
  /// A fallback is another output route, and no chain of them comes back to where it began.
  func checkFallbacks() {
    for route in graph.routes {
      guard let fallback = route.fallback, !fallback.isEmpty else { continue }
      let position = map.position("routes", .key(route.name), "fallback")
      guard checkRoute(fallback, .output, at: position, "fallback") else { continue }
      var seen: Set<String> = [route.name]
      var next: String? = fallback
      while let name = next, seen.insert(name).inserted { next = routes[name]?.fallback }
      if next == route.name {
        log.error(at: position, "fallback: '\(fallback)' leads back to '\(route.name)'")
      }
    }
  }

  /// Helpers get names that JACK takes whole.
  func checkHelpers() {
    for route in graph.routes where route.helper != nil {
      let client = graph.helperClient(of: route)
      guard client.utf8.count > GraphFile.clientNameLimit else { continue }
      log.error(
        at: map.keyPosition("routes", .key(route.name)),
        "route '\(route.name)': its helper would be the JACK client '\(client)'; "
          + "allowed: \(GraphFile.clientNameLimit) bytes; shorten the name of graph or route",
      )
    }
  }
}
