// SPDX-License-Identifier: MIT

internal import ControlProtocol
internal import GraphFiles
internal import JACK
internal import Sessions

extension Host {
  /// The server is there: routes, hardware and the graph's sessions are told to the tower.
  ///
  /// The first time, and again after each loss (RST-1, RST-2).
  func beginSessions() {
    refusedRatesHz.removeAll()
    if let rate = preference.sampleRateHz, rate != hardware.sampleRateHz {
      refusedRatesHz.insert(rate)
    }
    tellRoutes()
    tell(
      .serverReset(
        facts: Sessions.HardwareFacts(
          base: hardware.values,
          canSetSampleRate: server.canSetSampleRate,
          sampleRatesHz: ratesHz,
          minimumBufferFrames: 16,
          maximumBufferFrames: 8_192,
        )
      )
    )
    openGraphSessions()
    tellRunning()
    refusedClients.removeAll()
    adoptClients(isAttaching: true)
  }

  /// The rates to choose from: the usual ones, the one that the server runs at, and the graph's.
  private var ratesHz: [Double] {
    let own = [hardware.sampleRateHz, preference.sampleRateHz ?? hardware.sampleRateHz]
    return Set(Self.usualRatesHz + own).sorted().map(Double.init)
  }

  private static let usualRatesHz = [
    8_000, 11_025, 16_000, 22_050, 32_000, 44_100, 48_000, 88_200, 96_000, 176_400, 192_000,
  ]

  /// The server is there again, at another rate: sessions go on as they were, where their clients have
  /// come back.
  func resumeSessions() {
    adoptClients(isAttaching: true)
    for (id, held) in tower.held where held.ownsStrip {
      guard let route = tower.tower.state.session(id)?.route else { continue }
      setRoute(route, of: id)
    }
    tellHardware(byOthers: false)
  }

  /// The server is gone: every session is void; the graph's come back with it.
  func endSessions() {
    // Adopted clients died with the server; their strips are made anew when they come back (RST-2).
    let adopted = tower.held.values.filter { held in
      guard case .client = held.owner else { return false }
      return true
    }
    keepSessions()
    tell(.serverLost)
    tower.forgetEnded()
    for held in adopted { removeStrip(held.name) }
  }

  private func openGraphSessions() {
    let graph = configuration.graph
    let shared = graph.sources.filter { $0.session == nil }.map(\.name)
    openGraphSession(name: "host", owner: .host, strips: shared) { () throws(SessionError) in
      try graph.hostSession(preference, sampleRateHz: hardware.sampleRateHz)
    }
    for source in graph.sources {
      guard let session = source.session else { continue }
      openGraphSession(name: source.name, owner: .source, strips: [source.name]) {
        () throws(SessionError) in
        try session.description(app: source.name, isAdopted: true)
      }
    }
  }

  private func openGraphSession(
    name: String,
    owner: HeldSession.Owner,
    strips: [String],
    _ describe: () throws(SessionError) -> SessionDescription,
  ) {
    do throws(SessionError) {
      let description = try describe()
      let session = HeldSession(
        name: tower.freeName(name) { _ in false },
        app: description.app,
        owner: owner,
        strips: strips,
      )
      carryOut(try tower.open(session, description).effects)
    } catch {
      publish(.error, "the session of '\(name)' is refused: \(error)")
    }
  }

  // MARK: - Routes

  /// Tells the tower which routes have come and gone (RTE-2).
  func tellRoutes() {
    guard phase == .running else { return }
    let known = Set(tower.tower.state.ports.map(\.uid))
    for port in routePorts() where port.isThere != known.contains(port.description.uid) {
      tell(
        port.isThere
          ? .routeAppeared(port: port.description) : .routeVanished(uid: port.description.uid)
      )
    }
  }

  private func routePorts() -> [(description: PortDescription, isThere: Bool)] {
    let satisfied = keeper.satisfiedOwners()
    var ports = configuration.graph.routes.map { route in
      let isOutput = route.direction == .output
      let description = PortDescription(
        uid: route.name,
        name: route.label,
        type: portType(of: route),
        direction: isOutput ? .output : .input,
        channelNames: (1...max(1, route.channels)).map { "\(route.name) \($0)" },
      )
      // A route that somebody has patched by hand is heard there, wherever that is.
      let isThere =
        isOutput
        ? !keeper.isUnplugged(route.name)
          && (!configuration.connectsPorts || satisfied.contains(route.name)
            || keeper.isConnected(ownPorts(of: route)))
        : inputPorts(of: route).count >= route.channels && !isHeld(route.name)
      return (description, isThere)
    }
    let hasInputRoutes = configuration.graph.routes.contains { $0.direction == .input }
    if configuration.graph.sources.contains(where: { $0.kind == .systemInput })
      || configuration.graph.permissions != nil && !hasInputRoutes
    {
      // Not a name that a route can have.
      let description = PortDescription(uid: "system input", type: .lineIn, direction: .input)
      ports.append((description, !keeper.ports.physical(facing: .intoHost).isEmpty))
    }
    return ports
  }

  private func ownPorts(of route: GraphFile.Route) -> Set<String> {
    guard let presence else { return [] }
    return Set(
      (0..<route.channels).map {
        "\(presence.mix.name):\(PortNames.route(route.name, channel: $0))"
      }
    )
  }

  // MARK: - Audio that runs

  /// Tells the tower whose audio has started and stopped, by what is connected (SES-4).
  func tellRunning() {
    for id in tower.held.filter({ !$0.value.strips.isEmpty || $0.value.owner == .host }).keys
      .sorted()
    {
      tellRunning(id)
    }
  }

  /// Tells the tower where one session's audio has started or stopped.
  func tellRunning(_ id: SessionID) {
    guard phase == .running, let held = tower.held[id] else { return }
    let isRunning = isRunning(held)
    guard tower.note(id, isRunning: isRunning) else { return }
    guard isRunning, pausesAtStart.remove(id) != nil else {
      return tell(isRunning ? .ioStarted(session: id) : .ioStopped(session: id))
    }
    // Starting ends every pause: its gate would open, and be shut a cycle later.
    let effects =
      tower.take(.ioStarted(session: id))
      + tower.take(.remoteCommand(command: .pause, session: id))
    let isPaused = tower.tower.state.session(id)?.isPaused == true
    carryOut(effects.filter { !isPaused || !$0.opensGate(of: id) })
  }

  private func isRunning(_ held: HeldSession) -> Bool {
    if held.owner == .host { return true }
    if let isRunning = held.reportedRunning { return isRunning }
    guard let presence else { return false }
    if case .client(let client) = held.owner, isCapturing(client) { return true }
    return held.strips.contains { strip in
      if let source = configuration.graph.source(named: strip) {
        guard case .ports = source.kind else { return true }
      }
      return keeper.isConnected(presence.mixPorts.names(ofStrip: strip, client: presence.mix.name))
    }
  }
}

extension TowerEffect {
  fileprivate func opensGate(of id: SessionID) -> Bool {
    if case .setGate(id, isOpen: true, _) = self { true } else { false }
  }
}
