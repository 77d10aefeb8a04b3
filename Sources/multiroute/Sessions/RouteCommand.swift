// SPDX-License-Identifier: MIT

import ArgumentParser
import CommandSupport
import Console
import ControlProtocol
import ControlSocket
import Sessions

/// `multiroute route APP [ROUTE]`: the route picker.
struct RouteCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "route",
    abstract: "Show the routes that an app may use, and move it to one of them.",
    discussion: """
      Examples: multiroute route player; multiroute route player phones; multiroute route player --automatic

      Your choice counts more than the app's and the graph's. It holds until the route goes, or until you choose again.
      """,
  )

  @OptionGroup var host: HostOption
  @Argument(help: "The program's name, or a session's id.", completion: LiveNames.apps)
  var app: String
  @Argument(help: "The route to move it to.", completion: LiveNames.routes)
  var route: String?
  @Flag(help: "Let the rules choose the route again.") var automatic = false
  @Flag(help: "Print JSON.") var json = false

  /// A session with its routes, as JSON.
  struct Choices: Encodable, Sendable {
    var session: String
    var outputs: [SessionOutput]?
  }

  func validate() throws {
    if automatic, let route {
      throw ValidationError("'--automatic' and the route '\(route)' exclude each other")
    }
  }

  func run() async throws {
    try await host.withClient { client in
      let sessions = try await client.sessions(of: app)
      if automatic || route != nil { try await choose(client, sessions) }
      var all: [Choices] = []
      for session in sessions {
        let detail = try await client.call(GetSession.self, .init(session: session))
        all.append(Choices(session: session, outputs: detail.outputs))
      }
      if json { return try Terminal.say(json: all) }
      for choices in all {
        let lines = RoutePickerView.lines(
          choices.session,
          choices.outputs,
          width: Terminal.columns,
        )
        for line in lines { Terminal.say(line) }
      }
    }
  }

  /// Moves the program: one of its sessions that may use the route is enough.
  private func choose(_ client: ControlClient, _ sessions: [String]) async throws {
    let name = try await exactRoute(client)
    var refusal: ControlClientError?
    for session in sessions {
      do {
        return _ = try await client.call(ChooseRoute.self, .init(session: session, route: name))
      } catch {
        refusal = error
      }
    }
    if let refusal { throw refusal }
  }

  /// The route's name as the graph has it; case does not matter where nothing else differs.
  private func exactRoute(_ client: ControlClient) async throws -> String? {
    guard let route else { return nil }
    let status = try await client.call(GetStatus.self)
    let names = status.routes.filter { $0.direction == .output }.map(\.name)
    return Spelling.name(route, among: names) ?? route
  }
}

/// `multiroute volume [NAME] [VOLUME]`: the volume of a route, or of an app.
struct VolumeCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "volume",
    abstract: "Show and set the volume of a route, an app or a strip: 0 to 1, or 0% to 100%.",
    discussion: """
      Examples: multiroute volume; multiroute volume phones 40%; multiroute volume player 0.7

      An app's volume is that of its strips. A volume of more than 0 unmutes. 'multiroute set gain' takes decibels.
      """,
  )

  @OptionGroup var host: HostOption
  @Argument(
    help: "A route, an app, a session's id or a strip.",
    completion: LiveNames.targets,
  )
  var name: String?
  @Argument(help: "The volume, such as 0.5 or 50%.", transform: QuantityArgument.share)
  var volume: Double?
  @Flag(help: "Print JSON.") var json = false

  /// One volume, as JSON.
  struct Shown: Encodable, Sendable {
    var name: String
    var volume: Double
    var muted: Bool
  }

  func run() async throws {
    try await host.withClient { client in
      let targets = try await targets(client)
      if let volume {
        for target in targets { try await set(volume, target, client) }
      }
      let status = try await client.call(GetStatus.self)
      let shown = targets.isEmpty ? Self.all(status) : targets
      if json { return try Terminal.say(json: shown.compactMap { Self.volume(of: $0, status) }) }
      if name == nil {
        for line in VolumeView.lines(status) { Terminal.say(line) }
      }
      for target in targets {
        guard let fader = Self.fader(of: target, status) else { continue }
        Terminal.say("\(fader.name): \(VolumeView.text(fader.gainDB, fader.isMuted))")
      }
    }
  }

  private func set(_ volume: Double, _ target: MixTarget, _ client: ControlClient) async throws {
    let gainDB = FaderVolume.gainDB(ofVolume: volume)
    _ = try await client.call(SetGain.self, SetGain.Params(target: target, gainDB: gainDB))
    guard volume > 0 else { return }
    _ = try await client.call(SetMute.self, SetMute.Params(target: target, muted: false))
  }

  /// The faders of a name; none without a name.
  private func targets(_ client: ControlClient) async throws -> [MixTarget] {
    guard let name else { return [] }
    let status = try await client.call(GetStatus.self)
    let apps = status.sessions.filter { $0.id == name || $0.app == name }
    let strips = apps.flatMap(\.strips)
    let isRoute = status.routes.contains { $0.name == name }
    guard strips.isEmpty || isRoute else { return strips.map { .strip($0) } }
    return [try await NamedTarget.named(name).target(client)]
  }

  private static func all(_ status: HostStatus) -> [MixTarget] {
    status.routes.filter { $0.direction == .output }.map { .route($0.name) }
      + status.strips.map { .strip($0.id) }
  }

  private static func volume(of target: MixTarget, _ status: HostStatus) -> Shown? {
    fader(of: target, status).map { fader in
      let volume = FaderVolume.volume(gainDB: fader.gainDB, isMuted: fader.isMuted)
      return Shown(name: fader.name, volume: volume, muted: fader.isMuted)
    }
  }

  private static func fader(
    of target: MixTarget,
    _ status: HostStatus,
  ) -> (name: String, gainDB: Double, isMuted: Bool)? {
    switch target {
    case .route(let name):
      status.routes.first { $0.name == name }.map { (name, $0.gainDB, $0.muted) }
    case .strip(let id): status.strips.first { $0.id == id }.map { (id, $0.gainDB, $0.muted) }
    case .send: nil
    }
  }
}

extension ControlClient {
  /// The sessions of a program, or the one of that id, by their ids.
  ///
  /// Case does not matter where nothing else differs.
  ///
  /// - Throws: `unknownSession` with the names that there are.
  fileprivate func sessions(of app: String) async throws -> [String] {
    let sessions = try await call(GetStatus.self).sessions
    if sessions.contains(where: { $0.id == app }) { return [app] }
    let name = Spelling.name(app, among: sessions.flatMap { [$0.app, $0.id] }) ?? app
    let found = sessions.filter { $0.app == name || $0.id == name }.map(\.id)
    guard !found.isEmpty else {
      throw ControlError.unknownSession(app, known: sessions.map(\.id))
    }
    return found
  }
}
