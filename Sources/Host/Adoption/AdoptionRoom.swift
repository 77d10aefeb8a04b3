// SPDX-License-Identifier: MIT

internal import ControlProtocol
internal import GraphFiles
internal import JACK
internal import Mixing
internal import Patchbay
internal import Sessions

/// The clients that rules of the graph adopt: each has a session, and is heard through a strip.
///
/// A client that comes back has its session, its routes and its gain again. Belongs to the control thread.
final class AdoptionRoom {
  /// The other rooms, as adoption needs them.
  struct Links {
    /// The program behind a client.
    var program: (_ client: String) -> Program
    /// The permission of a client, by the client's name; nil if the tower knows it.
    var permission: (_ client: String) -> RecordPermission?
    /// Gives an instance of a program a name for its kept values.
    var claim: (InstanceClaim) -> String
    /// The kept values of an instance of a program; nil for a new one.
    var keptApp: (_ name: String) -> KeptApp?
    /// Whether a client is one of the host's own.
    var isOwnClient: (_ client: String) -> Bool
    /// Whether effects change the sound of a strip or a route.
    var isAltered: (InsertPlace) -> Bool
    /// Reports a change of state that outlives the host.
    var stateChanged: () -> Void
  }

  private let control: Control
  private let inForce: GraphRoom
  private var graph: GraphFile { inForce.file }
  private let connectsPorts: Bool
  private let sessions: SessionRoom
  private let links: Links
  private let clients = AdoptedClients()
  private let adoptable: AdoptableClients
  private let opener: AdoptedSessions
  private let places: AdoptedPlaces
  private let mover: StripMover
  private let players: PausedPlayers
  /// Clients that could not be adopted; not tried again on this server.
  private var refused: Set<String> = []

  /// Makes a room without clients.
  init(
    control: Control,
    graph: GraphRoom,
    connectsPorts: Bool,
    sessions: SessionRoom,
    links: Links,
  ) {
    self.control = control
    inForce = graph
    self.connectsPorts = connectsPorts
    self.sessions = sessions
    self.links = links
    places = AdoptedPlaces(
      control: control,
      graph: graph,
      sessions: sessions,
      clients: clients,
      isAltered: links.isAltered,
    )
    adoptable = AdoptableClients(
      graph: graph,
      program: links.program,
      isOwnClient: links.isOwnClient,
    )
    opener = AdoptedSessions(
      sessions: sessions,
      clients: clients,
      places: places,
      permission: links.permission,
    )
    mover = StripMover(
      control: control,
      connectsPorts: connectsPorts,
      sessions: sessions,
      clients: clients,
      places: places,
    )
    players = PausedPlayers(
      control: control,
      sessions: sessions,
      clients: clients,
      program: links.program,
      stateChanged: links.stateChanged,
    )
  }

  // MARK: - Coming and going

  /// The server is there: adopts the clients that were there before the host.
  func begin() {
    refused.removeAll()
    review(isAttaching: true)
  }

  /// The server is gone, and all clients with it.
  func serverLost() { clients.removeAll() }

  /// Gives sessions to clients that have come and that a rule adopts, and ends those of clients that have gone.
  ///
  /// - Parameter isAttaching: Whether clients may have been connected before the host heard of it.
  func review(isAttaching: Bool = false) {
    guard isAdopting, let attachment = control.attachment else { return }
    let found = attachment.connections.ports.clients
    let outputs = Dictionary(
      uniqueKeysWithValues: found.map { ($0, adoptable.outputs(of: $0, on: attachment)) }
    )
    for (id, client) in clients.sessions { review(id, ports: outputs[client.name] ?? []) }
    for name in outputs.keys.sorted() { adoptNew(name, isAttaching: isAttaching) }
  }

  /// A port has come or gone: looks after its client only.
  func portChanged(_ port: String) {
    guard isAdopting, let attachment = control.attachment, let name = JACKNames.client(of: port)
    else { return }
    let ports = adoptable.outputs(of: name, on: attachment)
    if let id = clients.session(ofClient: name) {
      review(id, ports: ports)
    } else if !ports.isEmpty {
      adoptNew(name, isAttaching: false)
    }
  }

