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
  func adoptClients() {
    guard phase == .running, configuration.connectsPorts,
      !configuration.graph.adoptions.isEmpty
    else { return }
    let outputs = adoptableOutputs()
    programs = programs.filter { outputs[$0.key] != nil }
    for (id, held) in tower.held.sorted(by: { $0.key < $1.key }) {
      guard let adopted = held.adopted else { continue }
      if let ports = outputs[adopted.name] {
        widen(id, held, ports: ports)
      } else {
        keep(held)
        endSession(id, .died)
      }
    }
    let known = Set(tower.held.values.compactMap { $0.adopted?.name })
    for client in Set(outputs.keys).subtracting(known).subtracting(refusedClients).sorted() {
      guard let rule = adoption(of: client), let session = rule.session else { continue }
      do {
        try adopt(client, rule, session)
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
    return outputs.filter { taken.isDisjoint(with: $0.value) }
  }

  /// The first rule that matches a client.
  private func adoption(of client: String) -> GraphFile.Adoption? {
    configuration.graph.adoption(of: client) { program(of: client)?.executable }
  }

  /// The process behind a client, looked for once.
  func program(of client: String) -> ClientProcess? {
    if let known = programs[client] { return known }
    let found = ClientProcess.find(client: client)
    programs[client] = .some(found)
    return found
  }

  private func adopt(
    _ client: String,
    _ rule: GraphFile.Adoption,
    _ session: GraphFile.AppSession,
  ) throws {
    guard let connection = presence?.mix else { return }
    var settings = tower.tower.state.configuration
    // What the graph itself says needs no further permission (ACT-4).
    settings.priorityClasses[client] = session.priorityClass.sessionClass
    if settings != tower.tower.state.configuration {
      tell(.configurationChanged(configuration: settings))
    }
    // JACK tells of a client's ports one by one, and has them all by the time it tells of the first.
    for port in try connection.ports(kind: AudioKind.self, flags: .output)
    where port.client == client { keeper.portAppeared(port) }
    let kept = keptClients[ClientProcess.baseName(ofClient: client)]
    var adopted = AdoptedClient(
      name: client,
      rule: rule,
      ports: adoptableOutputs()[client] ?? [],
      placedByHand: kept?.placedByHand ?? [:],
      nowNanoseconds: HostClock.nowNanoseconds(),
    )
    for port in adopted.ports {
      for other in (try? connection.connections(ofPort: port)) ?? [] {
        adopted.connected(port, to: other)
        guard isReachable(other) else { continue }
        _ = adopted.place(port, at: other, nowNanoseconds: HostClock.nowNanoseconds())
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
    )
    let id = try open(held, description, gainDB: kept?.gainDB ?? rule.gainDB)
    if kept?.isMuted == true { try? mix?.setMute(.strip(name), isMuted: true) }
    moveToStrip(id)
    connectMissing()
    tellRunning()
    restateLatencies()
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
    restateRule(id)
  }

  /// Remembers the fader of an adopted client, and where its user had it heard, for its return.
  func keep(_ held: HeldSession) {
    guard let adopted = held.adopted,
      let strip = mix?.engine.spec.strips.first(where: { $0.id == held.name })
    else { return }
    keptClients[ClientProcess.baseName(ofClient: adopted.name)] = KeptClient(
      gainDB: strip.faderDB,
      isMuted: strip.isMuted,
      placedByHand: adopted.placedByHand,
    )
  }
}
