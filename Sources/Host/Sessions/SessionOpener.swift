// SPDX-License-Identifier: MIT

internal import ControlProtocol
internal import GraphFiles
internal import Mixing
internal import Patchbay
internal import Sessions

/// Opens and ends sessions, with the strips of their own.
///
/// Belongs to the control thread.
final class SessionOpener {
  private let control: Control
  private let inForce: GraphRoom
  private var graph: GraphFile { inForce.file }
  private let ledger: SessionLedger
  private let strips: SessionStrips
  private let decisions: SessionDecisions
  private let audio: SessionAudio
  private let links: SessionLinks

  /// Opens sessions in a ledger.
  init(
    control: Control,
    graph: GraphRoom,
    ledger: SessionLedger,
    strips: SessionStrips,
    decisions: SessionDecisions,
    audio: SessionAudio,
    links: SessionLinks,
  ) {
    self.control = control
    inForce = graph
    self.ledger = ledger
    self.strips = strips
    self.decisions = decisions
    self.audio = audio
    self.links = links
  }

  // MARK: - The graph's

  /// Opens the sessions of the graph: its own, and those of its sources.
  func openGraph(hostSession: () throws(SessionError) -> SessionDescription) {
    openOfGraph(name: "host", owner: .host, strips: graph.sharedSources, hostSession)
    for source in graph.sources { open(source) }
  }

  private func open(_ source: GraphFile.Source) {
    guard let session = source.session else { return }
    openOfGraph(name: source.name, owner: .source, strips: [source.name]) {
      () throws(SessionError) in try session.description(ofSource: source.name)
    }
  }

  private func openOfGraph(
    name: String,
    owner: HeldSession.Owner,
    strips: [String],
    _ describe: () throws(SessionError) -> SessionDescription,
  ) {
    do {
      let description = try describe()
      let session = HeldSession(
        name: ledger.freeName(name) { _ in false },
        app: description.app,
        owner: owner,
        strips: strips,
      )
      try open(session, description, rule: nil, startsAudio: false, onNumber: nil)
    } catch {
      control.publish(.error(), "the session of '\(name)' is refused: \(error)")
    }
  }

  // MARK: - Another version of the graph

  /// Ends the sessions of sources that another version does not have, or to which it gives another session.
  ///
  /// - Parameters:
  ///   - before: The version in force, with the new names of its sources.
  ///   - next: The version that follows.
  func endSources(of before: GraphFile, unlike next: GraphFile) {
    for source in before.sources where source.session != nil {
      guard next.source(named: source.name)?.session != source.session,
        let id = ledger.session(ofStrip: source.name), ledger.held[id]?.owner == .source
      else { continue }
      end(id, .closed)
    }
  }

  /// Opens the sessions that the version in force gives its sources and the one before did not, and gives all others to the
  /// host's own session.
  func openSources(insteadOf before: GraphFile) {
    if let host = ledger.host {
      ledger.change(host) { $0.strips = graph.sharedSources }
      decisions.restoreStrip(of: host)
    }
    for source in graph.sources {
      guard source.session != nil, source.session != before.source(named: source.name)?.session
      else { continue }
      open(source)
    }
  }

  // MARK: - Opening and ending

