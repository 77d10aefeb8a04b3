// SPDX-License-Identifier: MIT

internal import ControlProtocol
internal import ControlSocket
internal import Glibc
internal import GraphFiles
internal import JACK
internal import Mixing
internal import Patchbay
internal import Sessions

/// The routes: whether each is there, what stands behind it, how late it is, and how it is aligned with the others.
///
/// Belongs to the control thread.
final class RouteRoom {
  /// The facts of a JACK server that routes depend on.
  struct Server: Sendable {
    let name: String
    let sampleRateHz: Int
    /// Whether PipeWire is the server: it drives every card itself, so no bridge is needed.
    let isPipeWire: Bool
  }

  private let control: Control
  private let inForce: GraphRoom
  private var graph: GraphFile { inForce.file }
  private let connectsPorts: Bool
  private let availabilityChanged: () -> Void
  private let helpers: RouteHelpers
  private let latencies: RouteLatencies
  private let fallbacks: RouteFallbacks
  private var devices: DeviceWatch
  private var server: Server?
  /// The routes whose device is away though their ports may be there.
  private var heldRoutes: Set<String> = []
  /// The routes that a request has unplugged (SYS-4).
  private var unpluggedRoutes: Set<String> = []

  /// Makes a room with all routes plugged in, and no helper program yet.
  ///
  /// - Parameters:
  ///   - graph: The graph.
  ///   - connectsPorts: Whether the host connects its ports; a route is always there where it does not.
  ///   - control: The services that all rooms share.
  ///   - devices: The sound cards.
  ///   - start: Starts the program of a helper.
  ///   - availabilityChanged: Called where a route has been plugged or unplugged.
  ///   - rerouted: Called when signal paths have changed.
  init(
    graph: GraphRoom,
    connectsPorts: Bool,
    control: Control,
    devices: DeviceWatch = DeviceWatch(),
    start: @escaping RouteHelpers.Start,
    availabilityChanged: @escaping () -> Void,
    rerouted: @escaping () -> Void,
  ) {
    inForce = graph
    self.connectsPorts = connectsPorts
    self.control = control
    self.devices = devices
    self.availabilityChanged = availabilityChanged
    helpers = RouteHelpers(control: control, start: start)
    latencies = RouteLatencies(graph: graph, control: control, helpers: helpers)
    fallbacks = RouteFallbacks(graph: graph, control: control, rerouted: rerouted)
    helpers.onChange = { [unowned self] change in take(change) }
  }

  // MARK: - The server

  /// Marks the routes that are held or unplugged now, before a new attachment makes its connections.
  func markUnplugged(in connections: inout ConnectionKeeper) {
    for route in graph.routes {
      if isHeld(route.name) {
        // The route has no connections yet.
        _ = connections.unplug(route.name)
      } else {
        connections.plug(route.name)
      }
    }
  }

  /// Begins on a server that the host has just attached to: makes the helpers and aligns the routes.
  func begin(on server: Server) {
    self.server = server
    latencies.begin(sampleRateHz: server.sampleRateHz)
    addHelpers(on: server)
    align()
  }

  /// Goes over to the routes of the version in force.
  ///
  /// - Parameter before: The version that was in force, with the new names of its routes.
  func take(insteadOf before: GraphFile) {
    for route in before.routes where route.helper != nil {
      guard graph.route(named: route.name)?.helper != route.helper else { continue }
      helpers.remove(route.name)
      heldRoutes.remove(route.name)
    }
    let known = Set(graph.routes.map(\.name))
    unpluggedRoutes.formIntersection(known)
    heldRoutes.formIntersection(known)
    latencies.take(renaming: [:])
    if let server { addHelpers(on: server) }
    for route in before.routes where !isHeld(route.name) && known.contains(route.name) {
      control.attachment?.connections.plug(route.name)
    }
    align()
  }

  /// Gives routes other names.
  ///
  /// - Parameter names: The new name of each, by the present one.
  func rename(_ names: [String: String]) {
    // A helper's client has the name of its route, so it is started anew.
    for old in names.keys {
      helpers.remove(old)
      heldRoutes.remove(old)
    }
    unpluggedRoutes = Set(unpluggedRoutes.map { names[$0] ?? $0 })
    latencies.take(renaming: names)
    if let server { addHelpers(on: server) }
  }

