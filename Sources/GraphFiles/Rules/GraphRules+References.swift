// SPDX-License-Identifier: MIT

extension GraphRules {
  /// Every name stands for something of the right kind.
  func checkReferences() {
    for route in graph.routes where sources[route.name] != nil {
      log.error(
        at: map.keyPosition("sources", .key(route.name)),
        "source '\(route.name)': a route has this name; commands and messages need to tell them apart",
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
    for (index, adoption) in graph.adoptions.enumerated() {
      if adoption.isDefault, index < graph.adoptions.count - 1 {
        log.error(
          at: map.position("adopt", .index(index)),
          "adoption: it has neither 'client' nor 'executable' and so is for all that no other rule "
            + "matches; write it last",
        )
      }
      for (place, route) in adoption.routes.enumerated() {
        let position = map.position("adopt", .index(index), "routes", .index(place))
        checkRoute(route, .output, at: position, "routes")
      }
    }
    checkCrossfader()
    checkCue()
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
        log.error(at: position, "sources: source '\(name)' is there already")
      }
    }
  }

  private func checkSource(_ name: String, at position: SourcePosition, _ key: String) {
    guard !name.isEmpty, sources[name] == nil else { return }
    log.error(at: position, unknown(name, "source", graph.sources.map(\.name), key))
  }

  /// Reports a name that is no route of that direction.
  ///
  /// - Returns: Whether it is one.
  @discardableResult
  func checkRoute(
    _ name: String,
    _ direction: GraphFile.Route.Direction,
    at position: SourcePosition,
    _ key: String,
  ) -> Bool {
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
