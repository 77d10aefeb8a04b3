// SPDX-License-Identifier: MIT

internal import ControlProtocol
internal import GraphFiles
internal import JACK
internal import Mixing
internal import Patchbay
internal import Sessions

/// Where adopted clients are heard: through their strips, and past them.
///
/// Changes nothing. Belongs to the control thread.
final class AdoptedPlaces {
  private let control: Control
  private let inForce: GraphRoom
  private var graph: GraphFile { inForce.file }
  private let sessions: SessionRoom
  private let clients: AdoptedClients
  private let isAltered: (InsertPlace) -> Bool

  /// Makes the places of the clients of a directory.
  ///
  /// - Parameters:
  ///   - control: The services that all rooms share.
  ///   - graph: The graph.
  ///   - sessions: The sessions of the clients.
  ///   - clients: The clients.
  ///   - isAltered: Whether effects change the sound of a strip or a route.
  init(
    control: Control,
    graph: GraphRoom,
    sessions: SessionRoom,
    clients: AdoptedClients,
    isAltered: @escaping (InsertPlace) -> Bool,
  ) {
    self.isAltered = isAltered
    self.control = control
    inForce = graph
    self.sessions = sessions
    self.clients = clients
  }

  // MARK: - Through the strips

  /// The strip of a part; nil after the end of its session.
  func strip(of id: AdoptedPart) -> String? {
    guard let strips = sessions.held(id.session)?.strips, strips.indices.contains(id.index) else {
      return nil
    }
    return strips[id.index]
  }

  /// Every way on which the outputs of adopted clients reach the hardware through their strips, with its gain.
  ///
  /// By session and then in natural order. Outputs that are not heard have none.
  var patch: GuardPatch {
    guard let attachment = control.attachment else { return GuardPatch(paths: []) }
    let gains = Dictionary(grouping: attachment.engine.heardGains(), by: \.strip)
    guard !gains.isEmpty else { return GuardPatch(paths: []) }
    let routes = Dictionary(
      attachment.spec.routes.map { ($0.id, Way($0, places(ofRoute: $0.id, on: attachment))) }
    ) { first, _ in first }
    var paths: [GuardPatch.Path] = []
    for (id, client) in clients.all where !client.isPatchedByOthers {
      guard let name = strip(of: id), let gains = gains[name] else { continue }
      let isAltered = isAltered(.strip(name))
      for port in client.ports {
        let own = client.stripPort(of: port, strip: name, client: attachment.hostName)
        guard attachment.connections.contains(ConnectionPair(source: port, destination: own)),
          let channel = client.channel(of: port)
        else { continue }
        var ways: [String: GuardPatch.Path] = [:]
        for gain in gains where gain.input == channel {
          guard let route = routes[gain.route], route.places.indices.contains(gain.output) else {
            continue
          }
          for hardware in route.places[gain.output] {
            var path =
              ways[hardware]
              ?? GuardPatch.Path(
                port: port,
                strip: own,
                hardware: hardware,
                gain: 0,
                ceilingDB: nil,
                isAltered: isAltered,
              )
            path.gain += gain.linear
            path.ceilingDB = [path.ceilingDB, route.ceilingDB].compactMap { $0 }.min()
            path.isAltered = path.isAltered || self.isAltered(.route(gain.route))
            ways[hardware] = path
          }
        }
        paths += ways.values.sorted {
          NaturalOrder.areInIncreasingOrder($0.hardware, $1.hardware)
        }
      }
    }
    return GuardPatch(paths: paths)
  }

  /// A route on the way to the hardware.
  private struct Way {
    let ceilingDB: Double?
    /// The hardware ports of each channel.
    let places: [[String]]

    init(_ route: RouteSpec, _ places: [[String]]) {
      ceilingDB = route.limiter?.ceilingDB
      self.places = places
    }
  }

  /// The hardware ports at which each channel of a route is heard.
  ///
  /// They do not include a recorder that somebody has patched to a route: it would hear the client twice once
  /// the host is back.
  private func places(ofRoute route: String, on attachment: Attachment) -> [[String]] {
    let connections = attachment.connections
    let hardware = Set(connections.ports.physical(facing: .outOfHost))
      .union(connections.foundPorts(of: route))
    return connections.places(of: route).map { $0.others.filter(hardware.contains) }
  }