  /// An output has another name: it goes on in its channel, unless its rule gives the new name another strip or none.
  func portRenamed(_ old: String, to new: String) {
    guard isAdopting, let attachment = control.attachment, let id = clients.part(ofPort: old),
      let client = clients[id], let strip = places.strip(of: id)
    else { return portChanged(new) }
    let channel = client.channel(of: old)
    if client.own([new]).isEmpty || client.channel(of: new) ?? channel != channel {
      // The cable to the channel of the former name is no patch of a user.
      let former = client.stripPort(of: old, strip: strip, client: attachment.hostName)
      try? attachment.connections.forbid(ConnectionPair(source: new, destination: former))
      clients.change(id) { $0.forget(old) }
    } else {
      clients.change(id) { $0.rename(old, to: new) }
    }
    mover.restateRule(id)
    mover.reviewInputGate(id, new)
    portChanged(new)
    links.stateChanged()
  }

  /// Takes in the connections of all outputs as they are, where no reports tell them, and moves to the strips what is not
  /// there.
  func readAnew() {
    guard isAdopting, let attachment = control.attachment else { return }
    review()
    for (id, client) in clients.all {
      for port in client.ports {
        let others = Set(attachment.connections.others(of: port))
        let new = clients.change(id) { $0.read(port, others) } ?? []
        for other in new.sorted() where places.isReachable(other) {
          // A place that it has already is no act of its user.
          guard clients[id]?.destinations[port]?.contains(other) != true else { continue }
          let now = control.nowNanoseconds
          clients.change(id) { _ = $0.place(port, at: other, nowNanoseconds: now) }
        }
      }
      mover.restateRule(id)
      mover.moveToStrip(id)
    }
  }

  /// Goes over to the rules of the version in force: clients that another rule adopts move, and those that none adopts any more
  /// go back to the hardware.
  ///
  /// Where other levels are all that is new, the client plays on.
  func takeRules() {
    refused.removeAll()
    guard connectsPorts, control.attachment != nil else { return }
    for (id, client) in clients.sessions {
      let rule = adoptable.rule(of: client.name)
      if let rule, rule.differsInLevelsOnly(from: client.rule) {
        opener.take(rule, of: id)
        continue
      }
      mover.moveToHardware(only: id)
      sessions.end(id, .closed)
      clients.remove(id)
    }
    review(isAttaching: true)
  }

  private var isAdopting: Bool { connectsPorts && !graph.adoptions.isEmpty }

  private func review(_ id: SessionID, ports: [String]) {
    let parts = clients.parts(of: id)
    if parts.allSatisfy({ clients[$0]?.own(ports).isEmpty != false }) { return end(id) }
    for part in parts { widen(part, ports: ports) }
  }

  private func end(_ id: SessionID) {
    sessions.end(id, .died)
    clients.remove(id)
  }

  private func adoptNew(_ name: String, isAttaching: Bool) {
    guard clients.session(ofClient: name) == nil, !refused.contains(name),
      let rule = adoptable.rule(of: name), let session = rule.session,
      let attachment = control.attachment,
      !adoptable.outputs(of: name, on: attachment).isEmpty
    else { return }
    do {
      try adopt(name, rule, session, isAttaching: isAttaching)
    } catch {
      refused.insert(name)
      control.publish(.error(), "client '\(name)' cannot be adopted: \(error)")
    }
  }

