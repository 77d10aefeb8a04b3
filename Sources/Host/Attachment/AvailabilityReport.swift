// SPDX-License-Identifier: MIT

internal import ControlProtocol
internal import GraphFiles

/// The last published availability of a graph's routes and sources.
///
/// Pure value: [any-thread].
struct AvailabilityReport {
  private var routes: [GraphFile.Route]
  private var path: String
  private var sources: [String]
  private var areAvailable: [String: Bool] = [:]

  /// Starts with an unknown availability of all output routes and sources of a graph.
  init(graph: GraphFile) {
    routes = graph.outputRoutes
    path = graph.path
    sources = graph.sources.map(\.name)
  }

  /// Goes over to the routes and sources of another version; what was published of those that stay is known.
  mutating func take(_ graph: GraphFile) {
    var next = AvailabilityReport(graph: graph)
    let names = next.routes.map { "route \($0.name)" } + next.sources.map { "source \($0)" }
    next.areAvailable = areAvailable.filter { names.contains($0.key) }
    self = next
  }

  /// The events for those that have found or lost their ports.
  ///
  /// - Parameters:
  ///   - isSatisfied: Whether a route or source is there.
  ///   - freePorts: The ports of devices that no route has found.
  /// - Returns: Each event with its sentence.
  mutating func changes(
    isSatisfied: (String) -> Bool,
    freePorts: () -> [String] = { [] },
  ) -> [(payload: EventPayload, message: String)] {
    // Each port is proposed to one route.
    lazy var free = DevicePorts.inOrder(freePorts())
    var hasProposed = false
    return routes.compactMap { route in
      let name = route.name
      let change = change("route", name, isAvailable: isSatisfied(name)) { isAvailable in
        isAvailable ? .routeAvailable(.init(route: name)) : .routeUnavailable(.init(route: name))
      }
      guard let change, !isSatisfied(name) else { return change }
      guard route.helper == nil else { return change }
      if let line = route.line(with: free) {
        free.removeFirst(route.channels)
        hasProposed = true
        return (change.0, change.1 + hint(line))
      }
      return (change.0, change.1 + (hasProposed ? noneLeft : ""))
    }
      + sources.compactMap { name in
        change("source", name, isAvailable: isSatisfied(name)) { isAvailable in
          isAvailable
            ? .sourceConnected(.init(strip: name)) : .sourceDisconnected(.init(strip: name))
        }
      }
  }

  /// The line to write for a route whose ports have other names on this server.
  private func hint(_ line: String) -> String {
    "; devices of this server have other ports: write \(line) for it in \(path) "
      + "('multiroute devices \(path)' lists all)"
  }

  /// The advice for a route after whose forerunners no port of a device is left.
  private var noneLeft: String {
    "; no further port of a device is left for it: give it 'fallback: ROUTE' in \(path), or take it out"
  }

  private mutating func change(
    _ kind: String,
    _ name: String,
    isAvailable: Bool,
    _ payload: (Bool) -> EventPayload,
  ) -> (EventPayload, String)? {
    let before = areAvailable.updateValue(isAvailable, forKey: "\(kind) \(name)")
    guard before != isAvailable, before != nil || !isAvailable else { return nil }
    return (
      payload(isAvailable),
      "\(kind) '\(name)' " + (isAvailable ? "has its ports" : "waits for its ports")
    )
  }
}

extension GraphFile.Route {
  /// The line of a graph file by which the route plays to the first of these ports; nil for too few. [any-thread]
  func line(with ports: [String]) -> String? {
    guard channels > 0, ports.count >= channels else { return nil }
    return "ports: [" + ports.prefix(channels).map(DevicePorts.quoted).joined(separator: ", ") + "]"
  }
}
