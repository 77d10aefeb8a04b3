// SPDX-License-Identifier: MIT

internal import ControlProtocol
internal import GraphFiles
internal import Mixing

/// Delays the faster routes so that all routes are heard at the same moment.
///
/// Pure value, from latencies to delays: [any-thread].
struct RouteAlignment: Sendable {
  /// An output route whose ports exist.
  struct Route: Sendable {
    let name: String
    let alignment: GraphFile.Route.Alignment
    /// The latency from the host's port to the outside by JACK's ranges, with the limiter's look-ahead.
    let latencyFrames: Int
  }

  /// The delay of a route, and its remaining error.
  struct Outcome: Sendable, Equatable {
    /// The delay in frames.
    let delayFrames: Int
    /// How much later it is than the slowest aligned route, in frames (negative if earlier); nil for a free
    /// route.
    let errorFrames: Int?
  }

  /// Computes the delays of routes.
  ///
  /// - Parameters:
  ///   - routes: The output routes whose ports exist.
  ///   - sampleRateHz: Frames in a second.
  ///   - longestDelayFrames: The longest delay that the engine offers.
  /// - Returns: The result by route.
  static func align(
    _ routes: [Route],
    sampleRateHz: Double,
    longestDelayFrames: Int,
  ) -> [String: Outcome] {
    let target = routes.filter { $0.alignment == .automatic }.map(\.latencyFrames).max()
    let delays = routes.map { route -> Int in
      switch route.alignment {
      case .free: 0
      case .automatic: min(longestDelayFrames, (target ?? 0) - route.latencyFrames)
      case .delay(let delay):
        min(longestDelayFrames, Int((delay.seconds * sampleRateHz).rounded()))
      }
    }
    let latest = zip(routes, delays).filter { $0.0.alignment != .free }
      .map { $0.0.latencyFrames + $0.1 }.max()
    var outcomes: [String: Outcome] = [:]
    for (route, delay) in zip(routes, delays) {
      outcomes[route.name] = Outcome(
        delayFrames: delay,
        errorFrames: route.alignment == .free
          ? nil : latest.map { route.latencyFrames + delay - $0 },
      )
    }
    return outcomes
  }
}

/// The alignment of a graph's routes over time: the requested alignments, the known latencies, and the result.
///
/// A missing route counts with the latency that it had last, so that other routes do not move when it goes or
/// comes back. Pure value: [any-thread].
struct RouteAligner: Sendable {
  private var graph: GraphFile
  /// Alignments that were set by request, by route; they override the graph's.
  private var requested: [String: GraphFile.Route.Alignment] = [:]
  /// The last known latency of each output route, in frames.
  private var latencies: [String: Int] = [:]
  /// The result of the last alignment, by route.
  private var outcomes: [String: RouteAlignment.Outcome] = [:]

  /// Makes an aligner without known latencies.
  init(graph: GraphFile) { self.graph = graph }

  /// Goes over to another version of the graph: a request stays, unless the version has another alignment for its route.
  mutating func take(_ next: GraphFile, renaming names: [String: String]) {
    func rename<Value>(_ values: [String: Value]) -> [String: Value] {
      Dictionary(values.map { (names[$0] ?? $0, $1) }) { first, _ in first }
    }
    let before = self
    graph = next
    requested.removeAll()
    latencies = rename(latencies).filter { next.route(named: $0.key) != nil }
    outcomes = rename(outcomes).filter { next.route(named: $0.key) != nil }
    for (old, alignment) in before.requested {
      let name = names[old] ?? old
      guard let then = before.graph.route(named: old), let now = next.route(named: name),
        then.alignment ?? before.standard == now.alignment ?? standard
      else { continue }
      requested[name] = alignment
    }
  }

  /// The alignment of a route that says none.
  private var standard: GraphFile.Route.Alignment { graph.alignsRoutes ? .automatic : .free }

  /// Forgets all latencies, because the server has changed.
  mutating func forgetLatencies() { latencies.removeAll() }

  /// Stores the latency of an output route whose ports exist.
  mutating func learn(_ latencyFrames: Int, of route: String) { latencies[route] = latencyFrames }

  /// Sets the alignment of a route, which overrides the graph's.
  mutating func set(_ alignment: GraphFile.Route.Alignment, for route: String) {
    requested[route] = alignment
  }

  /// The alignment of a route: the last request's, else the route's own in the graph, else the graph's.
  func alignment(of route: GraphFile.Route) -> GraphFile.Route.Alignment {
    guard route.direction == .output else { return .free }
    return requested[route.name] ?? route.alignment ?? standard
  }

  /// The remaining error of a route in frames; nil for a free route or an unknown latency.
  func errorFrames(of route: String) -> Int? { outcomes[route]?.errorFrames }

  /// Computes the delays of the routes with known latencies.
  ///
  /// - Parameters:
  ///   - spec: The present mix.
  ///   - sampleRateHz: Frames in a second.
  /// - Returns: The routes whose delay differs from the one in the mix.
  mutating func align(_ spec: MixSpec, sampleRateHz: Double) -> [String: RouteAlignment.Outcome] {
    outcomes = RouteAlignment.align(
      graph.routes.compactMap { route in
        guard let latencyFrames = latencies[route.name] else { return nil }
        let lookahead = spec.routes.first { $0.id == route.name }?.limiter?.lookaheadFrames
        return RouteAlignment.Route(
          name: route.name,
          alignment: alignment(of: route),
          latencyFrames: latencyFrames + (lookahead ?? 0),
        )
      },
      sampleRateHz: sampleRateHz,
      longestDelayFrames: Int(RouteSpec.longestDelaySeconds * sampleRateHz),
    )
    let present = Dictionary(spec.routes.map { ($0.id, $0.delayFrames) }) { first, _ in first }
    return outcomes.filter { route, outcome in
      present[route].map { $0 != outcome.delayFrames } ?? false
    }
  }
}

extension GraphFile.Route.Alignment {
  /// The alignment of a request. [any-thread]
  init(_ mode: AlignmentMode, delayMilliseconds: Double) {
    self =
      switch mode {
      case .free: .free
      case .auto: .automatic
      case .manual: .delay(.nanoseconds(Int64(delayMilliseconds * 1e6)))
      }
  }

  /// The name that the control socket uses.
  var mode: AlignmentMode {
    switch self {
    case .free: .free
    case .automatic: .auto
    case .delay: .manual
    }
  }
}
