// SPDX-License-Identifier: MIT

internal import GraphFiles
internal import Mixing

extension Attachment {
  /// The full names of the host's outputs into which a microphone is mixed (PRM-3).
  ///
  /// A send counts however low it is, and a cue route hears every strip that may be cued. So does the route on which another
  /// one is heard.
  ///
  /// - Parameters:
  ///   - graph: The graph, with the kinds of sources.
  ///   - isMicrophone: Whether a port of another client gives a microphone.
  /// - Returns: The outputs of those routes, and the ports at which their effects are fed and heard. [control-thread]
  func microphoneOutputs(
    of graph: GraphFile,
    where isMicrophone: (_ port: String) -> Bool,
  ) -> Set<String> {
    let routes = microphoneMix(of: graph, where: isMicrophone).routes
    let ports = routes.flatMap { route in
      (0..<route.channels).flatMap { channel in
        [
          "\(hostName):\(PortNames.route(route.id, channel: channel))",
          "\(hostName):\(PortNames.routeSend(route.id, channel: channel))",
          "\(outlet(of: route.id)):\(PortNames.outlet(channel: channel))",
        ]
      }
    }
    return Set(ports)
  }

  /// The names of the strips and routes that carry a microphone (PRM-3).
  ///
  /// - Parameters:
  ///   - graph: The graph, with the kinds of sources.
  ///   - isMicrophone: Whether a port of another client gives a microphone.
  /// - Returns: Their names.
  func microphonePlaces(
    of graph: GraphFile,
    where isMicrophone: (_ port: String) -> Bool,
  ) -> Set<String> {
    let mix = microphoneMix(of: graph, where: isMicrophone)
    return Set(mix.strips + mix.routes.map(\.id))
  }

  /// The strips that hear a microphone, and the routes into which they are mixed.
  private func microphoneMix(
    of graph: GraphFile,
    where isMicrophone: (_ port: String) -> Bool,
  ) -> (strips: [String], routes: [RouteSpec]) {
    let spec = spec
    let heardPorts = connections.destinations(where: isMicrophone)
    let heard = spec.strips.filter { strip in
      switch graph.source(named: strip.id)?.kind {
      case .inputRoute, .systemInput: true
      case .file, .tone, .node, .ports, nil:
        !heardPorts.isDisjoint(with: inputs(of: strip.id, channels: strip.channels))
      }
    }
    .map(\.id)
    guard !heard.isEmpty else { return ([], []) }
    let sent = Set(spec.sends.filter { heard.contains($0.strip) }.map(\.route))
    let routes = spec.routes.filter { sent.contains($0.id) || $0.receivesCue }
    let names = Set(routes.map(\.id) + routes.compactMap(\.fallback))
    return (heard, spec.routes.filter { names.contains($0.id) })
  }

  private func outlet(of route: String) -> String {
    PortNames.outletClient(of: clients, route: route)
  }

  /// The ports of the host at which a strip hears other clients.
  private func inputs(of strip: String, channels: Int) -> Set<String> {
    let returns = PortNames.returnClient(of: clients, place: strip)
    return strips.ports(of: strip)
      .union((0..<channels).map { "\(returns):\(PortNames.inlet(channel: $0))" })
  }
}
