// SPDX-License-Identifier: MIT

internal import ControlProtocol
internal import ControlSocket
internal import GraphFiles
internal import Mixing
internal import Sessions

extension Host {
  /// Opens a session for a connection.
  func openSession(
    _ params: OpenSession.Params,
    for connection: ConnectionID,
  ) throws(ControlError) -> OpenSession.Result {
    // A session of before would hear nothing of the server that comes.
    _ = try currentMix()
    var description: SessionDescription
    do throws(SessionError) {
      description = try params.description()
    } catch {
      throw ControlError(error)
    }
    for route in params.routes ?? [] {
      let outputs = configuration.graph.routes.filter { $0.direction == .output }.map(\.name)
      guard outputs.contains(route) else { throw .unknownRoute(route, known: outputs) }
    }
    description.traits.pinnedOutputs = params.routes ?? []
    let ports = try SessionPorts(checking: params.ports ?? [], channels: params.channels)
    let name = freeSessionName(params.app, channels: ports?.channels ?? 0)
    let session = HeldSession(
      name: name,
      app: params.app,
      owner: .connection(connection),
      strips: ports == nil ? [] : [name],
      ports: ports,
    )
    try open(session, description)
    connectMissing()
    enforceStrips()
    tellRunning()
    restateLatencies()
    return OpenSession.Result(session: name, strip: ports == nil ? nil : name)
  }

  /// Opens a session with its strip, where it has one of its own.
  @discardableResult
  func open(
    _ session: HeldSession,
    _ description: SessionDescription,
  ) throws(ControlError) -> SessionID {
    let opened: (id: SessionID, effects: [TowerEffect])
    do throws(SessionError) {
      opened = try tower.open(session, description)
    } catch {
      throw ControlError(error)
    }
    if session.ownsStrip {
      do throws(ControlError) {
        try addStrip(for: session, gainDB: gainDB(of: session))
        if kept.apps[session.keptName]?.isMuted == true {
          try mix?.setMute(.strip(session.ownStrip), isMuted: true)
        }
      } catch {
        carryOut(tower.take(.sessionClosed(session: opened.id, cause: .closed)))
        tower.forget(opened.id)
        throw error
      }
    }
    carryOut(opened.effects)
    tellRunning(opened.id)
    keepState()
    return opened.id
  }

  /// The fader that a session's own strip has: what a user gave the program last, or the rule's.
  func gainDB(of session: HeldSession) -> Double {
    kept.apps[session.keptName]?.gainDB ?? session.startGainDB
  }

  /// A name for a session of a program that no other session, strip or route has.
  func freeSessionName(_ app: String, channels: Int) -> String {
    tower.freeName(SessionName.made(from: app)) { name in
      mix?.engine.spec.strips.contains { $0.id == name } ?? false
        || configuration.graph.route(named: name) != nil
        || presence?.isInTheWay(of: name, channels: channels) ?? false
    }
  }

  /// Changes category, mode, options and wishes.
  func configureSession(_ params: ConfigureSession.Params) throws(ControlError) -> Applied {
    let id = try session(named: params.session)
    do throws(SessionError) {
      let requests = try params.requests(of: tower.tower.state.session(id)?.configuration)
      return Applied(frame: frame(), waiting: try ask(requests, of: id))
    } catch {
      throw ControlError(error)
    }
  }

  /// Makes a session active, and waits until the hardware runs as it then will (HW-3).
  func activateSession(
    named name: String
  ) async throws(ControlError) -> ActivateSession.Result {
    let id = try session(named: name)
    let waiting: [UInt64]
    do throws(SessionError) {
      waiting = try ask([.activate], of: id)
    } catch {
      throw ControlError(error)
    }
    if tower.tower.state.session(id)?.isPaused == true { tell(.playerResumed(session: id)) }
    // A deactivation stops the I/O for the tower; the ports may have stayed connected.
    if tower.held[id]?.isRunning == true, tower.tower.state.session(id)?.isRunningIO == false {
      tell(.ioStarted(session: id))
    }
    let frame = frame()
    await hardwareWork?.value
    let values = hardwareValues(of: id)
    return ActivateSession.Result(
      frame: frame,
      sampleRate: values.sampleRate,
      ioBufferDuration: values.ioBufferDuration,
      waiting: waiting,
    )
  }