  private func adopt(
    _ name: String,
    _ rule: GraphFile.Adoption,
    _ session: GraphFile.AppSession,
    isAttaching: Bool,
  ) throws {
    guard let attachment = control.attachment else { return }
    let program = links.program(name)
    opener.grant(program.title, of: name, session)
    try attachment.connections.readOutputs(ofClient: name)
    let strips: [GraphFile.AdoptedStrip?] = rule.strips.isEmpty ? [nil] : rule.strips
    let outputs = adoptable.outputs(of: name, on: attachment)
    var parts = strips.map { strip in
      var part = AdoptedClient(
        name: name,
        rule: rule,
        strip: strip,
        ports: [],
        nowNanoseconds: control.nowNanoseconds,
      )
      part.add(ports: part.own(outputs))
      return part
    }
    guard parts.contains(where: { !$0.ports.isEmpty }) else { return }
    var taken = Set(sessions.all.compactMap { $1.isAdopted ? $1.keptName : nil })
    if isAttaching { taken.formUnion(attachment.connections.ports.clients.filter { $0 != name }) }
    let instance = links.claim(
      InstanceClaim(
        title: program.title,
        taken: taken,
        wasThere: isAttaching,
        strips: rule.strips.map(\.name),
        starts: parts.map(\.start),
      )
    )
    let kept = links.keptApp(instance)
    let placements =
      rule.patch == .theirs ? [:] : (kept?.placements ?? [:]).mapValues { Set($0) }
    var last: KeptSession?
    for index in parts.indices {
      if kept?.isPlacedByHand == true { parts[index].restore(placements, byHand: true) }
      if isAttaching { takeIn(&parts[index], connectedOn: attachment) }
    }
    if isAttaching, parts.allSatisfy(\.destinations.isEmpty) {
      // It had no connections when the previous host died: restore its last placement; it sounds once its session
      // allows.
      for index in parts.indices { parts[index].restore(placements, byHand: false) }
      last = kept?.session
    }
    let id = try opener.open(parts, program, session, instance: instance)
    if last?.isPaused == true { sessions.pauseAtStart(id) }
    for part in clients.parts(of: id) { mover.moveToStrip(part) }
    attachment.connections.makeMissing()
    sessions.tellConnected()
    if let last { players.takeOver(id, last) }
    attachment.latencies.restateLater()
  }

  private func takeIn(_ client: inout AdoptedClient, connectedOn attachment: Attachment) {
    for port in client.ports {
      for other in attachment.connections.others(of: port) {
        _ = client.connected(port, to: other)
        guard places.isReachable(other) else { continue }
        _ = client.place(port, at: other, nowNanoseconds: control.nowNanoseconds)
      }
    }
  }

  /// Gives a client's further outputs channels of the strip.
  private func widen(_ id: AdoptedPart, ports all: [String]) {
    guard let attachment = control.attachment, let client = clients[id],
      let strips = sessions.held(id.session)?.strips, strips.indices.contains(id.index)
    else { return }
    let (ports, name) = (client.own(all), strips[id.index])
    guard !Set(ports).isSubset(of: client.ports) else { return }
    var wider = client
    wider.add(ports: ports)
    if wider.channels != client.channels {
      do {
        try attachment.strips.grow(name, channels: wider.channels)
        sessions.widen(id.session, strip: id.index, channels: wider.channels)
      } catch {
        control.publish(.error(), "strip '\(name)' cannot take further outputs: \(error)")
        return
      }
    }
    clients.change(id) { $0 = wider }
    mover.restateRule(id)
  }

  // MARK: - Connections

  /// An output has been connected, by its client or its user: a connection to the hardware is moved to the strip; all
  /// others are left alone.
  func connected(_ port: String, to other: String) {
    guard let id = clients.part(ofPort: port),
      clients.change(id, { $0.connected(port, to: other) }) == true
    else { return }
    guard places.isReachable(other) else {
      if places.isUnnamedHardware(other) { publishDirect(port, other) }
      return mover.reviewInputGate(id, port)
    }
    let now = control.nowNanoseconds
    if clients[id]?.isStarting(nowNanoseconds: now) == false { sessions.endPick(of: id.session) }
    var isElsewhere =
      clients.change(id) { $0.place(port, at: other, nowNanoseconds: now) } ?? false
    isElsewhere = mover.placeSiblings(id).areElsewhere || isElsewhere
    isElsewhere = mover.moveToStrip(id, isElsewhere: isElsewhere) || isElsewhere
    if sessions.session(id.session)?.isPaused == true,
      clients[id]?.isStarting(nowNanoseconds: now) == false
    {
      // A user who patches a player to where it is to be heard wants to hear it.
      sessions.tell(.playerResumed(session: id.session))
    }
    if isElsewhere { links.stateChanged() }
  }

  /// An output has been disconnected.
  func disconnected(_ port: String, from other: String) {
    guard let id = clients.part(ofPort: port) else { return }
    clients.change(id) { $0.disconnected(port, from: other) }
    mover.reviewInputGate(id, port)
  }

