// SPDX-License-Identifier: MIT

internal import ControlProtocol
internal import ControlSocket
internal import GraphFiles
internal import JACK
internal import Patchbay
internal import Sessions

/// The requests of the control socket about sessions.
extension SessionRoom {
  /// Opens a session for a connection.
  ///
  /// - Parameters:
  ///   - params: Its description.
  ///   - ports: The ports that feed its strip; nil for none.
  ///   - file: The file that the host plays into its strip; nil for none.
  ///   - connection: The connection, with which the session ends.
  ///   - outputs: The output routes.
  /// - Returns: The session with its strip.
  /// - Throws: `badValue` for parameters that do not fit, or the refusal of a limit or of the tower.
  func open(
    _ params: OpenSession.Params,
    ports: SessionPorts?,
    file: OpenedFile? = nil,
    for connection: ConnectionID,
    outputs: [String],
  ) throws(ControlError) -> OpenSession.Result {
    var description: SessionDescription
    do throws(SessionError) {
      description = try params.description()
    } catch {
      throw ControlError(error)
    }
    for route in params.routes ?? [] where !outputs.contains(route) {
      throw .unknownRoute(route, known: outputs)
    }
    description.traits.pinnedOutputs = params.routes ?? []
    let limits = SessionLimits(all.map(\.held), of: connection)
    try limits.checkSession()
    try limits.check(ports)
    if file != nil { try limits.checkFile() }
    let channels = ports?.channels ?? file?.channels
    let name = freeName(params.app, channels: channels ?? 0)
    var session = HeldSession(
      name: name,
      app: params.app,
      owner: .connection(connection),
      strips: channels == nil ? [] : [name],
      feed: ports.map { .ports($0) } ?? channels.map { .file(channels: $0) } ?? .none,
    )
    // Its activation begins the file.
    if file != nil { session.reportedRunning = false }
    try open(session, description, playing: file)
    return OpenSession.Result(session: name, strip: channels == nil ? nil : name)
  }

  /// Changes the category, mode, options and preferences of a session.
  func configure(_ params: ConfigureSession.Params) throws(ControlError) -> [UInt64] {
    let id = try session(named: params.session)
    return try refusing { () throws(SessionError) in
      try ask(params.requests(of: session(id)?.configuration), of: id)
    }
  }

  /// Activates a session, and returns the actual values of its hardware.
  func activate(named name: String) async throws(ControlError) -> ActivateSession.Result {
    let id = try session(named: name)
    let activation: (frame: UInt64?, waiting: [UInt64])
    do throws(SessionError) {
      activation = try await activate(id)
    } catch {
      throw ControlError(error)
    }
    let values = hardwareValues(of: id)
    return ActivateSession.Result(
      frame: activation.frame,
      sampleRate: values.sampleRate,
      ioBufferDuration: values.ioBufferDuration,
      waiting: activation.waiting,
    )
  }

  /// Deactivates a session.
  func deactivate(_ params: DeactivateSession.Params) throws(ControlError) -> [UInt64] {
    let id = try session(named: params.session)
    return try refusing { () throws(SessionError) in
      try ask([.deactivate(notifyOthers: params.notifyOthers ?? false)], of: id)
    }
  }

  /// Ends a session that was opened over the socket.
  func close(named name: String) throws(ControlError) {
    let id = try session(named: name)
    try checkOpened(id, name)
    end(id, .closed)
  }

  /// Changes a session's choice of ports, its mutes and its list of notifications.
  func adjust(_ params: AdjustSession.Params) throws(ControlError) -> [UInt64] {
    let id = try session(named: params.session)
    let waiting = try refusing { () throws(SessionError) in try ask(params.requests, of: id) }
    if let isRunning = params.ioRunning { report(id, isRunning: isRunning) }
    return waiting
  }

  /// Gives a session another strip, or removes its strip.
  ///
  /// - Throws: The refusal of a limit, or of JACK.
  func setPorts(
    _ params: SetSessionPorts.Params,
    ports: SessionPorts?,
  ) throws(ControlError) -> SetSessionPorts.Result {
    let id = try session(named: params.session)
    let owner = try checkOpened(id, params.session)
    guard held(id)?.playsFile != true else {
      throw ControlError(
        .refused,
        place: "session",
        fault: "the host plays a file in '\(params.session)'",
        allowed: "a session that was opened without 'file'",
      )
    }
    // The patterns that it has now make room for the new ones.
    try SessionLimits(all.filter { $0.id != id }.map(\.held), of: owner).check(ports)
    var ports = ports
    ports?.isDealtByClient = true
    return SetSessionPorts.Result(strip: try setPorts(ports, of: id))
  }

  /// Passes a remote-control command on, or stores it (VOL-2, INT-4).
  func remoteCommand(_ params: SendRemoteCommand.Params) throws(ControlError) {
    let id = try params.session.map { name throws(ControlError) in
      // The newest of several sessions of a program counts.
      if let newest = sessions(of: name).last { return newest }
      return try session(named: name)
    }
    guard id != nil || nowPlaying != nil else {
      throw ControlError(
        .refused,
        message:
          "nobody gets the key '\(params.command.kind.rawValue)': no program is now playing (VOL-2); "
          + "name one of the sessions: \(names.joined(separator: ", "))",
      )
    }
    tell(.remoteCommand(command: params.command, session: id))
  }

