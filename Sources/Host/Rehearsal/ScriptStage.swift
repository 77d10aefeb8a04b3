// SPDX-License-Identifier: MIT

public import GraphFiles
internal import ServerControl
public import Sessions

/// Written events as the events of a tower that a host with a graph would have had. [any-thread]
extension EventScript {
  /// The log of a host whose routes are all plugged in.
  ///
  /// - Parameter graph: The graph of the host.
  /// - Returns: The log, whose first entry is the start of the host.
  /// - Throws: Routes that the graph does not have, at their places in the script.
  public func log(for graph: GraphFile) throws(GraphFileErrors) -> RehearsalScript {
    var stage = ScriptStage(graph)
    var entries = [stage.begin()]
    for event in events {
      let kinds = try stage.kinds(event, of: self)
      let time = event.timeNanoseconds
      entries.append(
        RehearsalEntry(
          events: kinds.map { TowerEvent(timeNanoseconds: time, $0) },
          timeNanoseconds: time,
          phrase: event.action.phrase,
        )
      )
    }
    return RehearsalScript(start: TowerState(configuration: stage.configuration), entries: entries)
  }
}

/// The sessions and ports of a host that plays written events.
///
/// Pure value: [any-thread].
struct ScriptStage {
  private struct Place {
    var id: SessionID
    var isClient: Bool
    var isRunning: Bool
  }

  let configuration: TowerConfiguration
  private let graph: GraphFile
  private let ports: [PortDescription]
  private var places: [String: Place] = [:]
  private var lastSession: UInt32 = 0
  private var lastRequest: UInt64 = 0

  init(_ graph: GraphFile) {
    self.graph = graph
    configuration = graph.towerConfiguration
    ports = graph.rehearsedPorts
  }

  /// The start of the host: its ports, the server, and the sessions of the graph.
  mutating func begin() -> RehearsalEntry {
    var kinds: [TowerEvent.Kind] = ports.map { .routeAppeared(port: $0) }
    kinds.append(.serverReset(facts: HardwareFacts()))
    var own: [SessionDescription] = []
    if graph.sources.contains(where: { $0.session == nil }),
      let host = try? graph.hostSession(ServerPreference(), sampleRateHz: 48_000)
    {
      own.append(host)
    }
    own += graph.sources.compactMap { try? graph.sourceSession($0.name) }
    for description in own {
      let id = nextSession()
      kinds.append(.sessionOpened(request: nil, session: id, description: description))
      kinds.append(.ioStarted(session: id))
    }
    return RehearsalEntry(
      events: kinds.map { TowerEvent(timeNanoseconds: 0, $0) },
      timeNanoseconds: 0,
      phrase: "the host starts",
    )
  }

  /// The events of the tower for a written one.
  mutating func kinds(
    _ event: EventScript.Event,
    of script: EventScript,
  ) throws(GraphFileErrors) -> [TowerEvent.Kind] {
    switch event.action {
    case .client(let name, let executable): return appear(name, executable)
    case .open(let app, let session):
      do throws(SessionError) {
        return try open(app, session)
      } catch {
        throw script.fault(at: event, "open: \(error)")
      }
    case .session(let name, let action): return kinds(name, action)
    case .press(let command, let app):
      return [.remoteCommand(command: command, session: app.flatMap { places[$0]?.id })]
    case .plug(let route, let isPlugged):
      guard let port = ports.first(where: { $0.uid == route }) else {
        let known = ports.map(\.uid).joined(separator: ", ")
        throw script.fault(
          at: event,
          "\(isPlugged ? "plug" : "unplug"): \(graph.path) has no route '\(route)'; there are: \(known)",
        )
      }
      return [isPlugged ? .routeAppeared(port: port) : .routeVanished(uid: route)]
    case .server(let isThere):
      if !isThere { places.removeAll() }
      return [isThere ? .serverReset(facts: HardwareFacts()) : .serverLost]
    default: return event.action.systemKinds
    }
  }

  /// A client that connects itself: the host counts it as silent until it sounds.
  private mutating func appear(_ name: String, _ executable: String?) -> [TowerEvent.Kind] {
    let id = nextSession()
    places[name] = Place(id: id, isClient: true, isRunning: true)
    let description = SessionDescription(
      app: name,
      isAdopted: true,
      origin: .client(name: name, executable: executable),
    )
    return [
      .sessionOpened(request: nil, session: id, description: description),
      .audioLevelChanged(session: id, isSilent: true),
      .ioStarted(session: id),
    ]
  }