  private func addHelpers(on server: Server) {
    for route in graph.routes {
      guard let helper = route.helper, !helpers.has(route.name) else { continue }
      var offReason: String?
      if case .device(let device) = helper, server.isPipeWire {
        offReason =
          "PipeWire drives the cards: no bridge is needed; name its ports instead of "
          + "'device: \(device.name)' ('multiroute devices' lists them)"
      }
      helpers.add(
        HelperProgram(
          helper,
          direction: route.direction,
          client: graph.helperClient(of: route),
          server: server.name,
          listener: graph.permissions == nil ? nil : getpid(),
        ),
        for: route.name,
        offReason: offReason,
      )
      if let offReason {
        control.publish(
          .error(EventPayload.Failure(route: route.name)),
          "route '\(route.name)': \(offReason)",
        )
      }
      hold(route.name, isHeld: !helpers.isReady(route.name))
    }
  }

  /// The process of the helper program whose client has this name; nil without one.
  func helperProcess(ofClient client: String) -> Int32? {
    graph.routes.first { $0.helper != nil && graph.helperClient(of: $0) == client }
      .flatMap { helpers.process(of: $0.name) }
  }

  /// Starts helpers that are due, kills those that hang, and publishes sound cards that have come or gone.
  func supervise() {
    if let server { helpers.supervise(server: server.name) }
    for change in devices.look(nowNanoseconds: control.nowNanoseconds) {
      let device = change.device
      control.publish(
        .device(
          EventPayload.Device(
            device: device.alsaName,
            name: device.name,
            type: device.portType(isOutput: device.canPlay),
            present: change.isThere,
          )
        ),
        "\(device.cardName), \(device.name) (\(device.alsaName)) "
          + (change.isThere ? "is there" : "is gone"),
      )
    }
  }

  /// Ends all helper programs, because the host ends.
  func end() async { await helpers.end() }

  // MARK: - Plugged or not

  /// Unplugs a route or plugs it in again, as a request asks (SYS-4).
  ///
  /// - Throws: `badValue` for a route that the graph does not have.
  func setPlug(_ name: String, isPlugged: Bool) throws(ControlError) {
    guard graph.route(named: name) != nil else {
      throw .unknownRoute(name, known: graph.routes.map(\.name))
    }
    if isPlugged { unpluggedRoutes.remove(name) } else { unpluggedRoutes.insert(name) }
    updatePlug(name)
  }

  /// The routes that are unplugged because a request asked for it.
  var unplugged: Set<String> { unpluggedRoutes }

  private func isHeld(_ route: String) -> Bool {
    heldRoutes.contains(route) || unpluggedRoutes.contains(route)
  }

  /// Makes a route unavailable while its device is away, and available again.
  private func hold(_ route: String, isHeld: Bool) {
    let isChanged =
      isHeld ? heldRoutes.insert(route).inserted : heldRoutes.remove(route) != nil
    guard isChanged else { return }
    updatePlug(route)
  }

  /// Connects a route, or disconnects it while it is held or unplugged.
  private func updatePlug(_ route: String) {
    // Without a server, the next attachment begins with ``markUnplugged(in:)``.
    guard let attachment = control.attachment else { return }
    if isHeld(route) {
      attachment.connections.unplug(route)
    } else {
      attachment.connections.plug(route)
    }
    attachment.connections.makeMissing()
    availabilityChanged()
    align()
  }

  private func take(_ change: RouteHelpers.Change) {
    hold(change.route, isHeld: !change.isReady)
    if change.isFirstTiming { align() }
  }

  // MARK: - Fallbacks

  /// Has each output route that is away heard on its fallback, and each other one by itself (RTE-2).
  func settleFallbacks() {
    guard let connections = control.attachment?.connections else { return }
    fallbacks.settle { isThere($0, connections) }
  }

  /// Leaves all routes where they are heard, while their ports are patched anew.
  ///
  /// - Returns: Ends that, and settles what has changed meanwhile; to be called once.
  func holdFallbacks() -> () -> Void {
    let release = fallbacks.hold()
    return { [weak self] in
      release()
      self?.settleFallbacks()
    }
  }

  // MARK: - Alignment

  /// Delays the output routes by their present latencies.
  func align() { latencies.align() }

  /// Sets the alignment of an output route for the rest of this run.
  ///
  /// - Throws: `badValue` for a name that is no output route.
  func setAlignment(_ params: SetAlignment.Params) throws(ControlError) -> Applied {
    try latencies.setAlignment(params)
    return Applied(frame: control.frame)
  }

  /// The alignment of a route: the last request's, or the graph's.
  func alignment(of route: GraphFile.Route) -> GraphFile.Route.Alignment {
    latencies.alignment(of: route)
  }

  /// Reads the latencies once the server's graph stands still, aligns the routes, and publishes what has changed (HW-6).
  func readLatenciesSoon() { latencies.readSoon() }

  // MARK: - What the routes are

