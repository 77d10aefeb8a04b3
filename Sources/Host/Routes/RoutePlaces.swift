// SPDX-License-Identifier: MIT

internal import Mixing

/// Where the output routes are heard at one moment.
///
/// Pure value: [any-thread].
struct RoutePlaces: Sendable {
  /// The ways on from the routes; a route that is left out is heard.
  var outlets: [String: RouteOutlet] = [:]
  /// The host's own ports of each route, channel by channel.
  var ownPorts: [String: [String]] = [:]
  /// The routes that are unplugged, as it is simulated.
  var unplugged: Set<String> = []

  /// The host's own ports of some channels of a route.
  func ports(ofRoute route: String, _ channels: [Int]) -> [String] {
    let ports = ownPorts[route] ?? []
    return channels.filter(ports.indices.contains).map { ports[$0] }
  }
}
