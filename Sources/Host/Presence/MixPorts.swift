// SPDX-License-Identifier: MIT

internal import JACK
internal import Mixing

/// The ports of the host's main client: the strips' inputs and the routes' outputs.
///
/// Belongs to the control thread.
struct MixPorts {
  /// In the order of the mix's strips, channel by channel; nil for the channels of a file that the host plays, which
  /// pass no port.
  var strips: [(id: String, ports: [AudioInputPort?])]
  /// In the order of the mix's routes, channel by channel.
  var routes: [(id: String, ports: [AudioOutputPort])]

  /// Registers the ports of a mix and describes them in their metadata.
  ///
  /// - Parameters:
  ///   - spec: The mix.
  ///   - labels: Names for people, by strip and route.
  ///   - played: The strips into which the host plays files.
  ///   - connection: The main client, before its activation.
  /// - Returns: The ports.
  /// - Throws: JACK's error; the ports go with the client.
  static func register(
    _ spec: MixSpec,
    labels: [String: String],
    played: Set<String>,
    on connection: ClientConnection,
  ) throws(JACKError) -> MixPorts {
    var order = 0
    let strips = try spec.strips.map { strip throws(JACKError) in
      if played.contains(strip.id) { return (id: strip.id, ports: noPorts(strip.channels)) }
      let ports: [AudioInputPort] = try connection.registerGroup(
        strip.id,
        label: labels[strip.id],
        names: (0..<strip.channels).map { PortNames.strip(strip.id, channel: $0) },
        order: &order,
      )
      return (id: strip.id, ports: ports as [AudioInputPort?])
    }
    let routes = try spec.routes.map { route throws(JACKError) in
      let ports: [AudioOutputPort] = try connection.registerGroup(
        route.id,
        label: labels[route.id],
        names: (0..<route.channels).map { PortNames.route(route.id, channel: $0) },
        order: &order,
      )
      return (id: route.id, ports: ports)
    }
    return MixPorts(strips: strips, routes: routes)
  }

  /// The channels of a strip into which the host plays a file.
  static func noPorts(_ channels: Int) -> [AudioInputPort?] {
    Array(repeating: nil, count: channels)
  }

  /// The full names of a strip's ports.
  func names(ofStrip id: String, client: String) -> Set<String> {
    let ports = strips.first { $0.id == id }?.ports ?? []
    return Set(
      ports.indices.filter { ports[$0] != nil }
        .map { "\(client):\(PortNames.strip(id, channel: $0))" }
    )
  }

  /// The number of channels of a strip or route; 0 for an unknown one.
  func channels(of place: InsertPlace) -> Int {
    switch place {
    case .strip(let id): strips.first { $0.id == id }?.ports.count ?? 0
    case .route(let id): routes.first { $0.id == id }?.ports.count ?? 0
    }
  }

  /// The index of a strip's first channel among all inputs, or of a route's among all outputs.
  func first(of place: InsertPlace) -> Int? {
    let counts: [(id: String, count: Int)] =
      switch place {
      case .strip: strips.map { ($0.id, $0.ports.count) }
      case .route: routes.map { ($0.id, $0.ports.count) }
      }
    guard let index = counts.firstIndex(where: { $0.id == place.name }) else { return nil }
    return counts[..<index].reduce(0) { $0 + $1.count }
  }

  /// The signal paths through the host: from each channel of a strip to the channels of a route
  /// that a send joins to it, and of the route on which that one is heard.
  ///
  /// - Parameters:
  ///   - spec: The present mix.
  ///   - inserts: The chains of effects, whose ports stand beside those of the strip or route.
  ///   - latencyFrames: The extra latency of a route against its strips, in frames.
  /// - Returns: A path for each pair of ports between which a signal can pass.
  func latencyPaths(
    _ spec: MixSpec,
    inserts: [InsertPorts],
    latencyFrames: (String) -> Int,
  ) -> [LatencyPath] {
    var paths = inserts.flatMap(\.outletPaths)
    for send in spec.sends {
      guard
        let strip = strips.first(where: { $0.id == send.strip }),
        let route = routes.first(where: { $0.id == send.route })
      else { continue }
      let matrix =
        send.matrix
        ?? SendSpec.defaultMatrix(
          stripChannels: strip.ports.count,
          routeChannels: route.ports.count,
        )
      var ways = [(route: route, matrix: matrix)]
      let fallback = spec.routes.first { $0.id == send.route }?.fallback
      if let other = routes.first(where: { $0.id == fallback }) {
        ways.append((other, SendSpec.matrix(matrix, heardOn: other.ports.count)))
      }
      for (route, matrix) in ways {
        let frames = UInt32(max(0, latencyFrames(route.id)))
        for (row, output) in route.ports.enumerated() {
          for (column, input) in strip.ports.enumerated() where matrix[row][column] != 0 {
            let returns =
              inserts.first { $0.place == .strip(send.strip) }?.ways(channel: column) ?? []
            let sends = inserts.first { $0.place == .route(route.id) }?.sends ?? []
            for input in [input].compactMap(\.self) + returns {
              for output in [output] + sends.dropFirst(row).prefix(1) {
                paths.append(LatencyPath(input: input, output: output, frames: frames))
              }
            }
          }
        }
      }
    }
    return paths
  }
}