  /// Sends the apps of that name to the background, or brings them back (SYS-1, SYS-2).
  func setBackground(_ app: String, isOn: Bool) throws(ControlError) {
    let ids = sessions(of: app)
    guard !ids.isEmpty else { throw .unknownSession(app, known: names) }
    for id in ids { tell(isOn ? .appBackgrounded(session: id) : .appForegrounded(session: id)) }
  }

  /// Brings the app of that name, or of that session, to the foreground, and the others to the background; nil brings all
  /// back (SYS-5).
  ///
  /// A program without a session counts too: its next one is in the foreground.
  func bringToForeground(_ app: String?) {
    let named = app.flatMap { sessions(of: $0).last }.flatMap { session($0)?.app }
    tell(.foregroundChanged(app: named ?? app))
  }

  /// The connection that has opened a session.
  @discardableResult
  private func checkOpened(_ id: SessionID, _ name: String) throws(ControlError) -> ConnectionID {
    guard case .connection(let owner) = held(id)?.owner else {
      throw ControlError(
        .refused,
        place: "session",
        fault: "'\(name)' is a session of the graph",
        allowed: "a session that was opened with openSession",
      )
    }
    return owner
  }

  /// Converts the tower's refusals to the protocol's.
  func refusing<Result>(
    _ body: () throws(SessionError) -> Result
  ) throws(ControlError) -> Result {
    do throws(SessionError) {
      return try body()
    } catch {
      throw ControlError(error)
    }
  }
}

extension Host {
  /// Registers the requests about sessions.
  nonisolated func registerSessions(on router: ControlRouter) -> ControlRouter {
    router
      .on(OpenSession.self) { params, connection throws(ControlError) in
        let ports = try await PreparedPorts.prepare(
          params.ports ?? [],
          channels: params.channels
        ) { await self.presentPorts }
        let file = try await self.openFile(params, for: connection)
        let opened = try await self.openSession(params, ports: ports, file: file, for: connection)
        if params.activates == true { try await self.activateOpened(opened.session) }
        return opened
      }
      .on(ConfigureSession.self) { params, _ throws(ControlError) in
        try await self.answer { rooms throws(ControlError) in try rooms.sessions.configure(params) }
      }
      .on(ActivateSession.self) { params, _ throws(ControlError) in
        try await self.activateSession(named: params.session)
      }
      .on(DeactivateSession.self) { params, _ throws(ControlError) in
        try await self.answer { rooms throws(ControlError) in try rooms.sessions.deactivate(params)
        }
      }
      .on(CloseSession.self) { params, _ throws(ControlError) in
        try await self.answer { rooms throws(ControlError) in
          try rooms.sessions.close(named: params.session)
          return []
        }
      }
      .on(GetSession.self) { params, _ throws(ControlError) in
        try await self.sessionDetail(named: params.session)
      }
      .on(AdjustSession.self) { params, _ throws(ControlError) in
        try await self.answer { rooms throws(ControlError) in try rooms.sessions.adjust(params) }
      }
      .on(SetSessionPorts.self) { params, _ throws(ControlError) in
        let ports = try await PreparedPorts.prepare(params.ports, channels: params.channels) {
          await self.presentPorts
        }
        return try await self.setSessionPorts(params, ports: ports)
      }
      .on(SendRemoteCommand.self) { params, _ throws(ControlError) in
        try await self.answer { rooms throws(ControlError) in
          try rooms.sessions.remoteCommand(params)
          return []
        }
      }
      .on(Why.self) { params, _ throws(ControlError) in try await self.why(params.app) }
      .on(Simulate.self) { params, _ throws(ControlError) in
        try await self.run { rooms throws(ControlError) in try rooms.simulate(params) }
      }
      .onClientLeft { connection in await self.run { $0.learning.clientLeft(connection) } }
      .onConnectionClosed { connection in await self.connectionClosed(connection) }
  }

  /// Carries a request out, and returns the frame at which it took effect.
  private func answer(
    _ body: @Sendable (Rooms) throws(ControlError) -> [UInt64]
  ) throws(ControlError) -> Applied {
    let waiting = try body(rooms)
    return Applied(frame: rooms.control.frame, waiting: waiting)
  }

  /// A copy of the server's ports; nil without a server.
  private var presentPorts: PortDirectory? { rooms.control.attachment?.connections.ports }

  /// Opens the file that a session is to play; nil without one.
  ///
  /// - Throws: `badValue` for a file that cannot be played, `refused` for a client in the network: it has no files here.
  private nonisolated func openFile(
    _ params: OpenSession.Params,
    for connection: ConnectionID,
  ) async throws(ControlError) -> OpenedFile? {
    guard let path = params.file else { return nil }
    guard connection.grantedRole == nil else {
      throw ControlError(
        .refused,
        place: "file",
        fault: "the host plays no file for a client in the network",
        allowed: "a program of this machine, over the host's socket",
      )
    }
    let opening = try await fileOpening()
    return try await opening.open(
      path,
      channels: params.channels,
      startSeconds: params.startSeconds ?? 0,
    )
  }

