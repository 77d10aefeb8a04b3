// SPDX-License-Identifier: MIT

internal import ControlProtocol
internal import GraphFiles
internal import JACK
internal import Mixing
internal import Sessions

extension Host {
  /// Gives sessions to clients that have come and that a rule adopts, and ends those of clients that
  /// have gone.
  ///
  /// A client that comes back has its session, its routes and its gain again.
  ///
  /// - Parameter isAttaching: Whether clients may have been connected before the host was told of it.
  func adoptClients(isAttaching: Bool = false) {
    guard phase == .running, configuration.connectsPorts,
      !configuration.graph.adoptions.isEmpty
    else { return }
    let outputs = adoptableOutputs()
    for (id, held) in tower.held.sorted(by: { $0.key < $1.key }) {
      guard let adopted = held.adopted else { continue }
      if let ports = outputs[adopted.name] {
        widen(id, held, ports: ports)
      } else {
        endSession(id, .died)
      }
    }
    let known = Set(tower.held.values.compactMap { $0.adopted?.name })
    for client in Set(outputs.keys).subtracting(known).subtracting(refusedClients).sorted() {
      guard let rule = adoption(of: client), let session = rule.session else { continue }
      do {
        try adopt(client, rule, session, isAttaching: isAttaching)
      } catch {
        refusedClients.insert(client)
        publish(.error, "client '\(client)' cannot be adopted: \(error)")
      }
    }
  }

  /// The outputs of all clients but the hardware's, ours, and those that the graph has as sources.
  private func adoptableOutputs() -> [String: [String]] {
    let taken = Set(keeper.ports.physical(facing: .intoHost))
      .union(configuration.graph.sources.flatMap { keeper.foundPorts(of: $0.name) })
    let outputs = Dictionary(grouping: keeper.ports.all(facing: .intoHost)) { port in
      port.split(separator: ":", maxSplits: 1).first.map(String.init) ?? port
    }
    return outputs.filter { client, ports in
      client != gates?.connection.name && taken.isDisjoint(with: ports)
    }
  }

  /// The first rule that matches a client.
  func adoption(of client: String) -> GraphFile.Adoption? {
    configuration.graph.adoption(of: client) { program(of: client).executable }
  }

  private func adopt(
    _ client: String,
    _ rule: GraphFile.Adoption,
    _ session: GraphFile.AppSession,
    isAttaching: Bool,
  ) throws {
    guard let connection = presence?.mix else { return }
    var settings = tower.tower.state.configuration
    // What the graph itself says needs no further permission (ACT-4).
    settings.priorityClasses[client] = session.priorityClass
    settings.permissions[client] = permission(ofClient: client)
    if settings != tower.tower.state.configuration {
      tell(.configurationChanged(configuration: settings))
    }
    // JACK tells of a client's ports one by one, and has them all by the time it tells of the first.
    for port in try connection.ports(kind: AudioKind.self, flags: .output)
    where port.client == client { keeper.portAppeared(port) }
    var adopted = AdoptedClient(
      name: client,
      rule: rule,
      ports: adoptableOutputs()[client] ?? [],
      nowNanoseconds: HostClock.nowNanoseconds(),
    )
    let kept = kept.apps[ClientProcess.baseName(ofClient: client)]
    let placements = (kept?.placements ?? [:]).mapValues { Set($0) }
    if kept?.isPlacedByHand == true { adopted.restore(placements, byHand: true) }
    var last: KeptSession?
    if isAttaching {
      for port in adopted.ports {
        for other in (try? connection.connections(ofPort: port)) ?? [] {
          _ = adopted.connected(port, to: other)
          guard isReachable(other) else { continue }
          _ = adopted.place(port, at: other, nowNanoseconds: HostClock.nowNanoseconds())
        }
      }
      // Silent when the host died, it was patched to nothing: it is heard where it was, once it may.
      if adopted.destinations.isEmpty {
        adopted.restore(placements, byHand: false)
        last = kept?.session
      }
    }
    var description = try session.description(app: client, isAdopted: true)
    description.traits.pinnedOutputs = adopted.followsRule ? rule.routes : []
    description.traits.preferredOutputs = preferredOutputs(of: adopted)
    let name = freeSessionName(client, channels: adopted.channels)
    let held = HeldSession(
      name: name,
      app: client,
      owner: .client(client),
      strips: [name],
      adopted: adopted,
      isBeingMoved: true,
      startGainDB: rule.gainDB,
    )
    let id = try open(held, description)
    if last?.isPaused == true { pausesAtStart.insert(id) }
    moveToStrip(id)
    connectMissing()
    tellRunning()
    if let last { takeOverPaused(id, last) }
    areLatenciesStale = true
  }

  /// Gives a client's further outputs channels of the strip.
  private func widen(_ id: SessionID, _ held: HeldSession, ports: [String]) {
    guard let adopted = held.adopted, let presence, let mix,
      !Set(ports).isSubset(of: adopted.ports)
    else { return }
    tower.changeAdopted(id) { $0.add(ports: ports) }
    guard let wider = tower.held[id], wider.channels != adopted.channels else {
      return restateRule(id)
    }
    do {
      let tag = try presence.growStrip(held.name, channels: wider.channels)
      keeper.add(
        ownPorts: presence.mixPorts.names(ofStrip: held.name, client: presence.mix.name)
      )
      var spec = mix.engine.spec
      for index in spec.strips.indices where spec.strips[index].id == held.name {
        spec.strips[index].channels = wider.channels
      }
      for index in spec.sends.indices where spec.sends[index].strip == held.name {
        spec.sends[index].matrix = nil
      }
      try mix.engine.apply(spec, tag: tag)
    } catch {
      publish(.error, "strip '\(held.name)' cannot take further outputs: \(error)")
      return
    }
    undescribedStrips.append(held.name)
    restateRule(id)
  }

  /// The longest time that clients which keep coming hold up what can wait.
  private static let catchUpNanoseconds: UInt64 = 1_000_000_000

  /// Does what could wait until what is to be heard is heard.
  func catchUp() {
    let now = HostClock.nowNanoseconds()
    // Each of these costs the server a round through all clients, which would hold up one that just moves.
    let isMoving = tower.held.values.contains {
      $0.adopted?.isArriving(nowNanoseconds: now) ?? false
    }
    if !isMoving || now &- caughtUpNanoseconds > Self.catchUpNanoseconds {
      caughtUpNanoseconds = now
      if areLatenciesStale { restateLatencies() }
      if let strip = undescribedStrips.popLast() { presence?.describeStrip(strip) }
    }
    tellGuard()
  }
}
