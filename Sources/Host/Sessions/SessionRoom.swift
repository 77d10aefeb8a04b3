// SPDX-License-Identifier: MIT

internal import ControlProtocol
internal import ControlSocket
internal import GraphFiles
internal import Logging
internal import Mixing
internal import Patchbay
internal import Sessions

/// The sessions of the host: the control tower, and the carrying out of its decisions.
///
/// Belongs to the control thread.
final class SessionRoom {
  private let control: Control
  private let inForce: GraphRoom
  private var graph: GraphFile { inForce.file }
  private let ledger: SessionLedger
  private let strips: SessionStrips
  private let reports: SessionReports
  private let overview: SessionStatuses
  private let decisions: SessionDecisions
  private let audio: SessionAudio
  private let ear: PromptEar
  private let opener: SessionOpener
  private let links: SessionLinks
  /// Makes a room without sessions.
  ///
  /// - Parameters:
  ///   - control: The services that all rooms share.
  ///   - graph: The graph.
  ///   - connectsPorts: Whether the host makes connections.
  ///   - hardware: The values that sessions ask for and get.
  ///   - sources: The files that sessions of the graph pause.
  ///   - links: The other rooms.
  init(
    control: Control,
    graph: GraphRoom,
    connectsPorts: Bool,
    hardware: HardwareRoom,
    sources: SourceRoom,
    links: SessionLinks,
  ) {
    self.control = control
    inForce = graph
    self.links = links
    ledger = SessionLedger(configuration: graph.file.towerConfiguration) { control.nowNanoseconds }
    strips = SessionStrips(
      control: control,
      graph: graph,
      connectsPorts: connectsPorts,
      ledger: ledger,
      sources: sources,
    )
    reports = SessionReports(
      control: control,
      graph: graph,
      ledger: ledger,
      hardware: hardware,
      routePorts: links.routePorts,
    )
    decisions = SessionDecisions(ledger: ledger, strips: strips, reports: reports, links: links)
    audio = SessionAudio(
      control: control,
      ledger: ledger,
      strips: strips,
      decisions: decisions,
      isCapturing: links.isCapturing,
    )
    overview = SessionStatuses(
      control: control,
      ledger: ledger,
      hardware: hardware,
      links: links,
      isQuiet: { [audio] in audio.isQuiet($0) },
    )
    ear = PromptEar(control: control, ledger: ledger, decisions: decisions)
    decisions.join { [unowned ear] id, isOn in ear.listen(for: id, isOn) }
    opener = SessionOpener(
      control: control,
      graph: graph,
      ledger: ledger,
      strips: strips,
      decisions: decisions,
      audio: audio,
      links: links,
    )
  }

  /// Restores values of an earlier run, before the first event.
  func restore(
    permissions: [String: RecordPermission],
    preferences: [String: HardwarePreferences],
  ) {
    ledger.restore(permissions: permissions, preferences: preferences)
  }

  /// Appends every further event of the tower to a file.
  ///
  /// - Throws: Why the file cannot be written.
  func writeLog(to path: String) throws(EventLogWriter.Fault) {
    let logger = control.logger
    ledger.write(
      to: try EventLogWriter(path: path, start: ledger.state) { logger.error("\($0)") }
    )
  }

  // MARK: - Questions

  /// The tower's present state.
  var state: TowerState { ledger.state }

  /// The session that media keys reach now (VOL-2, VOL-3); nil for none.
  var nowPlaying: SessionID? { ledger.nowPlaying }

  /// The session as the tower knows it; nil where it has ended.
  func session(_ id: SessionID) -> Session? { ledger.session(id) }

  /// The host's data about a session; nil after its end.
  func held(_ id: SessionID) -> HeldSession? { ledger.held[id] }

  /// All sessions with the host's data about them, by age.
  var all: [(id: SessionID, held: HeldSession)] { ledger.all }

  /// The session that a rule gave a client; nil for other clients.
  func session(ofClient client: String) -> SessionID? { ledger.session(ofClient: client) }

  /// The sessions of a program, or the one of that name, by age.
  func sessions(of app: String) -> [SessionID] { ledger.sessions(of: app) }

  /// The names of all sessions, by age.
  var names: [String] { ledger.names }

  /// The session's name on the wire, or its number where it has ended.
  func name(of id: SessionID) -> String { ledger.name(of: id) }

  /// The session of that name on the wire.
  ///
  /// - Throws: `unknownSession` with the names that there are.
  func session(named name: String) throws(ControlError) -> SessionID {
    guard let id = ledger.session(named: name) else {
      throw .unknownSession(name, known: ledger.names)
    }
    return id
  }