  private func fileOpening() throws(ControlError) -> FileOpening {
    guard rooms.control.mixEngine != nil else { throw .notAttachedYet }
    return rooms.sources.opening(sampleRateHz: Double(rooms.hardware.sampleRateHz))
  }

  private func openSession(
    _ params: OpenSession.Params,
    ports: PreparedPorts,
    file: OpenedFile?,
    for connection: ConnectionID,
  ) throws(ControlError) -> OpenSession.Result {
    // A session that opens before the first attachment would miss the notifications about its server.
    guard rooms.control.mixEngine != nil else { throw .notAttachedYet }
    try file?.follow(sampleRateHz: Double(rooms.hardware.sampleRateHz))
    let result = try using(ports) { () throws(ControlError) in
      try rooms.sessions.open(
        params,
        ports: ports.ports,
        file: file,
        for: connection,
        outputs: outputRoutes
      )
    }
    rooms.roles.noteApp(connection)
    // No port of another program feeds such a strip.
    guard file == nil else { return result }
    rooms.control.attachment?.connections.makeMissing()
    rooms.sessions.enforceStrips()
    rooms.sessions.tellRunning()
    rooms.control.attachment?.latencies.restate()
    return result
  }

  private var outputRoutes: [String] { rooms.graph.outputRoutes.map(\.name) }

  private func activateSession(
    named name: String
  ) async throws(ControlError) -> ActivateSession.Result {
    try await rooms.sessions.activate(named: name)
  }

  /// Activates a session that its request opens and activates; where it is refused, nothing stays of it.
  private func activateOpened(_ name: String) async throws(ControlError) {
    do throws(ControlError) {
      _ = try await activateSession(named: name)
    } catch {
      try rooms.sessions.close(named: name)
      throw error
    }
  }

  private func sessionDetail(named name: String) throws(ControlError) -> SessionDetail {
    try rooms.sessions.detail(try rooms.sessions.session(named: name))
  }

  private func setSessionPorts(
    _ params: SetSessionPorts.Params,
    ports: PreparedPorts,
  ) throws(ControlError) -> SetSessionPorts.Result {
    try using(ports) { () throws(ControlError) in
      try rooms.sessions.setPorts(params, ports: ports.ports)
    }
  }

  /// Carries a request out with the ports at hand that its patterns match.
  private func using<Result>(
    _ ports: PreparedPorts,
    _ body: () throws(ControlError) -> Result,
  ) throws(ControlError) -> Result {
    guard let connections = rooms.control.attachment?.connections else { return try body() }
    return try connections.using(ports.answers, body)
  }

  private func connectionClosed(_ connection: ConnectionID) {
    rooms.sessions.connectionClosed(connection)
    rooms.parameters.connectionClosed(connection)
    rooms.roles.connectionClosed(connection)
    rooms.learning.connectionClosed(connection)
  }

  /// Explains the loudness or silence of a program's sessions and captures.
  private func why(_ app: String) throws(ControlError) -> Why.Result {
    let captures = rooms.capture.explanations(of: app)
    let explanations = rooms.sessions.explanations(of: app)
    let patches = rooms.patches.explanations(ofClient: app)
    guard
      !captures.isEmpty || !explanations.isEmpty || !patches.isEmpty
        || !rooms.sessions.sessions(of: app).isEmpty
    else {
      throw .unknownSession(app, known: rooms.sessions.names)
    }
    return Why.Result(sessions: captures + explanations, patches: patches)
  }
}

extension ControlError {
  /// The error of a request to the mix before the first attachment.
  static var notAttachedYet: ControlError {
    ControlError(.notReady, message: "the host is not attached to a JACK server yet")
  }
}

extension AdjustSession.Params {
  /// The requests to the tower, in order.
  fileprivate var requests: [SessionRequest] {
    var requests: [SessionRequest] = []
    if let overrideOutput { requests.append(.overrideOutput(port: overrideOutput)) }
    if let preferredInput {
      requests.append(
        .setPreferredInput(portUID: preferredInput.isEmpty ? nil : preferredInput)
      )
    }
    if let port {
      requests.append(
        .setDataSource(portUID: port, dataSource: dataSource, polarPattern: polarPattern)
      )
    }
    if let inputMuted { requests.append(.setInputMuted(isMuted: inputMuted)) }
    if let outputMuted { requests.append(.setOutputMuted(isMuted: outputMuted)) }
    if let takesRemoteCommands {
      requests.append(.setTakesRemoteCommands(isOn: takesRemoteCommands))
    }
    if let isOn = prefersInterruptionOnRouteDisconnect {
      requests.append(.setPrefersInterruptionOnRouteDisconnect(isOn: isOn))
    }
    if let isOn = prefersNoInterruptionsFromSystemAlerts {
      requests.append(.setPrefersNoInterruptionsFromSystemAlerts(isOn: isOn))
    }
    return requests
  }
}
