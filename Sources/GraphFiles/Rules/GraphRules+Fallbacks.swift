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
}