  /// Whether the session of the graph itself is active.
  var isHostSessionActive: Bool {
    guard let host = ledger.held.first(where: { $0.value.owner == .host })?.key else {
      return false
    }
    return control.attachment != nil && ledger.session(host)?.isActive == true
  }

  /// A name for a session of a program that no other session, strip or route has.
  func freeName(_ app: String, channels: Int) -> String {
    opener.freeName(app, channels: channels)
  }

  /// Everything about one session, read at one moment (SES-5).
  func detail(_ id: SessionID) throws(ControlError) -> SessionDetail { try reports.detail(id) }

  /// The status of every session: its activity, and its interruptions and ducks with time and rule.
  func statuses() -> [SessionStatus] { overview.all() }

  /// Why the sessions of a program are heard as they are.
  func explanations(of app: String) -> [Why.Explanation] {
    overview.explanations(of: app)
  }

  /// Why strips are silent or lowered, in a sentence each; without those that are heard in full.
  func reasons(ofStrips strips: [String]) -> [String: String] {
    overview.reasons(ofStrips: strips)
  }

  /// The sample rate and the I/O buffer that a session prefers, with the actual values (HW-3).
  func hardwareValues(
    of id: SessionID
  ) -> (sampleRate: HardwareStatus.Value, ioBufferDuration: HardwareStatus.Value) {
    reports.hardwareValues(of: id)
  }

  /// Makes a session active, and waits until the hardware runs as it then will (HW-3).
  ///
  /// - Returns: The frame of the activation, and the numbers of requests that are answered later.
  /// - Throws: The tower's refusal.
  func activate(_ id: SessionID) async throws(SessionError) -> (frame: UInt64?, waiting: [UInt64]) {
    let waiting = try ask([.activate], of: id)
    if ledger.session(id)?.isPaused == true { tell(.playerResumed(session: id)) }
    if ledger.held[id]?.playsFile == true, ledger.session(id)?.isActive == true {
      strips.beginUnheard(id)
      audio.report(id, isRunning: true)
    }
    audio.tellStillRunning(id)
    let frame = control.frame
    await links.hardwareIsSettled()
    return (frame, waiting)
  }

  /// The hardware preferences of the active sessions; nil as long as none of them has asked for anything (HW-4).
  var hardwareDemand: HardwareDemand? { HardwareDemand(of: ledger) }

  /// The demand that ``hardwareDemand`` will be once the tower is in another state.
  func hardwareDemand(in state: TowerState) -> HardwareDemand? {
    HardwareDemand(of: ledger, in: state)
  }

  // MARK: - The server

  /// Begins on a server: reports its routes and hardware to the tower, and opens the sessions of the graph.
  ///
  /// Called at the first attachment and after each loss (RST-1, RST-2).
  func begin(
    _ facts: HardwareFacts,
    hostSession: () throws(SessionError) -> SessionDescription
  ) {
    tellRoutes()
    tell(.serverReset(facts: facts))
    opener.openGraph(hostSession: hostSession)
    tellRunning()
  }

  /// The server runs at another rate: sessions go on as they were.
  func resume() {
    for (id, held) in all where held.ownsStrip {
      guard let route = ledger.session(id)?.route else { continue }
      decisions.setRoute(route, of: id)
    }
  }

  /// Ends every session, because the server is gone.
  ///
  /// The sessions of the graph come back with it; strips of adopted clients are made anew when those come back (RST-2).
  func serverLost() { opener.serverLost() }

  /// The connections that feed the strips of sessions opened with ports.
  func rules(client: String) -> [ConnectionRule] {
    ledger.held.values.compactMap { $0.ports?.rule(strip: $0.ownStrip, client: client) }
  }

  // MARK: - Another version of the graph

  /// Why the tower would refuse what another version asks of the host's own session; nil where it would not.
  func refusal(of next: GraphFile, after before: GraphFile, sampleRateHz: Int) -> SessionError? {
    guard let host = ledger.host else { return nil }
    do throws(SessionError) {
      return ledger.refusal(
        of: try next.hostRequests(after: before, sampleRateHz: sampleRateHz),
        for: host,
        under: next.towerConfiguration,
      )
    } catch {
      return error
    }
  }

  /// The gate and the duck with which strips of the host's own session start.
  var hostLevels: MixChange.Levels {
    guard let session = ledger.host.flatMap({ ledger.session($0) }) else {
      return MixChange.Levels()
    }
    return MixChange.Levels(isGated: !session.isGateOpen, duckDB: session.duckGainDB)
  }

