// SPDX-License-Identifier: MIT

internal import Mixing

extension KeptState {
  /// The mix of a graph with the changes of users.
  ///
  /// - Parameter graph: The mix of the graph.
  /// - Returns: The first mix.
  func applied(to graph: MixSpec) -> MixSpec {
    var spec = graph
    for index in spec.strips.indices {
      let strip = spec.strips[index]
      guard let level = strips[strip.id], level.isFor(strip.faderDB, strip.isMuted) else {
        continue
      }
      spec.strips[index].faderDB = level.gainDB
      spec.strips[index].isMuted = level.isMuted
    }
    for index in spec.routes.indices {
      let route = spec.routes[index]
      guard let level = routes[route.id], level.isFor(route.gainDB, route.isMuted) else { continue }
      spec.routes[index].gainDB = level.gainDB
      spec.routes[index].isMuted = level.isMuted
    }
    for index in spec.sends.indices {
      let send = spec.sends[index]
      guard let level = sends[send.strip]?[send.route], level.isFor(send.gainDB, send.isMuted)
      else { continue }
      spec.sends[index].gainDB = level.gainDB
      spec.sends[index].isMuted = level.isMuted
    }
    if let crossfader, crossfader.graphPosition == spec.crossfader.position {
      spec.crossfader.position = crossfader.position
    }
    return spec
  }

  /// Keeps the values of a mix that differ from the graph's.
  ///
  /// - Parameters:
  ///   - spec: The present mix.
  ///   - graph: The mix of the graph.
  mutating func take(_ spec: MixSpec, graph: MixSpec) {
    let graphStrips = Dictionary(graph.strips.map { ($0.id, $0) }) { first, _ in first }
    strips = Dictionary(
      spec.strips.compactMap { strip in
        graphStrips[strip.id].flatMap {
          KeptLevel(strip.faderDB, strip.isMuted, graph: ($0.faderDB, $0.isMuted))
        }.map { (strip.id, $0) }
      }
    ) { first, _ in first }
    let graphRoutes = Dictionary(graph.routes.map { ($0.id, $0) }) { first, _ in first }
    routes = Dictionary(
      spec.routes.compactMap { route in
        graphRoutes[route.id].flatMap {
          KeptLevel(route.gainDB, route.isMuted, graph: ($0.gainDB, $0.isMuted))
        }.map { (route.id, $0) }
      }
    ) { first, _ in first }
    sends.removeAll()
    let current = Dictionary(spec.sends.map { ([$0.strip, $0.route], $0) }) { first, _ in first }
    for send in graph.sends {
      guard let now = current[[send.strip, send.route]] else { continue }
      sends[send.strip, default: [:]][send.route] =
        KeptLevel(now.gainDB, now.isMuted, graph: (send.gainDB, send.isMuted))
    }
    sends = sends.filter { !$0.value.isEmpty }
    let isMoved = spec.crossfader.position != graph.crossfader.position
    crossfader =
      isMoved
      ? KeptPosition(
        position: spec.crossfader.position,
        graphPosition: graph.crossfader.position,
      ) : nil
  }
}

extension KeptLevel {
  /// A level to keep; nil if it equals the graph's.
  fileprivate init?(_ gainDB: Double, _ isMuted: Bool, graph: (gainDB: Double, isMuted: Bool)) {
    guard gainDB != graph.gainDB || isMuted != graph.isMuted else { return nil }
    self.init(
      gainDB: gainDB,
      isMuted: isMuted,
      graphGainDB: graph.gainDB,
      isMutedByGraph: graph.isMuted,
    )
  }

  /// Whether the graph still has the level that the user changed. [any-thread]
  func isFor(_ gainDB: Double, _ isMuted: Bool) -> Bool {
    graphGainDB == gainDB && isMutedByGraph == isMuted
  }
}
