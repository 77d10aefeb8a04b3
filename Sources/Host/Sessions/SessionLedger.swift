// SPDX-License-Identifier: MIT

internal import Sessions

/// The control tower with the names, strips and owners of its sessions.
///
/// It takes events and returns effects, which ``SessionRoom`` carries out. Belongs to the control thread.
final class SessionLedger {
  /// The host's data about each session, beside the tower's.
  private(set) var held: [SessionID: HeldSession] = [:]

  private var tower: Tower
  private let nowNanoseconds: () -> UInt64
  /// The log of every event; nil without one.
  private var log: EventLogWriter?
  /// The ports that sessions were opened with.
  private(set) var claims: [SessionID: SessionPorts] = [:]
  private var idsByName: [String: SessionID] = [:]
  private var idsByStrip: [String: SessionID] = [:]
  private var idsByClient: [String: SessionID] = [:]
  private var lastSession: UInt32 = 0
  private var lastRequest: UInt64 = 0
  /// Waiting requests of suspended apps, with their sessions (SYS-2).
  private var waiting: [RequestID: SessionID] = [:]

  /// Makes a tower without sessions.
  ///
  /// - Parameters:
  ///   - configuration: The rules' settings.
  ///   - nowNanoseconds: The time of events.
  init(configuration: TowerConfiguration, nowNanoseconds: @escaping () -> UInt64) {
    tower = Tower(state: TowerState(configuration: configuration))
    self.nowNanoseconds = nowNanoseconds
  }

  /// The tower's present state.
  var state: TowerState { tower.state }

  /// The session that media keys reach now (VOL-2, VOL-3); nil for none.
  var nowPlaying: SessionID? { tower.state.nowPlaying(atNanoseconds: nowNanoseconds()) }

  /// The tower's data about a session; nil after its end.
  func session(_ id: SessionID) -> Session? { tower.state.session(id) }

  /// All sessions with the host's data about them, by age.
  var all: [(id: SessionID, held: HeldSession)] {
    held.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
  }

  /// The session's name in the protocol, or its number after its end.
  func name(of id: SessionID) -> String { held[id]?.name ?? id.description }

  /// Appends all further events to a log.
  func write(to log: EventLogWriter) { self.log = log }

  /// Restores values of an earlier run, before the first event.
  func restore(
    permissions: [String: RecordPermission],
    preferences: [String: HardwarePreferences],
  ) {
    tower = Tower(
      state: TowerState(
        configuration: tower.state.configuration,
        permissions: permissions,
        keptPreferences: preferences,
      )
    )
  }

  /// Takes an event.
  ///
  /// - Returns: The effects, in the order in which the host carries them out.
  func take(_ kind: TowerEvent.Kind) -> [TowerEffect] {
    let event = TowerEvent(timeNanoseconds: nowNanoseconds(), kind)
    log?.append(event)
    return tower.step(event)
  }

  /// Opens a session.
  ///
  /// - Returns: Its number and the effects.
  /// - Throws: The tower's refusal; the session is not opened then.
  func open(
    _ session: HeldSession,
    _ description: SessionDescription,
  ) throws(SessionError) -> (id: SessionID, effects: [TowerEffect]) {
    lastSession += 1
    let id = SessionID(rawValue: lastSession)
    let request = nextRequest()
    let effects = take(.sessionOpened(request: request, session: id, description: description))
    if case .refused(let error) = effects.reply(to: request) { throw error }
    held[id] = session
    idsByName[session.name] = id
    if case .client(let client) = session.owner { idsByClient[client] = id }
    list(id, session)
    return (id, effects)
  }

  /// Makes a request for a session.
  ///
  /// - Returns: The request's number, its answer (nil if it has to wait), and the effects.
  func ask(
    _ request: SessionRequest,
    of id: SessionID,
  ) -> (number: RequestID, reply: Reply?, effects: [TowerEffect]) {
    let number = nextRequest()
    let effects = take(.request(id: number, session: id, request: request))
    let reply = effects.reply(to: number)
    if reply == nil { waiting[number] = id }
    return (number, reply, effects)
  }

  /// Ends the wait of a request, and returns its session; nil if it did not wait.
  func endWait(_ request: RequestID) -> SessionID? {
    waiting.removeValue(forKey: request)
  }

  /// Forgets a session that has ended, after its effects.
  func forget(_ id: SessionID) {
    guard let session = held.removeValue(forKey: id) else { return }
    idsByName[session.name] = nil
    if case .client(let client) = session.owner { idsByClient[client] = nil }
    unlist(id, strips: session.strips)
  }