  /// Makes a session inactive.
  func deactivateSession(_ params: DeactivateSession.Params) throws(ControlError) -> Applied {
    let id = try session(named: params.session)
    do throws(SessionError) {
      let request = SessionRequest.deactivate(notifyOthers: params.notifyOthers ?? false)
      return Applied(frame: frame(), waiting: try ask([request], of: id))
    } catch {
      throw ControlError(error)
    }
  }

  /// Ends a session that was opened over the socket.
  func closeSession(named name: String) throws(ControlError) -> Applied {
    let id = try session(named: name)
    guard case .connection = tower.held[id]?.owner else {
      throw ControlError(
        .refused,
        place: "session",
        fault: "'\(name)' is a session of the graph",
        allowed: "a session that was opened with openSession",
      )
    }
    endSession(id, .closed)
    return Applied(frame: frame())
  }

  /// A connection is gone: its sessions end with it, and who waited for them goes on (SES-6).
  func connectionClosed(_ connection: ConnectionID) {
    for (id, held) in tower.held.sorted(by: { $0.key < $1.key })
    where held.owner == .connection(connection) {
      endSession(id, .died)
    }
  }

  /// Ends a session and takes its strip away.
  func endSession(_ id: SessionID, _ cause: TowerEvent.CloseCause) {
    if let held = tower.held[id] { keep(held, id) }
    keepState()
    tell(.sessionClosed(session: id, cause: cause))
    guard let held = tower.held[id] else { return }
    tower.forget(id)
    if held.ownsStrip { for strip in held.strips { removeStrip(strip) } }
  }

  /// Explains the sessions of a program.
  func why(_ app: String) throws(ControlError) -> Why.Result {
    let sessions = tower.sessions(of: app)
    let captures = captureExplanations(of: app)
    guard !sessions.isEmpty || !captures.isEmpty else {
      throw .unknownSession(app, known: tower.names)
    }
    return Why.Result(
      sessions: captures + sessions.compactMap { directExplanation(of: $0) }
        + sessions.compactMap { id in
          tower.tower.state.explanation(of: id).map { explanation in
            Why.Explanation(
              session: name(of: id),
              level: explanation.level.rawValue,
              sentence: explanation.sentence,
              remedy: explanation.remedy,
              rule: explanation.rule.rawValue,
            )
          }
        }
    )
  }

  /// That a client is heard past its strip, where it is.
  private func directExplanation(of id: SessionID) -> Why.Explanation? {
    let ports = tower.held[id]?.adopted.map { directPorts(of: $0) } ?? []
    guard !ports.isEmpty else { return nil }
    let list = ports.joined(separator: ", ")
    return Why.Explanation(
      session: name(of: id),
      level: "full",
      sentence: "\(name(of: id)) plays directly to \(list), where no session silences it.",
      remedy: "Name the ports in a route of the graph.",
      rule: "INT-1",
    )
  }

  /// The session of that name on the wire.
  func session(named name: String) throws(ControlError) -> SessionID {
    guard let id = tower.session(named: name) else {
      throw .unknownSession(name, known: tower.names)
    }
    return id
  }

  /// Asks the tower in a session's name, one after the other, until one is refused.
  ///
  /// - Returns: The numbers of those that are answered later.
  @discardableResult
  func ask(_ requests: [SessionRequest], of id: SessionID) throws(SessionError) -> [UInt64] {
    var waiting: [UInt64] = []
    for request in requests {
      let (number, reply, effects) = tower.ask(request, of: id)
      carryOut(effects)
      if case .refused(let error) = reply { throw error }
      if reply == nil { waiting.append(number.rawValue) }
    }
    return waiting
  }
}