  /// Every route of the graph, and the system input if the graph uses it; empty without a server (RTE-2).
  func ports() -> [RoutePort] {
    guard let attachment = control.attachment else { return [] }
    let connections = attachment.connections
    var ports = graph.routes.map { route in
      let isOutput = route.direction == .output
      let description = Sessions.PortDescription(
        uid: route.name,
        name: route.label,
        type: type(of: route),
        direction: isOutput ? .output : .input,
        channelNames: (1...max(1, route.channels)).map { "\(route.name) \($0)" },
        isMirrored: route.isMirrored,
      )
      return RoutePort(description: description, isThere: isThere(route, connections))
    }
    if graph.usesSystemInput {
      let isThere = !connections.ports.physical(facing: .intoHost).isEmpty
      ports.append(RoutePort(description: .systemInput, isThere: isThere))
    }
    return ports
  }

  /// Whether a route is there: what sessions play on, `status` says, and events tell.
  private func isThere(_ route: GraphFile.Route, _ connections: HostConnections) -> Bool {
    guard route.direction == .output else {
      return connections.inputPorts(of: route).count >= route.channels && !isHeld(route.name)
    }
    return isThere(route.name, ownPorts: connections.ownPorts(of: route), connections)
  }

  /// Whether an output route or a source is there: its ports are, others connect it, or a user has patched it by hand.
  private func isThere(
    _ owner: String,
    ownPorts: Set<String>,
    _ connections: HostConnections,
  ) -> Bool {
    !connections.isUnplugged(owner)
      && (!connectsPorts || connections.isSatisfied(owner) || connections.isConnected(ownPorts))
  }

  /// Whether a route or source is there.
  func isAvailable(_ owner: String) -> Bool {
    guard let attachment = control.attachment else { return false }
    let connections = attachment.connections
    return graph.route(named: owner).map { isThere($0, connections) }
      ?? isThere(owner, ownPorts: attachment.strips.ports(of: owner), connections)
  }

  /// Where the output routes are heard now; all of them without a server.
  func places() -> RoutePlaces {
    guard let connections = control.attachment?.connections else { return RoutePlaces() }
    var places = RoutePlaces(unplugged: unplugged)
    for route in graph.outputRoutes {
      let channels = connections.places(of: route.name)
      places.ownPorts[route.name] = channels.map(\.ownPort)
      let cut = channels.indices.filter { channels[$0].others.isEmpty }
      let hasPorts = connections.isSatisfied(route.name) || cut.count < channels.count
      places.outlets[route.name] = RouteOutlet(
        isThere: isThere(route, connections) && hasPorts,
        cutChannels: Set(cut),
      )
    }
    return places
  }

  /// The routes for `status`.
  ///
  /// - Parameter spec: The mix as it is or was last; nil before the first attachment.
  /// - Returns: Each route of the graph, in its order.
  func statuses(in spec: MixSpec?) -> [RouteStatus] {
    let attachment = control.attachment
    return graph.routes.map { route in
      let mixed = spec?.routes.first { $0.id == route.name }
      let isOutput = route.direction == .output
      let ports = attachment?.connections.foundPorts(of: route) ?? []
      return RouteStatus(
        name: route.name,
        type: type(of: route),
        direction: isOutput ? .output : .input,
        ports: ports,
        available: attachment.map { isThere(route, $0.connections) } ?? false,
        gainDB: mixed?.gainDB ?? route.gainDB,
        muted: mixed?.isMuted ?? route.isMuted,
        latencyFrames: attachment?.latencies.frames(of: route),
        alignment: latencies.alignment(of: route).mode,
        delayFrames: mixed?.delayFrames ?? 0,
        alignmentErrorFrames: latencies.errorFrames(of: route.name),
        fallback: attachment == nil ? nil : mixed?.fallback,
        helper: helpers.status(of: route.name, hasPorts: !ports.isEmpty),
      )
    }
  }

  /// The kind of device behind a route: the graph's value, or a guess from the device's names (RTE-6).
  private func type(of route: GraphFile.Route) -> PortType {
    guard route.isTypeGuessed else { return route.type }
    let isOutput = route.direction == .output
    switch route.helper {
    case .device(let device): return devices.portType(ofDevice: device.name, isOutput: isOutput)
    case .njbridge, .jacktrip: return .virtual
    case nil:
      let found = control.attachment?.connections.foundPorts(of: route) ?? []
      let ports = found.compactMap { control.attachment?.connections.ports.info(of: $0) }
      return PortTypeGuess.type(
        of: ports.flatMap { [$0.name] + $0.aliases },
        isOutput: isOutput,
        isHardware: ports.contains(where: \.isPhysical) || ports.isEmpty,
      )
    }
  }
}