  /// Ends the sessions of sources that another version does not have, or to which it gives another session.
  func endSources(of before: GraphFile, unlike next: GraphFile) {
    opener.endSources(of: before, unlike: next)
  }

  /// Goes over to the sessions and settings of the version in force.
  ///
  /// - Parameters:
  ///   - settings: The tower's settings, with what the version gives to the sessions that are there.
  ///   - before: The version that was in force, with the new names of its sources.
  ///   - sampleRateHz: The rate of the server.
  func take(_ settings: TowerConfiguration, insteadOf before: GraphFile, sampleRateHz: Int) {
    if settings != state.configuration { tell(.configurationChanged(configuration: settings)) }
    tellRoutes()
    tellChangedRoutes()
    opener.openSources(insteadOf: before)
    do throws(SessionError) {
      if let host = ledger.host {
        try ask(graph.hostRequests(after: before, sampleRateHz: sampleRateHz), of: host)
      }
    } catch {
      control.publish(.error(), "the session of the graph is refused: \(error)")
    }
    resume()
    tellRunning()
  }

  /// Gives routes other names, with users' picks.
  func rename(routes names: [String: String]) {
    let ports = links.routePorts().map(\.description)
    for (old, new) in names.sorted(by: { $0.key < $1.key }) {
      guard let port = ports.first(where: { $0.uid == new }),
        ledger.state.ports.contains(where: { $0.uid == old })
      else { continue }
      tell(.routeRenamed(uid: old, port: port))
    }
  }

  /// Gives strips of sources other names.
  func rename(strips names: [String: String]) {
    guard !names.isEmpty else { return }
    for (id, held) in all where !held.strips.allSatisfy({ names[$0] == nil }) {
      ledger.change(id) { $0.strips = held.strips.map { names[$0] ?? $0 } }
      if held.owner == .source, let name = names[held.name] { ledger.rename(id, to: name) }
    }
  }

  /// The strips that rules give clients, with the names that the rules have for them.
  var namedStrips: [(strip: String, name: String)] {
    ledger.held.values.flatMap { zip($0.strips, $0.graphStrips) }.map { ($0, $1) }
  }

  // MARK: - Opening and ending

  /// Opens a session, with its own strip if it has one.
  ///
  /// - Parameters:
  ///   - session: The session.
  ///   - description: Its description for the tower.
  ///   - file: The file that the host plays into its strip; nil for none.
  ///   - rule: The connections that feed each of its own strips, by the name of the host's client.
  ///   - startsAudio: Whether its running audio is reported to the tower at once; false if several sessions
  ///     open together.
  ///   - onNumber: Called with the session's number before anything is carried out.
  /// - Returns: The session's number.
  /// - Throws: The tower's refusal, or JACK's.
  @discardableResult
  func open(
    _ session: HeldSession,
    _ description: SessionDescription,
    playing file: OpenedFile? = nil,
    rule: ((_ strip: Int, _ client: String) -> ConnectionRule?)? = nil,
    startsAudio: Bool = true,
    onNumber: ((SessionID) -> Void)? = nil,
  ) throws(ControlError) -> SessionID {
    if let file { strips.play(file, strip: session.ownStrip) }
    do throws(ControlError) {
      return try opener.open(
        session,
        description,
        rule: rule,
        startsAudio: startsAudio,
        onNumber: onNumber,
      )
    } catch {
      if file != nil { strips.forgetFile(of: session.ownStrip) }
      throw error
    }
  }

  /// Ends a session and removes its strip.
  func end(_ id: SessionID, _ cause: TowerEvent.CloseCause) { opener.end(id, cause) }

  /// Ends the sessions of a connection of the control socket that is gone (SES-6).
  func connectionClosed(_ connection: ConnectionID) {
    for (id, held) in all where held.owner == .connection(connection) { end(id, .died) }
  }

  /// Gives a session another strip, or removes its strip.
  ///
  /// - Returns: The strip's id; nil without a strip.
  /// - Throws: `refused` if JACK or the engine has no room.
  func setPorts(_ ports: SessionPorts?, of id: SessionID) throws(ControlError) -> String? {
    try opener.setPorts(ports, of: id)
  }

  /// Widens a strip of an adopted client.
  func widen(_ id: SessionID, strip: Int, channels: Int) {
    ledger.change(id) { held in
      guard case .client(var all) = held.feed else { return }
      all[strip] = channels
      held.feed = .client(channels: all)
    }
  }

  /// Notes that a session is being moved to its strip, while `body` runs.
  func whileMoving(_ id: SessionID, _ body: () -> Void) {
    ledger.change(id) { $0.isBeingMoved = true }
    defer { ledger.change(id) { $0.isBeingMoved = false } }
    body()
  }

