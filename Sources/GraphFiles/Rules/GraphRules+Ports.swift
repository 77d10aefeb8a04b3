// SPDX-License-Identifier: MIT

extension GraphRules {
  /// JACK ports are used once, are not the host's own, and are not more than JACK gives.
  func checkPorts() {
    guard checkPortCount() else { return }
    var used: [(selector: PortSelector, route: String)] = []
    for route in graph.routes {
      for (index, port) in route.ports.enumerated() {
        let position = map.position("routes", .key(route.name), "ports", .index(index))
        checkForeign(port, at: position)
        if let owner = used.first(where: { $0.selector.overlaps(port) })?.route {
          log.error(
            at: position,
            "ports: '\(port)' is in route '\(owner)' already; each port is in one route, once",
          )
        }
        used.append((port, route.name))
      }
    }
    for source in graph.sources {
      guard case .ports(let ports) = source.kind else { continue }
      for (index, port) in ports.enumerated() {
        let position = map.position("sources", .key(source.name), "ports", .index(index))
        checkForeign(port, at: position)
        if let owner = used.first(where: { $0.selector == port })?.route {
          log.error(
            at: position,
            "ports: '\(port)' belongs to route '\(owner)'; to hear an input route, "
              + "write 'input: \(owner)'",
          )
        }
      }
    }
  }

  /// The host registers one port per channel of each output route and each source.
  private func checkPortCount() -> Bool {
    let outputs = graph.routes.filter { $0.direction == .output }.map(\.channels).reduce(0, +)
    let inputs = graph.sources.map { $0.channels ?? 2 }.reduce(0, +)
    let limit = GraphFile.portLimit
    guard outputs + inputs > limit else { return true }
    log.error(
      at: map.keyPosition("routes"),
      "\(outputs) route channels and \(inputs) source channels; JACK gives one client at most "
        + "\(limit) ports",
    )
    return false
  }

  /// JACK would add a period of latency where a client is connected to itself.
  private func checkForeign(_ port: PortSelector, at position: SourcePosition) {
    guard case .name(let name) = port, name.hasPrefix("\(graph.name):") else { return }
    log.error(
      at: position,
      "ports: '\(name)' is a port of the host itself ('name: \(graph.name)'), which makes a loop; "
        + "name a port of another client",
    )
  }
}

extension PortSelector {
  /// Whether two selectors surely mean one port; two different patterns are given the benefit of the
  /// doubt.
  fileprivate func overlaps(_ other: PortSelector) -> Bool {
    switch (self, other) {
    case (.name(""), _), (_, .name("")): false
    case (.name(let name), .pattern): other.matches(name)
    case (_, .name(let name)): matches(name)
    case (.pattern, .pattern): self == other
    }
  }
}