  // MARK: - Past the strips

  /// The hardware ports to which an output has a direct connection.
  func directConnections(_ id: AdoptedPart, _ port: String) -> [String] {
    (clients[id]?.connections[port] ?? []).filter(isReachable).sorted()
  }

  /// The sound of a client that reaches the hardware past its strips.
  func directSounds(of id: SessionID) -> [DirectSound] {
    let parts = clients.parts(of: id).compactMap { clients[$0] }
    let connected = Set(parts.flatMap(\.connections.values).joined())
    let named = connected.filter(isReachable)
    let unnamed = connected.filter(isUnnamedHardware)
    var sounds: [DirectSound] = []
    if !named.isEmpty {
      let isLeft = parts.first?.isPatchedByOthers == true
      sounds.append(DirectSound(hardware: named, cause: isLeft ? .leftToOthers : .insisted))
    }
    if !unnamed.isEmpty { sounds.append(DirectSound(hardware: unnamed, cause: .noRoute)) }
    return sounds
  }

  /// Whether a client is heard through a strip, with any of its outputs.
  func isHeardThroughStrip(_ id: SessionID) -> Bool {
    clients.parts(of: id).contains(where: isHeardThroughStrip)
  }

  private func isHeardThroughStrip(_ id: AdoptedPart) -> Bool {
    guard let attachment = control.attachment, let client = clients[id],
      let strip = strip(of: id)
    else { return false }
    return client.ports.contains { port in
      let own = client.stripPort(of: port, strip: strip, client: attachment.hostName)
      return attachment.connections.contains(ConnectionPair(source: port, destination: own))
        && (client.isPatchedByOthers || directConnections(id, port).isEmpty)
    }
  }

  /// Whether a route of the graph leads to a port of the hardware.
  func isReachable(_ port: String) -> Bool {
    guard let attachment = control.attachment else { return false }
    return outputRoutes.contains { route in
      attachment.connections.places(of: route).contains { $0.others.contains(port) }
    }
  }

  /// Whether a port belongs to hardware that is in no route.
  func isUnnamedHardware(_ port: String) -> Bool {
    control.attachment?.connections.ports.info(of: port)?.isPhysical == true && !isReachable(port)
  }

  // MARK: - Routes

  /// The routes that the rule of a client gives its parts; empty where any was placed otherwise.
  func pinnedOutputs(of parts: [AdoptedClient]) -> [String] {
    guard parts.allSatisfy(\.followsRule) else { return [] }
    return graph.routes.map(\.name).filter { route in parts.contains { $0.routes.contains(route) } }
  }

  /// The routes on which a client's parts are heard, where any was placed; nil without a placement.
  func preferredOutputs(of parts: [AdoptedClient]) -> PreferredOutputs? {
    guard !parts.allSatisfy(\.followsRule), let attachment = control.attachment else { return nil }
    let uids = outputRoutes.filter { route in
      parts.contains { part in
        part.followsRule
          ? part.routes.contains(route)
          : part.matrix(to: attachment.connections.places(of: route).map(\.others)) != nil
      }
    }
    guard !uids.isEmpty else { return nil }
    let known = sessions.state.ports.filter { $0.direction == .output }.map(\.uid)
    return PreferredOutputs(uids: Set(uids), known: Set(known))
  }

  /// Where a strip of a client is heard among these routes of its session.
  ///
  /// - Parameters:
  ///   - id: The part of the client.
  ///   - routes: The routes of the session.
  /// - Returns: The routes, each with a matrix; nil in its place for the usual channels.
  func sends(of id: AdoptedPart, to routes: [String]) -> [(route: String, matrix: [[Float]]?)] {
    let isOneOfSeveral = clients.parts(of: id.session).count > 1
    return routes.compactMap { route in
      guard let client = clients[id], let attachment = control.attachment else {
        return (route, nil)
      }
      let matrix = client.matrix(to: attachment.connections.places(of: route).map(\.others))
      guard isOneOfSeveral else { return (route, matrix) }
      if client.followsRule { return client.routes.contains(route) ? (route, nil) : nil }
      return matrix.map { (route, $0) }
    }
  }

  private var outputRoutes: [String] { graph.outputRoutes.map(\.name) }
}