  /// Opens a session, with its own strip if it has one.
  ///
  /// - Parameters:
  ///   - session: The session.
  ///   - description: The session as the tower is to know it.
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
    rule: ((_ strip: Int, _ client: String) -> ConnectionRule?)?,
    startsAudio: Bool,
    onNumber: ((SessionID) -> Void)?,
  ) throws(ControlError) -> SessionID {
    var session = session
    for index in session.strips.indices where session.ownsStrip {
      session.sendLevels[index] = startLevels(session, index).sends
    }
    let opened: (id: SessionID, effects: [TowerEffect])
    do throws(SessionError) {
      opened = try ledger.open(session, description)
    } catch {
      throw ControlError(error)
    }
    onNumber?(opened.id)
    if session.ownsStrip {
      do throws(ControlError) {
        try addStrips(session, rule: rule)
      } catch {
        decisions.tell(.sessionClosed(session: opened.id, cause: .closed))
        ledger.forget(opened.id)
        throw error
      }
    }
    decisions.carryOut(opened.effects)
    if session.owner == .host || !session.strips.isEmpty { audio.assumeSilence(opened.id) }
    if startsAudio { audio.tellRunning(opened.id) }
    links.stateChanged()
    return opened.id
  }

  private func addStrips(
    _ session: HeldSession,
    rule: ((_ strip: Int, _ client: String) -> ConnectionRule?)? = nil,
  ) throws(ControlError) {
    for index in session.strips.indices {
      do throws(ControlError) {
        try addStrip(session, index, rule: rule)
      } catch {
        for strip in session.strips.prefix(index) { strips.remove(strip) }
        throw error
      }
    }
  }

  private func addStrip(
    _ session: HeldSession,
    _ index: Int,
    rule: ((_ strip: Int, _ client: String) -> ConnectionRule?)?,
  ) throws(ControlError) {
    let levels = startLevels(session, index)
    try strips.add(
      session,
      index,
      levels,
      isCued: links.keptStrip(session.keptName(ofStrip: index))?.isCued,
    ) { client in
      rule?(index, client) ?? session.ports?.rule(strip: session.ownStrip, client: client)
    }
    if levels.isMuted {
      try control.attachment?.changeMix { mix throws(ControlError) in
        try mix.setMute(.strip(session.strips[index]), isMuted: true)
      }
    }
  }

  /// The levels with which a strip starts: the graph's, with the changes of users.
  private func startLevels(_ session: HeldSession, _ index: Int) -> GraphFile.StartLevels {
    let start = session.start(ofStrip: index)
    return links.keptStrip(session.keptName(ofStrip: index))?.levels(under: start) ?? start
  }

  /// Ends a session and removes its strip.
  func end(_ id: SessionID, _ cause: TowerEvent.CloseCause) {
    if let held = ledger.held[id] { links.keep(held, id) }
    links.stateChanged()
    decisions.tell(.sessionClosed(session: id, cause: cause))
    guard let held = ledger.held[id] else { return }
    ledger.forget(id)
    audio.forget(id)
    if held.ownsStrip { for strip in held.strips { strips.remove(strip) } }
  }

  /// Ends every session, because the server is gone.
  ///
  /// The sessions of the graph come back with it; strips of adopted clients are made anew when those come back, and those of
  /// files when their programs ask again (RST-2).
  func serverLost() {
    let ended = ledger.held.values.filter { $0.isAdopted || $0.playsFile }
    decisions.tell(.serverLost)
    ledger.forgetEnded()
    for strip in ended.flatMap(\.strips) { strips.remove(strip) }
  }

  // MARK: - Strips

  /// Gives a session another strip, or removes its strip.
  ///
  /// - Returns: The strip's id; nil without a strip.
  /// - Throws: `refused` if JACK or the engine has no room.
  func setPorts(_ ports: SessionPorts?, of id: SessionID) throws(ControlError) -> String? {
    guard let held = ledger.held[id] else { return nil }
    // Asked for again, as after the loss of the server, the strip stays as it is: what sounds has no gap.
    if let ports, ports == held.ports, let strip = held.strips.first { return strip }
    if held.ports != nil { for strip in held.strips { strips.remove(strip) } }
    ledger.change(id) {
      $0.feed = .none
      $0.strips = []
    }
    if let ports {
      var renewed = held
      renewed.feed = .ports(ports)
      renewed.strips = [freeStripName(held.name, channels: ports.channels)]
      try addStrips(renewed)
      ledger.change(id) {
        $0.feed = renewed.feed
        $0.strips = renewed.strips
      }
      decisions.restoreStrip(of: id)
      if held.strips.isEmpty { audio.assumeSilence(id) }
    }
    control.attachment?.connections.makeMissing()
    strips.enforce()
    audio.tellRunning()
    return ledger.held[id]?.strips.first
  }

  private func freeStripName(_ wanted: String, channels: Int) -> String {
    let isTaken = control.attachment?.strips.isTaken(wanted, channels: channels) ?? false
    return isTaken ? freeName("\(wanted)-strip", channels: channels) : wanted
  }

  /// A name for a session of a program that no other session, strip or route has.
  func freeName(_ app: String, channels: Int) -> String {
    ledger.freeName(SessionName.made(from: app)) { name in
      graph.route(named: name) != nil
        || control.attachment?.strips.isTaken(name, channels: channels)
          ?? (control.mixEngine?.spec.strips.contains { $0.id == name } ?? false)
    }
  }
}
