// SPDX-License-Identifier: MIT

/// The sources and routes that have another name in a new version of a graph.
///
/// Pure value: [any-thread].
struct GraphRenames: Equatable {
  /// The sources, old name to new name.
  private(set) var sources: [String: String]
  /// The routes, old name to new name.
  private(set) var routes: [String: String]

  /// Takes the keys `was` whose old name the old graph has, unless it has the new one, too.
  init(from old: GraphFile, to new: GraphFile) {
    sources = Self.renames(
      Set(old.sources.map(\.name)),
      new.sources.map { ($0.name, $0.was) },
    )
    routes = Self.renames(Set(old.routes.map(\.name)), new.routes.map { ($0.name, $0.was) })
  }

  /// Makes the value from its parts.
  init(sources: [String: String], routes: [String: String]) {
    self.sources = sources
    self.routes = routes
  }

  /// The sources, new name to old name.
  var newSources: [String: String] { Self.inverted(sources) }
  /// The routes, new name to old name.
  var newRoutes: [String: String] { Self.inverted(routes) }

  private static func renames(
    _ old: Set<String>,
    _ new: [(name: String, was: String?)],
  ) -> [String: String] {
    let names = Set(new.map(\.name))
    var renames: [String: String] = [:]
    for (name, was) in new {
      guard let was, old.contains(was), !old.contains(name), !names.contains(was) else { continue }
      renames[was] = renames[was] ?? name
    }
    return renames
  }

  private static func inverted(_ names: [String: String]) -> [String: String] {
    Dictionary(names.map { ($1, $0) }) { first, _ in first }
  }
}

extension GraphFile {
  /// The same graph with other names for sources and routes, wherever it names them. [any-thread]
  ///
  /// - Parameters:
  ///   - sources: The new name of each source, by the present one; others keep theirs.
  ///   - routes: The new name of each route, by the present one.
  /// - Returns: The graph with these names.
  public func renamed(sources: [String: String], routes: [String: String]) -> GraphFile {
    renamed(GraphRenames(sources: sources, routes: routes))
  }

  /// The same graph with other names for sources and routes, wherever it names them. [any-thread]
  func renamed(_ renames: GraphRenames) -> GraphFile {
    func source(_ name: String) -> String { renames.sources[name] ?? name }
    func route(_ name: String) -> String { renames.routes[name] ?? name }
    guard !renames.sources.isEmpty || !renames.routes.isEmpty else { return self }
    var graph = self
    for index in routes.indices {
      graph.routes[index].name = route(routes[index].name)
      graph.routes[index].fallback = routes[index].fallback.map(route)
    }
    for index in sources.indices {
      graph.sources[index].name = source(sources[index].name)
      if case .inputRoute(let name) = sources[index].kind {
        graph.sources[index].kind = .inputRoute(route(name))
      }
    }
    for index in sends.indices {
      graph.sends[index].source = source(sends[index].source)
      graph.sends[index].route = route(sends[index].route)
    }
    for index in recorders.indices {
      // A source and a route have different names.
      graph.recorders[index].subject = route(source(recorders[index].subject))
    }
    graph.crossfader?.a = crossfader?.a.map(source) ?? []
    graph.crossfader?.b = crossfader?.b.map(source) ?? []
    graph.cue?.route = cue.map { route($0.route) } ?? ""
    graph.cue?.sources = cue?.sources.map(source) ?? []
    for index in adoptions.indices {
      graph.adoptions[index].routes = adoptions[index].routes.map(route)
      graph.adoptions[index].start = adoptions[index].start.renamed(route)
      for place in adoptions[index].strips.indices {
        graph.adoptions[index].strips[place].routes =
          adoptions[index].strips[place].routes.map(route)
        graph.adoptions[index].strips[place].start =
          adoptions[index].strips[place].start.renamed(route)
      }
    }
    for index in controllers.indices {
      graph.controllers[index].mappings = controllers[index].mappings.map { $0.renamed(renames) }
    }
    graph.nameHelpers()
    return graph
  }
}

extension ControlMapping {
  /// The mapping with the path of a renamed strip or route. [any-thread]
  fileprivate func renamed(_ renames: GraphRenames) -> ControlMapping {
    guard case .parameter(let path) = target else { return self }
    var parts = path.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
    guard parts.count > 2 else { return self }
    switch parts[1] {
    case "strip":
      parts[2] = renames.sources[parts[2]] ?? parts[2]
      if parts.count > 4, parts[3] == "send" { parts[4] = renames.routes[parts[4]] ?? parts[4] }
    case "route": parts[2] = renames.routes[parts[2]] ?? parts[2]
    case "simulate" where parts[2] == "unplug" && parts.count > 3:
      parts[3] = renames.routes[parts[3]] ?? parts[3]
    default: return self
    }
    var mapping = self
    mapping.target = .parameter(parts.joined(separator: "/"))
    return mapping
  }
}

extension GraphChecks {
  /// Checks that each old name belongs to one renamed source or route, and to none that is still there.
  func checkRenames() {
    check(graph.sources.map { ($0.name, $0.was) }, in: "sources", noun: "source")
    check(graph.routes.map { ($0.name, $0.was) }, in: "routes", noun: "route")
  }

  private func check(
    _ entries: [(name: String, was: String?)],
    in section: String,
    noun: String,
  ) {
    var heirs: [String: String] = [:]
    for (name, was) in entries {
      guard let was, !was.isEmpty else { continue }
      let position = map.position(.key(section), .key(name), "was")
      if entries.contains(where: { $0.name == was }) {
        log.error(
          at: position,
          was == name
            ? "was: the \(noun) has this name now; write the name that it had before, or remove the key"
            : "was: '\(was)' is still a \(noun) of this file; name one that is gone, or remove the key",
        )
      } else if let other = heirs[was] {
        log.error(
          at: position,
          "was: \(noun) '\(other)' was '\(was)' already; keep one of them",
        )
      } else {
        heirs[was] = name
      }
    }
  }
}
