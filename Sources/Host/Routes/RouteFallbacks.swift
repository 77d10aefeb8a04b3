// SPDX-License-Identifier: MIT

internal import ControlProtocol
internal import GraphFiles
internal import Mixing

/// The output routes whose ports are away, and the routes on which they are heard meanwhile.
///
/// The mix carries it out: what goes to such a route passes the gain, mute, limiter and meter of the other one. Belongs to the
/// control thread.
final class RouteFallbacks {
  private let inForce: GraphRoom
  private var graph: GraphFile { inForce.file }
  private let control: Control
  private let rerouted: () -> Void
  private var holds = 0

  /// Knows of no route that is away.
  ///
  /// - Parameters:
  ///   - graph: The graph.
  ///   - control: The services that all rooms share.
  ///   - rerouted: Called when signal paths have changed.
  init(graph: GraphRoom, control: Control, rerouted: @escaping () -> Void) {
    inForce = graph
    self.control = control
    self.rerouted = rerouted
  }

  /// Has each output route heard where it is to be heard now, unless that is held.
  ///
  /// - Parameter isThere: Whether an output route is there.
  func settle(_ isThere: (GraphFile.Route) -> Bool) {
    guard holds == 0, let attachment = control.attachment else { return }
    let spec = attachment.spec
    let wanted = Dictionary(
      graph.outputRoutes.compactMap { route in
        fallback(of: route, isThere).map { (route.name, $0) }
      }
    ) { first, _ in first }
    guard spec.routes.contains(where: { $0.fallback != wanted[$0.id] }) else { return }
    do throws(MixError) {
      try attachment.engine.apply(spec.heardElsewhere(wanted))
    } catch {
      return control.publish(.error(), "the fallback of a route is refused: \(error)")
    }
    attachment.latencies.restate()
    rerouted()
  }

  /// Leaves all routes where they are heard, as far as they are there.
  ///
  /// - Returns: Ends that; to be called once, before the next ``settle(_:)``.
  func hold() -> () -> Void {
    holds += 1
    return { [weak self] in self?.holds -= 1 }
  }

  /// The route on which another one is to be heard: the first that is there; nil for one that is there itself.
  private func fallback(
    of route: GraphFile.Route,
    _ isThere: (GraphFile.Route) -> Bool,
  ) -> String? {
    guard route.fallback != nil, !isThere(route) else { return nil }
    return graph.fallbacks(of: route.name).first { graph.route(named: $0).map(isThere) ?? false }
  }
}

extension GraphFile {
  /// The routes on which a route may be heard while its ports are missing, the next one first. [any-thread]
  func fallbacks(of route: String) -> [String] {
    var chain: [String] = []
    var last = route
    while let next = self.route(named: last)?.fallback, next != route, !chain.contains(next) {
      chain.append(next)
      last = next
    }
    return chain
  }
}

extension MixSpec {
  /// The mix with its routes heard on others. [any-thread]
  ///
  /// - Parameter fallbacks: The route on which another one is heard, by its id; no entry for one that is heard on itself.
  /// - Returns: The mix; valid where each of these routes is there, and has no entry itself.
  func heardElsewhere(_ fallbacks: [String: String]) -> MixSpec {
    var spec = self
    for index in spec.routes.indices {
      spec.routes[index].fallback = fallbacks[spec.routes[index].id]
    }
    return spec
  }

  /// The mix without routes that are heard where a graph does not have them heard. [any-thread]
  func keepingFallbacks(of graph: GraphFile) -> MixSpec {
    var spec = self
    for index in spec.routes.indices {
      guard let fallback = spec.routes[index].fallback,
        !graph.fallbacks(of: spec.routes[index].id).contains(fallback)
      else { continue }
      spec.routes[index].fallback = nil
    }
    return spec
  }
}
