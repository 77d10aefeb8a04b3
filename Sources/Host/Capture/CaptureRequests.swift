// SPDX-License-Identifier: MIT

internal import ControlProtocol
internal import ControlSocket
internal import Sessions

extension Host {
  /// Answers the requests about permissions. [any-thread]
  nonisolated func registerCaptures(on router: ControlRouter) -> ControlRouter {
    router
      .on(ListPermissions.self) { _, _ in await self.run { $0.capture.listPermissions() } }
      .on(SetPermission.self) { params, connection throws(ControlError) in
        try await self.run { rooms throws(ControlError) in
          try rooms.sessions.refuseOwnAnswer(for: params.program, from: connection)
          return try rooms.capture.setPermission(params, from: connection.processID)
        }
      }
      .on(RequestPermission.self) { params, _ throws(ControlError) in
        try await self.run { rooms throws(ControlError) in
          try rooms.sessions.requestPermission(params)
        }
      }
  }
}

/// The requests of captures to sessions.
extension SessionRoom {
  /// Asks whether a session may record; a session that has to wait gets the answer as a notification.
  func requestPermission(
    _ params: RequestPermission.Params
  ) throws(ControlError) -> RequestPermission.Result {
    let id = try session(named: params.session)
    do throws(SessionError) {
      _ = try ask([.requestRecordPermission], of: id)
    } catch {
      throw ControlError(error)
    }
    let permission = held(id).map { state.permission(of: $0.app) }
    return RequestPermission.Result(permission: permission ?? .undetermined)
  }

  /// Refuses an answer for an app by the process that has its session (PRM-2), also where the graph lets apps answer.
  func refuseOwnAnswer(for app: String, from connection: ConnectionID) throws(ControlError) {
    let owners = sessions(of: app).compactMap { held($0)?.owner }
    if owners.contains(where: { $0.isProcess(of: connection) }) { throw .ownAnswer }
  }

  /// The answers of users, and the tower's data about permissions.
  fileprivate var permissionAnswers: CapturePermissions.Answers {
    let state = state
    return CapturePermissions.Answers(
      ofUser: state.permissions,
      standard: state.configuration.defaultPermission,
      asked: state.askedApps,
      withInput: state.sessions
        .filter { $0.configuration.category.hasInput && held($0.id)?.owner != .host }
        .map(\.app),
    )
  }

  /// Whether the session of a client records now; nil for a client without a session.
  fileprivate func isCaptureOpen(_ client: String) -> Bool? {
    session(ofClient: client).map { session($0)?.isCaptureOpen ?? true }
  }
}

extension Rooms {
  /// The connections of the capture room to other rooms.
  func captureLinks() -> CaptureRoom.Links {
    CaptureRoom.Links(
      answers: { [unowned self] in sessions.permissionAnswers },
      isSessionOpen: { [unowned self] client in sessions.isCaptureOpen(client) },
      rule: { [unowned self] client in adoption.rule(of: client) },
      microphoneOutputs: { [unowned self] isMicrophone in
        control.attachment?.microphoneOutputs(of: graph, where: isMicrophone) ?? []
      },
      microphonePlaces: { [unowned self] isMicrophone in
        control.attachment?.microphonePlaces(of: graph, where: isMicrophone) ?? []
      },
      helperProcess: { [unowned self] client in routes.helperProcess(ofClient: client) },
      isOwnLink: { [unowned self] pair in nodes.owns(pair) },
      answer: { [unowned self] program, permission in
        answer(program, permission)
      },
      captureChanged: { [unowned self] client in
        if let id = sessions.session(ofClient: client) { sessions.tellRunning(id) }
      },
      gatesChanged: { [unowned self] in tellGuard() },
      stateChanged: { [keeping] in keeping.changed() },
    )
  }

  private func answer(_ key: String, _ permission: RecordPermission) {
    for key in [key] + otherKeys(of: key) {
      switch permission {
      case .granted, .denied:
        sessions.tell(.permissionAnswered(app: key, permission: permission))
      case .undetermined: sessions.tell(.permissionReset(app: key))
      }
    }
    // The tower knows adopted clients by their clients' names.
    var settings = sessions.state.configuration
    settings.permissions = graph.towerConfiguration.permissions
    for held in sessions.all.map(\.held) {
      guard case .client(let client) = held.owner else { continue }
      settings.permissions[held.app] = capture.permission(ofClient: client)
    }
    if settings != sessions.state.configuration {
      sessions.tell(.configurationChanged(configuration: settings))
    }
  }

  /// The other names of the program of a session: an app has a name of its own beside its executable (PRM-2).
  private func otherKeys(of key: String) -> [String] {
    let keys = sessions.all.map(\.held).compactMap { held -> String? in
      switch held.owner {
      case .host, .source: return nil
      case .client(let client):
        let program = programs.program(of: client)
        guard held.app == key, isOwnName(held.app, of: program.executable) else { return nil }
        return program.key
      case .connection(let connection):
        guard let process = connection.processID, !programs.isOwnProgram(process),
          let executable = programs.executable(of: process),
          isOwnName(held.app, of: executable)
        else { return nil }
        return held.app == key ? executable : executable == key ? held.app : nil
      }
    }
    return Set(keys).subtracting([key]).sorted()
  }

  /// Whether an answer for an app's name may be one for its executable: apps choose their names, and one may choose a path, or
  /// the name of a program that it is not (PRM-2).
  private func isOwnName(_ app: String, of executable: String?) -> Bool {
    guard Program(key: app) == nil else { return false }
    let installed = programs.installed(app)
    return installed == nil || installed == executable
  }
}

extension ControlError {
  /// The refusal of an answer that a program gives for its user (PRM-2).
  static var ownAnswer: ControlError {
    ControlError(
      .refused,
      place: "setPermission",
      fault: "a program cannot answer for its user (PRM-2)",
      allowed: "an answer of the user, as with 'multiroute permission'",
    )
  }
}
