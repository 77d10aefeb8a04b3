// SPDX-License-Identifier: MIT

internal import GraphFiles

/// Brings routes of different latency together: the fast ones are delayed.
///
/// Pure: latencies go in, delays and what they leave come out.
struct RouteAlignment: Sendable {
  /// An output route that is there.
  struct Route: Sendable {
    let name: String
    let alignment: GraphFile.Route.Alignment
    /// From the host's port to the outside as JACK's ranges say, and the limiter's look-ahead.
    let latencyFrames: Int
  }

  /// What becomes of a route.
  struct Outcome: Sendable, Equatable {
    /// By how much it is delayed.
    let delayFrames: Int
    /// By how much it is still late (or early, where negative) against the slowest of those that are
    /// aligned; nil for one that is free.
    let errorFrames: Int?
  }

  /// Works the delays out.
  ///
  /// - Parameters:
  ///   - routes: The output routes that are there.
  ///   - sampleRateHz: Frames in a second.
  ///   - longestDelayFrames: What the engine can do.
  /// - Returns: What becomes of each route.
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