  /// Pauses a session as soon as its audio runs.
  func pauseAtStart(_ id: SessionID) { audio.pauseAtStart(id) }

  /// Whether a session waits to be paused at its start.
  func pausesAtStart(_ id: SessionID) -> Bool { audio.pausesAtStart(id) }

  // MARK: - Events

  /// Gives the tower an event, and carries out its decisions.
  func tell(_ kind: TowerEvent.Kind) { decisions.tell(kind) }

  /// Asks the tower in a session's name, one request after the other, until one is refused.
  ///
  /// - Returns: The numbers of those that are answered later.
  /// - Throws: The refusal.
  @discardableResult
  func ask(_ requests: [SessionRequest], of id: SessionID) throws(SessionError) -> [UInt64] {
    try decisions.ask(requests, of: id)
  }

  /// Stores the report of a session's program about its audio.
  func report(_ id: SessionID, isRunning: Bool) { audio.report(id, isRunning: isRunning) }

  /// Reports to the tower which sessions' audio has started or stopped, by their connections (SES-4).
  func tellRunning() { audio.tellRunning() }

  /// Reports to the tower which sessions' audio has started or stopped, by the connections that have changed since the
  /// last time.
  func tellConnected() { audio.tellConnected() }

  /// Reports to the tower whether one session's audio has started or stopped.
  func tellRunning(_ id: SessionID) { audio.tellRunning(id) }

  /// The number of checks so far whether a session's audio runs.
  var runningChecks: Int { audio.checks }

  /// Reports to the tower which sessions send silence (ACT-8).
  ///
  /// - Parameter heard: The strips with a signal since the last time.
  /// - Returns: Whether a strip has become quiet, or sounds again.
  func tellSilence(heard: Set<String>) -> Bool { audio.tellSilence(heard: heard) }

  /// Lets sessions go that are active only while their clients sound, and that have fallen silent (ACT-9).
  func listenToPrompts() { ear.look() }

  /// Reports to the tower which routes have come and gone (RTE-2).
  func tellRoutes() {
    guard control.attachment != nil else { return }
    let known = Set(ledger.state.ports.map(\.uid))
    for port in links.routePorts() where port.isThere != known.contains(port.description.uid) {
      tell(
        port.isThere
          ? .routeAppeared(port: port.description) : .routeVanished(uid: port.description.uid)
      )
    }
  }

  /// Reports to the tower which routes the version in force does not have, and which it describes otherwise (RTE-2).
  private func tellChangedRoutes() {
    let now = Dictionary(links.routePorts().map { ($0.description.uid, $0.description) }) {
      first,
      _ in
      first
    }
    for port in ledger.state.ports {
      guard let described = now[port.uid] else {
        tell(.routeVanished(uid: port.uid))
        continue
      }
      if described != port { tell(.routeAppeared(port: described)) }
    }
  }

  /// Removes direct connections of ports that sessions were opened with; nil for all ports.
  func enforceStrips(source: String? = nil) { strips.enforce(source: source) }

  /// The strip of this id is silent from a frame on (INT-1).
  func gateClosed(strip: String, firstSilentFrame: UInt64) {
    guard let id = ledger.session(ofStrip: strip) else { return }
    strips.pausePlayer(ofStrip: strip, of: id)
    control.publish(
      .gateClosed(.init(session: name(of: id), strip: strip)),
      "strip '\(strip)' is silent from frame \(firstSilentFrame) on",
      frame: firstSilentFrame,
    )
  }

  /// The file of this strip has played to its end: the session is done, and those that it interrupted may resume.
  func fileEnded(strip: String) {
    guard let id = ledger.session(ofStrip: strip), ledger.held[id]?.playsFile == true else {
      return
    }
    audio.report(id, isRunning: false)
    guard ledger.session(id)?.isActive == true else { return }
    do throws(SessionError) {
      try ask([.deactivate(notifyOthers: true)], of: id)
    } catch {
      control.publish(.error(.init(strip: strip)), "session '\(name(of: id))': \(error)")
    }
  }

  /// Gives a strip the levels of another version of its rule, where that changes them.
  func take(_ start: GraphFile.StartLevels, ofStrip index: Int, of id: SessionID) {
    strips.take(start, ofStrip: index, of: id)
  }
  /// Sends a session's own strip to its route; the strips of the graph's sources go where the graph says.
  func setRoute(_ route: RouteDescription, of id: SessionID) { decisions.setRoute(route, of: id) }
}
