// SPDX-License-Identifier: MIT

internal import YAML

/// Checks the references between the parts of a graph.
///
/// It works on graphs with faults too, so that one run reports everything. It skips names and values that were already
/// reported as faulty.
///
/// Pure value: [any-thread].
struct GraphChecks {
  /// Parts with faults of their own, from which no conclusions are drawn.
  struct FaultyParts {
    var isSessionFaulty = false
    var routes: Set<String> = []
  }

  let graph: GraphFile
  let faulty: FaultyParts
  /// The graph's adoption rules with their places.
  let rules: [PlacedRule]
  let map: SourceMap
  let log: DiagnosticLog
  let routes: [String: GraphFile.Route]
  let sources: [String: GraphFile.Source]

  /// - Parameters:
  ///   - graph: The graph with the entries of the file at their indices.
  ///   - reading: Parts with faults of their own, and the places of adoption rules.
  ///   - root: The document that the graph was read from.
  ///   - log: Receives the faults.
  init(_ graph: GraphFile, _ reading: GraphReading, root: YAMLNode, log: DiagnosticLog) {
    self.graph = graph
    faulty = reading.faulty
    rules = reading.rules
    self.log = log
    map = SourceMap(root: root)
    routes = Dictionary(graph.routes.map { ($0.name, $0) }) { first, _ in first }
    sources = Dictionary(graph.sources.map { ($0.name, $0) }) { first, _ in first }
  }

  func check() {
    checkCategory()
    checkDirections()
    checkReferences()
    checkPorts()
    checkSends()
    checkTones()
    checkRecorders()
    checkHelpers()
    checkHelperResources()
    checkFallbacks()
    checkNodes()
    checkRenames()
  }

  /// Whether `route` itself is free of faults.
  func isSound(_ route: GraphFile.Route) -> Bool {
    !faulty.routes.contains(route.name)
  }
}

extension GraphChecks {
  /// Checks that every name stands for something of the right kind.
  func checkReferences() {
    for route in graph.routes where sources[route.name] != nil {
      log.error(
        at: map.keyPosition("sources", .key(route.name)),
        "source '\(route.name)': a route has this name; a source and a route need different names",
      )
    }
    for source in graph.sources {
      guard case .inputRoute(let name) = source.kind else { continue }
      checkRoute(name, .input, at: map.position("sources", .key(source.name), "input"), "input")
    }
    for (index, send) in graph.sends.enumerated() {
      checkSource(send.source, at: map.position("mix", .index(index), "from"), "from")
      checkRoute(send.route, .output, at: map.position("mix", .index(index), "to"), "to")
    }
    for rule in rules {
      let adoption = rule.adoption
      if adoption.isDefault, !rule.isLast {
        rule.log.error(
          at: rule.position(),
          "adoption: it has neither 'client' nor 'executable', so it matches every client; "
            + "write it last",
        )
      }
      for (place, route) in adoption.routes.enumerated() {
        let position = rule.position("routes", .index(place))
        checkRoute(route, .output, at: position, "routes", in: rule.log)
      }
      checkLevels(adoption.start, of: rule, at: [])
      checkStrips(of: rule)
    }
    checkCrossfader()
    checkCue()
  }

  private func checkLevels(
    _ start: GraphFile.StartLevels,
    of rule: PlacedRule,
    at path: [SourceMap.Step]
  ) {
    for route in start.sends.keys.sorted() {
      let position = rule.map.keyPosition(
        of: ["adopt", .index(rule.index)] + path + ["levels", .key(route)]
      )
      checkRoute(route, .output, at: position, "levels", in: rule.log)
    }
  }

  private func checkStrips(of rule: PlacedRule) {
    for strip in rule.adoption.strips {
      if routes[strip.name] != nil || sources[strip.name] != nil {
        rule.log.error(
          at: rule.keyPosition("strips", .key(strip.name)),
          "adopted strip '\(strip.name)': a route or source has this name",
        )
      }
      // Routes of the rule itself are checked there.
      for (place, route) in strip.routes.enumerated() where strip.routes != rule.adoption.routes {
        let position = rule.position("strips", .key(strip.name), "routes", .index(place))
        checkRoute(route, .output, at: position, "routes", in: rule.log)
      }
      if strip.start.sends != rule.adoption.start.sends {
        checkLevels(strip.start, of: rule, at: ["strips", .key(strip.name)])
      }
    }
  }

  private func checkCrossfader() {
    guard let crossfader = graph.crossfader else { return }
    var seen: Set<String> = []
    for (side, names) in [("a", crossfader.a), ("b", crossfader.b)] {
      for (index, name) in names.enumerated() {
        let position = map.position("controls", "crossfader", .key(side), .index(index))
        checkSource(name, at: position, side)
        if !name.isEmpty, !seen.insert(name).inserted {
          log.error(at: position, "\(side): source '\(name)' is on the crossfader already")
        }
      }
    }
  }

  private func checkCue() {
    guard let cue = graph.cue else { return }
    checkRoute(cue.route, .output, at: map.position("controls", "cue", "to"), "to")
    var seen: Set<String> = []
    for (index, name) in cue.sources.enumerated() {
      let position = map.position("controls", "cue", "sources", .index(index))
      checkSource(name, at: position, "sources")
      if !name.isEmpty, !seen.insert(name).inserted {
        log.error(at: position, "sources: source '\(name)' is in this list already")
      }
    }
  }

  private func checkSource(_ name: String, at position: SourcePosition, _ key: String) {
    guard !name.isEmpty, sources[name] == nil else { return }
    let strips = key == "from" ? [] : graph.adoptions.flatMap(\.strips).map(\.name)
    guard !strips.contains(name) else { return }
    log.error(at: position, unknown(name, "source", graph.sources.map(\.name) + strips, key))
  }

  /// Reports a name that is not the name of a route of that direction.
  ///
  /// - Returns: Whether it is the name of one.
  @discardableResult
  func checkRoute(
    _ name: String,
    _ direction: GraphFile.Route.Direction,
    at position: SourcePosition,
    _ key: String,
    in ruleLog: DiagnosticLog? = nil,
  ) -> Bool {
    let log = ruleLog ?? log
    guard !name.isEmpty else { return false }
    guard let route = routes[name] else {
      let fitting = graph.routes.filter { $0.direction == direction }.map(\.name)
      log.error(at: position, unknown(name, "\(direction.rawValue) route", fitting, key))
      return false
    }
    if isSound(route), route.direction != direction {
      log.error(
        at: position,
        "\(key): the route '\(name)' is an \(route.direction.rawValue) route; "
          + "an \(direction.rawValue) route is needed",
      )
    }
    return route.direction == direction
  }

  func unknown(
    _ name: String,
    _ noun: String,
    _ known: [String],
    _ key: String,
  ) -> String {
    let shown = known.prefix(12).joined(separator: ", ")
    let rest = known.count > 12 ? ", …" : ""
    return "\(key): there is no \(noun) '\(name)'"
      + MessageText.suggestion(for: name, among: known)
      + (known.isEmpty ? "; the graph has none" : "; there are: \(shown)\(rest)")
  }
}