  /// Forgets the sessions that the tower ended with the server (RST-2).
  func forgetEnded() {
    for id in held.keys where tower.state.index(of: id) == nil { forget(id) }
  }

  /// The host's own session; nil while the host is not attached.
  var host: SessionID? { held.first { $0.value.owner == .host }?.key }

  /// Why the tower would refuse requests for a session after a change of its settings, without asking for anything.
  ///
  /// - Returns: The first refusal; nil where all would be granted.
  func refusal(
    of requests: [SessionRequest],
    for id: SessionID,
    under configuration: TowerConfiguration,
  ) -> SessionError? {
    var rehearsal = tower
    let time = nowNanoseconds()
    _ = rehearsal.step(
      TowerEvent(
        timeNanoseconds: time,
        .configurationChanged(configuration: configuration)
      )
    )
    for (number, request) in requests.enumerated() {
      let request = TowerEvent.Kind.request(
        id: RequestID(rawValue: .max - UInt64(number)),
        session: id,
        request: request,
      )
      let effects = rehearsal.step(TowerEvent(timeNanoseconds: time, request))
      for case .reply(_, .refused(let error)) in effects { return error }
    }
    return nil
  }

  /// Changes the host's data about a session; ignored after its end.
  func change(_ id: SessionID, _ body: (inout HeldSession) -> Void) {
    // In place: a copy beside the dictionary's would have its strips copied with each change.
    guard let place = held.index(forKey: id) else { return }
    let before = (strips: held.values[place].strips, feed: held.values[place].feed)
    body(&held.values[place])
    let session = held.values[place]
    guard session.strips != before.strips || session.feed != before.feed else { return }
    unlist(id, strips: before.strips)
    list(id, session)
  }

  /// Gives a session another name in the protocol; ignored after its end, and for a name in use.
  func rename(_ id: SessionID, to name: String) {
    guard let former = held[id]?.name, idsByName[name] == nil else { return }
    held[id]?.name = name
    idsByName[former] = nil
    idsByName[name] = id
  }

  /// Lists a session by its strips and ports.
  private func list(_ id: SessionID, _ session: HeldSession) {
    for strip in session.strips { idsByStrip[strip] = id }
    claims[id] = session.ports
  }

  private func unlist(_ id: SessionID, strips: [String]) {
    for strip in strips where idsByStrip[strip] == id { idsByStrip[strip] = nil }
    claims[id] = nil
  }

  /// The session of that name in the protocol; case does not matter where nothing else differs.
  func session(named name: String) -> SessionID? {
    idsByName[name] ?? Spelling.name(name, among: idsByName.keys).flatMap { idsByName[$0] }
  }

  /// The sessions of a program, by age: those of the executable of that name, else of the program or session of that
  /// name.
  ///
  /// Case does not matter where nothing else differs.
  func sessions(of app: String) -> [SessionID] {
    let folded = app.lowercased()
    let questions: [(HeldSession) -> Bool] = [
      { $0.executable == app || $0.app == app || $0.name == app },
      { [$0.executable, $0.app, $0.name].contains { $0?.lowercased() == folded } },
    ]
    for question in questions {
      let found = held.filter { question($0.value) }.map(\.key).sorted()
      if !found.isEmpty { return found }
    }
    return []
  }

  /// The session of a strip.
  func session(ofStrip strip: String) -> SessionID? { idsByStrip[strip] }

  /// The session that a rule gave a client; nil for other clients.
  func session(ofClient client: String) -> SessionID? { idsByClient[client] }

  /// All names in the protocol, by age of the sessions.
  var names: [String] { all.map(\.held.name) }

  /// A name that is free among the sessions and outside of `taken`: the wanted one, or with a number appended.
  func freeName(_ wanted: String, taken: (String) -> Bool) -> String {
    func isFree(_ name: String) -> Bool { idsByName[name] == nil && !taken(name) }
    if isFree(wanted) { return wanted }
    var number = 2
    while !isFree("\(wanted)-\(number)") { number += 1 }
    return "\(wanted)-\(number)"
  }

  private func nextRequest() -> RequestID {
    lastRequest += 1
    return RequestID(rawValue: lastRequest)
  }
}

extension [TowerEffect] {
  /// The answer to a request among these effects.
  fileprivate func reply(to request: RequestID) -> Reply? {
    for case .reply(request, let reply) in self { return reply }
    return nil
  }
}
