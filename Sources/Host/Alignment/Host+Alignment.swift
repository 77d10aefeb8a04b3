// SPDX-License-Identifier: MIT

internal import ControlProtocol
internal import GraphFiles
internal import JACK
internal import Mixing

extension Host {
  /// How a route is aligned: by what was asked for last, the route's own word, or the graph's.
  func alignment(of route: GraphFile.Route) -> GraphFile.Route.Alignment {
    guard route.direction == .output else { return .free }
    return alignments[route.name] ?? route.alignment
      ?? (configuration.graph.alignsRoutes ? .automatic : .free)
  }

  /// Delays the output routes as their latencies ask for now.
  ///
  /// A route that is away counts with the latency that it had: nothing moves when it goes, nor when it is
  /// back.
  func alignRoutes() {
    guard phase == .running, let mix, hardware.sampleRateHz > 0 else { return }
    let rate = Double(hardware.sampleRateHz)
    learnLatencies()
    let spec = mix.engine.spec
    outcomes = RouteAlignment.align(
      configuration.graph.routes.compactMap { route in
        guard let latencyFrames = routeLatencies[route.name] else { return nil }
        let lookahead = spec.routes.first { $0.id == route.name }?.limiter?.lookaheadFrames
        return RouteAlignment.Route(
          name: route.name,
          alignment: alignment(of: route),
          latencyFrames: latencyFrames + (lookahead ?? 0),
        )
      },
      sampleRateHz: rate,
      longestDelayFrames: Int(RouteSpec.longestDelaySeconds * rate),
    )
    let changed = spec.routes.filter { route in
      outcomes[route.id].map { $0.delayFrames != route.delayFrames } ?? false
    }
    guard !changed.isEmpty else { return }
    do throws(ControlError) {
      try mix.change { spec in
        for index in spec.routes.indices {
          guard let outcome = outcomes[spec.routes[index].id] else { continue }
          spec.routes[index].delayFrames = outcome.delayFrames
        }
      }
    } catch {
      publish(.error, "the routes cannot be aligned: \(error.message)")
      return
    }
    restateLatencies()
    for route in changed { tellDelay(of: route.id) }
  }

  /// Keeps in mind how late each output route is that is there.
  private func learnLatencies() {
    let satisfied = keeper.satisfiedOwners()
    for route in configuration.graph.routes
    where route.direction == .output && satisfied.contains(route.name) {
      // Until a bridge has timed its card, JACK knows of no latency.
      if helpers[route.name]?.isTimed == false { continue }
      routeLatencies[route.name] = Int(latencyFrames(of: route) ?? 0)
    }
  }

  /// Aligns a route in another way from now on.
  func setAlignment(_ params: SetAlignment.Params) throws(ControlError) -> Applied {
    let outputs = configuration.graph.routes.filter { $0.direction == .output }.map(\.name)
    guard outputs.contains(params.route) else {
      throw .unknownRoute(params.route, known: outputs)
    }
    switch params.mode {
    case .free: alignments[params.route] = .free
    case .auto: alignments[params.route] = .automatic
    case .manual:
      alignments[params.route] = .delay(.nanoseconds(Int64((params.delayMilliseconds ?? 0) * 1e6)))
    }
    alignRoutes()
    return Applied(frame: frame())
  }

  private func tellDelay(of route: String) {
    guard let outcome = outcomes[route] else { return }
    publish(
      .alignment,
      "route '\(route)' is delayed by \(outcome.delayFrames) frames"
        + (outcome.errorFrames.map { "; remaining error \($0) frames" } ?? ""),
      details: [
        "route": .string(route),
        "delayFrames": .integer(Int64(outcome.delayFrames)),
        "errorFrames": outcome.errorFrames.map { .integer(Int64($0)) } ?? .null,
      ],
    )
  }
}

extension GraphFile.Route.Alignment {
  /// The way as the control socket names it.
  var mode: AlignmentMode {
    switch self {
    case .free: .free
    case .automatic: .auto
    case .delay: .manual
    }
  }
}
