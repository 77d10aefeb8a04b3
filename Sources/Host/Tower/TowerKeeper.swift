// SPDX-License-Identifier: MIT

internal import Sessions

/// The control tower of a running host, and which session is which: names, strips, owners.
///
/// Events go in, effects come out; the host carries them out. Belongs to the control thread.
struct TowerKeeper {
  /// The rules.
  private(set) var tower: Tower
  /// What the host keeps of each session.
  private(set) var held: [SessionID: HeldSession] = [:]
  /// Where every event is written down; nil for nowhere.
  var log: EventLogWriter?
  private var idsByName: [String: SessionID] = [:]
  private var lastSession: UInt32 = 0
  private var lastRequest: UInt64 = 0
  /// Requests of suspended apps, and whose they are (SYS-2).
  private var waiting: [Sessions.RequestID: SessionID] = [:]

  /// Makes a tower without sessions.
  init(configuration: TowerConfiguration) {
    tower = Tower(state: TowerState(configuration: configuration))
  }

  /// Takes in what was kept of an earlier run, before the first event.
  mutating func restore(
    permissions: [String: KeptState.Permission],
    wishes: [String: HardwarePreferences],
  ) {
    tower = Tower(
      state: TowerState(
        configuration: tower.state.configuration,
        permissions: permissions.mapValues(\.recordPermission),
        keptPreferences: wishes,
      )
    )
  }

  /// Takes an event in.
  ///
  /// - Returns: What the host is to carry out, in this order.
  mutating func take(_ kind: TowerEvent.Kind) -> [TowerEffect] {
    let event = TowerEvent(timeNanoseconds: HostClock.nowNanoseconds(), kind)
    log?.append(event)
    return tower.step(event)
  }

  /// Opens a session.
  ///
  /// - Returns: Its number and what is to be carried out.
  /// - Throws: What the tower refuses it for; there is no session then.
  mutating func open(
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
    return (id, effects)
  }

  /// Asks for something in a session's name.
  ///
  /// - Returns: The request's number, its answer, nil where it has to wait, and what is to be carried out.
  mutating func ask(
    _ request: SessionRequest,
    of id: SessionID,
  ) -> (number: Sessions.RequestID, reply: Reply?, effects: [TowerEffect]) {
    let number = nextRequest()
    let effects = take(.request(id: number, session: id, request: request))
    let reply = effects.reply(to: number)
    if reply == nil { waiting[number] = id }
    return (number, reply, effects)
  }

  /// Whose request was answered late, where it is one that waited; it does so no longer.
  mutating func endWait(_ request: Sessions.RequestID) -> SessionID? {
    waiting.removeValue(forKey: request)
  }

  /// Forgets a session that has ended, once its effects are carried out.
  mutating func forget(_ id: SessionID) {
    if let session = held.removeValue(forKey: id) { idsByName[session.name] = nil }
  }

  /// Forgets the sessions that the tower has ended with the server (RST-2).
  mutating func forgetEnded() {
    for id in held.keys where tower.state.index(of: id) == nil { forget(id) }
  }

  /// Notes whether a session's audio runs.
  ///
  /// - Returns: Whether that is news.
  mutating func note(_ id: SessionID, isRunning: Bool) -> Bool {
    guard held[id]?.isRunning != isRunning else { return false }
    held[id]?.isRunning = isRunning
    return true
  }

  /// Notes whether a session's strips have a signal.
  ///
  /// - Returns: Whether that is news.
  mutating func note(_ id: SessionID, isSilent: Bool) -> Bool {
    guard held[id]?.isSilent != isSilent else { return false }
    held[id]?.isSilent = isSilent
    return true
  }

  /// Notes what a session's program says of its audio.
  mutating func report(_ id: SessionID, isRunning: Bool) { held[id]?.reportedRunning = isRunning }

  /// Notes what a session is heard through from now on.
  mutating func setPorts(_ ports: SessionPorts?, strips: [String], of id: SessionID) {
    held[id]?.ports = ports
    held[id]?.strips = strips
  }

  /// The session of that name on the wire.
  func session(named name: String) -> SessionID? { idsByName[name] }

  /// The sessions of a program, or the one of that name, by age.
  func sessions(of app: String) -> [SessionID] {
    held.filter { $0.value.app == app || $0.value.name == app }.map(\.key).sorted()
  }

  /// The session of the adopted client that an output belongs to.
  func session(adoptedPort port: String) -> SessionID? {
    held.first { $0.value.adopted?.ports.contains(port) ?? false }?.key
  }

  /// Changes what is known of the adopted client of a session, where it has one.
  mutating func changeAdopted(_ id: SessionID, _ change: (inout AdoptedClient) -> Void) {
    guard var adopted = held[id]?.adopted else { return }
    change(&adopted)
    held[id]?.adopted = adopted
  }

  /// Notes whether a session is just being moved to its strip.
  mutating func note(_ id: SessionID, isBeingMoved: Bool) { held[id]?.isBeingMoved = isBeingMoved }

  /// The session that a strip belongs to.
  func session(ofStrip strip: String) -> SessionID? {
    held.first { $0.value.strips.contains(strip) }?.key
  }

  /// All names on the wire, by age of the sessions.
  var names: [String] { held.sorted { $0.key < $1.key }.map(\.value.name) }

  /// A name that no session and none of `taken` has: the wanted one, or with a number behind it.
  func freeName(_ wanted: String, taken: (String) -> Bool) -> String {
    func isFree(_ name: String) -> Bool { session(named: name) == nil && !taken(name) }
    if isFree(wanted) { return wanted }
    var number = 2
    while !isFree("\(wanted)-\(number)") { number += 1 }
    return "\(wanted)-\(number)"
  }

  private mutating func nextRequest() -> Sessions.RequestID {
    lastRequest += 1
    return Sessions.RequestID(rawValue: lastRequest)
  }
}

extension [TowerEffect] {
  /// The answer to a request among these effects.
  fileprivate func reply(to request: Sessions.RequestID) -> Reply? {
    for case .reply(request, let reply) in self { return reply }
    return nil
  }
}
