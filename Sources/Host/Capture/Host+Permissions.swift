// SPDX-License-Identifier: MIT

internal import ControlProtocol
internal import GraphFiles
internal import Sessions

extension Host {
  /// What a program may record: the user's answer, else the graph's, else the default (PRM-1).
  func permission(of program: Program) -> RecordPermission {
    let state = tower.tower.state
    let ofGraph = configuration.graph.permissions?.programs.mapValues(\.recordPermission) ?? [:]
    for answers in [state.permissions, ofGraph] {
      for name in program.names {
        if let answer = answers[name] { return answer }
      }
    }
    return state.configuration.defaultPermission
  }

  /// Asks the user, once, about a program without an answer.
  func ask(about program: Program, client: String) {
    guard permission(of: program) == .undetermined, askedPrograms.insert(program.name).inserted
    else { return }
    publishQuestion(program.name, executable: program.executable, client: client)
  }

  /// Tells everybody that a program waits for an answer.
  func publishQuestion(_ program: String, executable: String? = nil, client: String? = nil) {
    publish(
      .permission,
      "may '\(program)' record? It hears silence; 'multiroute permission grant \(program)' (PRM-1)",
      details: [
        "app": .string(program), "permission": "undetermined", "asks": true,
        "executable": executable.map { .string($0) } ?? .null,
        "client": client.map { .string($0) } ?? .null,
      ],
    )
  }

  /// Takes in a user's answer, or takes one back.
  func setPermission(_ params: SetPermission.Params) -> ListPermissions.Program {
    let name = programName(params.program)
    let before = entry(of: name).permission
    askedPrograms.remove(name)
    switch params.permission {
    case .granted: tell(.permissionAnswered(app: name, permission: .granted))
    case .denied: tell(.permissionAnswered(app: name, permission: .denied))
    case .undetermined: tell(.permissionReset(app: name))
    }
    tellPermissionsOfClients()
    settleGates()
    enforceCaptures()
    keepState()
    let entry = entry(of: name)
    if entry.permission != before {
      publish(
        .permission,
        "'\(name)' \(entry.permission.sentence) (PRM-1)",
        details: [
          "app": .string(name), "permission": .string(entry.permission.rawValue), "asks": false,
        ],
      )
    }
    return entry
  }

  /// Asks whether a session may record; who has to wait is told later.
  func requestPermission(_ params: RequestPermission.Params) throws(ControlError)
    -> RequestPermission.Result
  {
    let id = try session(named: params.session)
    do throws(SessionError) {
      try ask([.requestRecordPermission], of: id)
    } catch {
      throw ControlError(error)
    }
    let permission = tower.held[id].map { tower.tower.state.permission(of: $0.app) }
    return RequestPermission.Result(permission: PermissionAnswer(permission ?? .undetermined))
  }

  /// Every program with an answer, and every one that asks, records or has a session with input.
  func listPermissions() -> ListPermissions.Result {
    let state = tower.tower.state
    let capturing = (gates?.gates ?? []).map { program(of: $0.client).name }
    let sessions = state.sessions.filter(\.configuration.category.hasInput)
      .filter { tower.held[$0.id]?.owner != .host }.map(\.app)
    let names = Set(capturing + sessions).union(askedPrograms).union(state.askedApps)
      .union(state.permissions.keys).union(
        configuration.graph.permissions?.programs.keys ?? [:].keys
      )
    return ListPermissions.Result(
      defaultPermission: PermissionAnswer(state.configuration.defaultPermission),
      programs: names.sorted().map { entry(of: $0) },
    )
  }

  /// Why the clients of a program hear silence, or do not.
  func captureExplanations(of app: String) -> [Why.Explanation] {
    let clients = Set((gates?.gates ?? []).map(\.client)).filter {
      $0 == app || program(of: $0).names.contains(app)
    }
    return clients.sorted().map { client in
      let program = program(of: client)
      let answer = PermissionAnswer(permission(of: program))
      let isOpen = gates?.gates.contains { $0.client == client && $0.isOpen } ?? false
      let reason =
        answer == .granted
        ? "its session does not record now" : "'\(program.name)' \(answer.sentence)"
      return Why.Explanation(
        session: client,
        level: isOpen ? "full" : "silent",
        sentence: isOpen
          ? "\(client) hears what it records." : "\(client) records silence: \(reason).",
        remedy: answer == .granted ? nil : "Grant it: multiroute permission grant \(program.name).",
        rule: "PRM-1",
      )
    }
  }

  /// Lets the tower know what adopted clients may record: it knows them by their clients' names.
  func tellPermissionsOfClients() {
    var settings = tower.tower.state.configuration
    settings.permissions = configuration.graph.towerConfiguration.permissions
    for case .client(let client) in tower.held.values.map(\.owner) {
      settings.permissions[client] = permission(ofClient: client)
    }
    if settings != tower.tower.state.configuration {
      tell(.configurationChanged(configuration: settings))
    }
  }

  /// What the tower is to think of a client under the name of its client; nil where it knows by itself.
  func permission(ofClient client: String) -> RecordPermission? {
    let program = program(of: client)
    return program.names.contains(client)
      ? configuration.graph.towerConfiguration.permissions[client] : permission(of: program)
  }

  private func entry(of name: String) -> ListPermissions.Program {
    let state = tower.tower.state
    let gated = (gates?.gates ?? []).filter { program(of: $0.client).names.contains(name) }
    let found =
      gated.first.map { program(of: $0.client) } ?? Program(client: name, process: nil)
    let source: ListPermissions.Source =
      if found.names.contains(where: { state.permissions[$0] != nil }) {
        .user
      } else if found.names.contains(where: { configuration.graph.permissions?.programs[$0] != nil }
      ) {
        .graph
      } else {
        .standard
      }
    return ListPermissions.Program(
      program: name,
      executable: found.executable,
      permission: PermissionAnswer(permission(of: found)),
      source: source,
      clients: Set(gated.map(\.client)).sorted(),
    )
  }

  /// The program that is meant: the one of that name, or the one behind the client of that name.
  private func programName(_ text: String) -> String {
    let known = (gates?.gates ?? []).map { ($0.client, program(of: $0.client)) }
    if known.contains(where: { $0.1.names.contains(text) }) { return text }
    return known.first { $0.0 == text }?.1.name ?? text
  }
}

extension PermissionAnswer {
  /// The answer as it goes over the wire.
  init(_ permission: RecordPermission) {
    switch permission {
    case .undetermined: self = .undetermined
    case .denied: self = .denied
    case .granted: self = .granted
    }
  }

  fileprivate var sentence: String {
    switch self {
    case .granted: "may record"
    case .denied: "may not record"
    case .undetermined: "has to be asked about"
    }
  }
}
