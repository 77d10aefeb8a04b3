// SPDX-License-Identifier: MIT

internal import JACK
internal import Mixing

/// The ports of the host's main client: the strips' inputs and the routes' outputs.
struct MixPorts {
  /// In the order of the mix's strips, channel by channel.
  var strips: [(id: String, ports: [AudioInputPort])]
  /// In the order of the mix's routes, channel by channel.
  let routes: [(id: String, ports: [AudioOutputPort])]

  /// Registers the ports of a mix and says in their metadata what they are.
  ///
  /// - Parameters:
  ///   - spec: The mix.
  ///   - labels: Names for people, by strip and route.
  ///   - connection: The main client, before its activation.
  /// - Returns: The ports.
  /// - Throws: What JACK said; the ports go with the client.
  static func register(
    _ spec: MixSpec,
    labels: [String: String],
    on connection: ClientConnection,
  ) throws(JACKError) -> MixPorts {
    var order = 0
    var strips: [(id: String, ports: [AudioInputPort])] = []
    for strip in spec.strips {
      let ports = try registerStrip(
        strip.id,
        channels: strip.channels,
        label: labels[strip.id] ?? strip.id,
        firstOrder: order,
        on: connection,
      )
      order += ports.count
      strips.append((strip.id, ports))
    }
    var routes: [(id: String, ports: [AudioOutputPort])] = []
    for route in spec.routes {
      var ports: [AudioOutputPort] = []
      for channel in 0..<route.channels {
        let port: AudioOutputPort = try connection.register(
          PortNames.route(route.id, channel: channel)
        )
        try connection.describe(
          port,
          label: PortNames.pretty(
            labels[route.id] ?? route.id,
            channel: channel,
            of: route.channels,
          ),
          group: route.id,
          order: order,
        )
        ports.append(port)
        order += 1
      }
      routes.append((route.id, ports))
    }
    return MixPorts(strips: strips, routes: routes)
  }

  /// Registers the ports of one strip.
  static func registerStrip(
    _ id: String,
    channels: Int,
    label: String,
    firstOrder: Int,
    on connection: ClientConnection,
  ) throws(JACKError) -> [AudioInputPort] {
    var ports: [AudioInputPort] = []
    do throws(JACKError) {
      for channel in 0..<channels {
        let port: AudioInputPort = try connection.register(PortNames.strip(id, channel: channel))
        ports.append(port)
        try connection.describe(
          port,
          label: PortNames.pretty(label, channel: channel, of: channels),
          group: id,
          order: firstOrder + channel,
        )
      }
    } catch {
      // What the client cannot give back goes with it.
      for port in ports { try? connection.unregister(port) }
      throw error
    }
    return ports
  }

  /// The full names of a strip's ports.
  func names(ofStrip id: String, client: String) -> Set<String> {
    let count = strips.first { $0.id == id }?.ports.count ?? 0
    return Set((0..<count).map { "\(client):\(PortNames.strip(id, channel: $0))" })
  }

  /// The ways through the host: a strip's channel to a route's where a send joins them.
  ///
  /// - Parameters:
  ///   - spec: The mix as it is.
  ///   - latencyFrames: By how much a route is later than its strips.
  /// - Returns: A path for each pair of ports that a signal can go between.
  func latencyPaths(_ spec: MixSpec, latencyFrames: (String) -> Int) -> [LatencyPath] {
    var paths: [LatencyPath] = []
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
      let frames = UInt32(max(0, latencyFrames(send.route)))
      for (row, output) in route.ports.enumerated() {
        for (column, input) in strip.ports.enumerated() where matrix[row][column] != 0 {
          paths.append(LatencyPath(input: input, output: output, frames: frames))
        }
      }
    }
    return paths
  }
}

extension ClientConnection {
  /// Says in a port's metadata what people should read.
  func describe<Kind, Direction>(
    _ port: ClientPort<Kind, Direction>,
    label: String,
    group: String,
    order: Int,
  ) throws(JACKError) {
    let subject = try info(of: port).uuid
    try setMetadata(MetadataValue(label), for: .prettyName, of: subject)
    try setMetadata(MetadataValue(group), for: .portGroup, of: subject)
    try setMetadata(.integer(order), for: .order, of: subject)
    try setMetadata(MetadataValue("AUDIO"), for: .signalType, of: subject)
  }
}
