// SPDX-License-Identifier: MIT

import Synchronization

/// The requests of another version of a graph to an engine that plays.
extension MixEngine {
  /// Gives strips and routes other names, without any change of what is heard.
  ///
  /// - Parameters:
  ///   - strips: The new name of each strip, by its present one; others keep theirs.
  ///   - routes: The new name of each route, by its present one.
  /// [control-thread]
  public func rename(strips: [String: String], routes: [String: String]) {
    guard !strips.isEmpty || !routes.isEmpty else { return }
    control.withLock { $0.rename(strips: strips, routes: routes) }
  }

  /// Whether nothing passes from these strips, and to these routes, any more: all their sends are asked to be silent, and are.
  ///
  /// Up to date after ``collect()``.
  ///
  /// [control-thread]
  public func areSilent(strips: Set<String>, routes: Set<String>) -> Bool {
    control.withLock { $0.areSilent(strips: strips, routes: routes) }
  }
}

extension EngineControl {
  /// Gives strips and routes other names; their blocks stay.
  func rename(strips names: [String: String], routes routeNames: [String: String]) {
    strips = Dictionary(strips.map { (names[$0] ?? $0, $1) }) { first, _ in first }
    routes = Dictionary(routes.map { (routeNames[$0] ?? $0, $1) }) { first, _ in first }
    stripNames = stripNames.mapValues { names[$0] ?? $0 }
    spec = spec.renamed(strips: names, routes: routeNames)
  }

  /// Whether all sends of these strips and to these routes have landed at silence.
  func areSilent(strips ids: Set<String>, routes routeIDs: Set<String>) -> Bool {
    let stripGroups = Set(ids.compactMap { strips[$0]?.ramps.groupID })
    let routeGroups = Set(routeIDs.compactMap { routes[$0]?.ramps.groupID })
    return sends.allSatisfy { key, send in
      guard stripGroups.contains(key.strip) || routeGroups.contains(key.route) else { return true }
      return send.target == 0 && send.isSettled
    }
  }
}

extension MixSpec {
  /// The same mix with other names for strips and routes. [any-thread]
  public func renamed(strips names: [String: String], routes routeNames: [String: String])
    -> MixSpec
  {
    var spec = self
    for index in spec.strips.indices {
      spec.strips[index].id = names[strips[index].id] ?? strips[index].id
    }
    for index in spec.routes.indices {
      spec.routes[index].id = routeNames[routes[index].id] ?? routes[index].id
      spec.routes[index].fallback = routes[index].fallback.map { routeNames[$0] ?? $0 }
    }
    for index in spec.sends.indices {
      spec.sends[index].strip = names[sends[index].strip] ?? sends[index].strip
      spec.sends[index].route = routeNames[sends[index].route] ?? sends[index].route
    }
    return spec
  }
}