  private func publishDirect(_ port: String, _ hardware: String) {
    control.publish(
      .decision(.init(rule: .int1, port: port, hardware: hardware)),
      "INT-1 \(port) sounds directly at \(hardware), which no route of the graph names: no session silences it "
        + "there",
    )
  }

  /// The connections that feed the strips of adopted clients.
  func rules(client hostClient: String) -> [ConnectionRule] {
    clients.all.compactMap { id, client in
      guard let strips = sessions.held(id.session)?.strips, strips.indices.contains(id.index) else {
        return nil
      }
      return client.connectionRule(strip: strips[id.index], client: hostClient)
    }
  }

  // MARK: - Questions

  /// The first rule that matches a client; nil without one.
  func rule(of client: String) -> GraphFile.Adoption? { adoptable.rule(of: client) }

  /// The ways on which adopted clients are heard now, and the connections that may stand in for the host.
  var patch: GuardPatch { places.patch }

  /// The rest that is heard of a session's client once the host is dead, in a sentence; nil for other sessions.
  func fate(_ id: SessionID, named name: String) -> String? {
    let ports = clients.parts(of: id).compactMap { clients[$0]?.ports }.joined()
    guard let first = clients.first(of: id), !first.isPatchedByOthers else { return nil }
    return places.patch.fate(of: Set(ports), named: name)
  }

  /// The sound of a client that reaches the hardware past its strip.
  func directSounds(_ id: SessionID) -> [DirectSound] { places.directSounds(of: id) }

  /// Whether a client is heard past its strip alone, because the strip is silent while it is.
  func isHeardDirectlyOnly(_ id: SessionID) -> Bool {
    clients.first(of: id) != nil && !places.directSounds(of: id).isEmpty
      && !places.isHeardThroughStrip(id)
  }

  /// Where a strip of a client is heard among these routes of its session, each with a matrix or nil for the usual channels.
  func sends(
    _ id: SessionID,
    strip: Int,
    to routes: [String],
  ) -> [(route: String, matrix: [[Float]]?)] {
    places.sends(of: AdoptedPart(session: id, index: strip), to: routes)
  }

  /// The hardware ports at which a client's outputs are heard, by short name, and whether its user chose them; nil for
  /// other sessions.
  func placement(_ id: SessionID) -> ProgramSnapshot.Placement? {
    let parts = clients.parts(of: id).compactMap { clients[$0] }
    guard !parts.isEmpty else { return nil }
    return ProgramSnapshot.Placement(
      placements: parts.map(\.placements).reduce(into: [:]) { all, part in
        all.merge(part) { $0.union($1) }
      },
      isByHand: parts.contains(where: \.isPlacedByHand),
    )
  }

  /// Whether a client has come so lately that it is likely to be connecting itself.
  var isAnyArriving: Bool { clients.isAnyArriving(nowNanoseconds: control.nowNanoseconds) }

  // MARK: - The host's ends

  /// Moves clients back to the hardware before the host goes, where that makes none of them louder.
  func moveToHardware() { mover.moveToHardware() }

  /// Looks after gates of clients that have started, and after paused players; by the host's timer.
  func tick() {
    mover.reviewInputGates()
    players.look()
  }

  /// Pauses the player behind a session.
  func pausePlayer(_ id: SessionID) { players.pause(id) }
  /// Lets the player behind a session go on.
  func resumePlayer(_ id: SessionID) { players.resume(id) }
  /// Hands a media key on to the player behind a session.
  func commandPlayer(_ id: SessionID, _ command: RemoteCommand) { players.command(id, command) }
  /// Whether the host has paused the player behind a session.
  func isPlayerPaused(_ id: SessionID) -> Bool { players.isPaused(id) }
  /// Lets players go on that the host has paused for an interruption, before it ends.
  func releasePlayers(on last: Attachment?) async { await players.release(on: last) }
}

/// Parts of JACK's full port names.
enum JACKNames {
  /// The client of a port, `client:port`; nil for a name without a colon. [any-thread]
  static func client(of port: String) -> String? {
    port.firstIndex(of: ":").map { String(port[..<$0]) }
  }
}