  private mutating func open(
    _ app: String,
    _ session: GraphFile.AppSession,
  ) throws(SessionError) -> [TowerEvent.Kind] {
    let id = nextSession()
    places[app] = Place(id: id, isClient: false, isRunning: false)
    var description = try session.description(app: app, isAdopted: false)
    description.origin = nil
    return [.sessionOpened(request: nextRequest(), session: id, description: description)]
  }

  private mutating func kinds(
    _ name: String,
    _ action: EventScript.SessionAction,
  ) -> [TowerEvent.Kind] {
    // Sessions end with the server; the script may still name them.
    guard let place = places[name] else { return [] }
    let id = place.id
    switch action {
    case .play:
      places[name]?.isRunning = true
      return (place.isRunning ? [] : [.ioStarted(session: id)])
        + [.audioLevelChanged(session: id, isSilent: false)]
    case .stop:
      if place.isClient { return [.audioLevelChanged(session: id, isSilent: true)] }
      places[name]?.isRunning = false
      return [.ioStopped(session: id)]
    case .activate: return [.request(id: nextRequest(), session: id, request: .activate)]
    case .deactivate(let notifies):
      places[name]?.isRunning = place.isClient
      return [
        .request(id: nextRequest(), session: id, request: .deactivate(notifyOthers: notifies))
      ]
    case .close:
      places[name] = nil
      return [.sessionClosed(session: id, cause: place.isClient ? .died : .closed)]
    case .background: return [.appBackgrounded(session: id)]
    case .foreground: return [.foregroundChanged(app: name)]
    case .requestPermission:
      return [.request(id: nextRequest(), session: id, request: .requestRecordPermission)]
    }
  }

  private mutating func nextSession() -> SessionID {
    lastSession += 1
    return SessionID(rawValue: lastSession)
  }

  private mutating func nextRequest() -> RequestID {
    lastRequest += 1
    return RequestID(rawValue: lastRequest)
  }
}

extension EventScript.Action {
  /// The events of the tower for an event that needs neither sessions nor routes.
  fileprivate var systemKinds: [TowerEvent.Kind] {
    switch self {
    case .allInForeground: [.foregroundChanged(app: nil)]
    case .interruptionBegins(let priorityClass):
      [.simulatedInterruptionBegan(class: priorityClass, isRinging: false)]
    case .interruptionEnds(let priorityClass, let shouldResume):
      [.simulatedInterruptionEnded(class: priorityClass, shouldResume: shouldResume)]
    case .call(.ring, _): [.simulatedInterruptionBegan(class: .phone, isRinging: true)]
    case .call(.answer, _): [.callAnswered]
    case .call(.decline, _): [.callDeclined]
    case .call(.end, let shouldResume):
      [.simulatedInterruptionEnded(class: .phone, shouldResume: shouldResume)]
    case .silentSwitch(let isOn): [.silentSwitchChanged(isOn: isOn)]
    case .lock(let isOn): [.screenLockChanged(isLocked: isOn)]
    case .microphoneMute(let isOn): [.microphoneMuteChanged(isMuted: isOn)]
    case .permission(let app, .undetermined): [.permissionReset(app: app)]
    case .permission(let app, let permission):
      [.permissionAnswered(app: app, permission: permission.recordPermission)]
    default: []
    }
  }

  /// The action in a few words, where several events of the tower stand for it.
  fileprivate var phrase: String? {
    switch self {
    case .client(let name, _): "\(name) appears"
    case .session(let name, .play): "\(name) plays"
    case .session(let name, .stop): "\(name) falls silent"
    case .session(let name, let action): action.verb.map { "\(name) \($0)" }
    default: nil
    }
  }
}

extension EventScript.SessionAction {
  fileprivate var verb: String? {
    switch self {
    case .play, .stop: nil
    case .activate: "activates"
    case .deactivate: "deactivates"
    case .close: "ends"
    case .background: "goes to the background"
    case .foreground: "is in front"
    case .requestPermission: "asks to record"
    }
  }
}

extension GraphFile {
  /// The ports of a host whose routes are all plugged in; of a policy without routes those of any machine.
  fileprivate var rehearsedPorts: [PortDescription] {
    var ports = routes.map { route in
      PortDescription(
        uid: route.name,
        name: route.label,
        type: route.type,
        direction: route.direction == .output ? .output : .input,
        channelNames: (1...max(1, route.channels)).map { "\(route.name) \($0)" },
        isMirrored: route.isMirrored,
      )
    }
    if !ports.contains(where: { $0.direction == .output }) {
      ports.append(PortDescription(uid: "speaker", type: .builtInSpeaker, direction: .output))
    }
    if !ports.contains(where: { $0.direction == .input }) {
      ports.append(PortDescription(uid: "microphone", type: .builtInMic, direction: .input))
    }
    return ports
  }
}
