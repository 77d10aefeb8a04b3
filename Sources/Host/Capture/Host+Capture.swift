// SPDX-License-Identifier: MIT

internal import ControlProtocol
internal import GraphFiles
internal import JACK
internal import Mixing
internal import Sessions

extension Host {
  /// Whether a client is gated that nobody has denied anything: all are with `permissions` in the graph, and
  /// without that those which it adopts, since they take part in sessions.
  private func isRestricted(_ client: String) -> Bool {
    configuration.graph.permissions != nil || adoption(of: client)?.session != nil
  }

  // MARK: - What happens on the server

  /// The server is there: looks at every capture that is going on.
  func beginCaptures() {
    programs.removeAll()
    if configuration.graph.permissions != nil { openGateClient() }
    enforceCaptures()
  }

  /// The server is gone, and the gates with it.
  func endCaptures() {
    gates?.close()
    gates = nil
  }

  /// Looks at every capture that is going on, after an answer or an attachment.
  func enforceCaptures() {
    guard phase == .running, configuration.connectsPorts, let connection = presence?.mix else {
      return
    }
    for source in capturePorts() {
      for destination in (try? connection.connections(ofPort: source)) ?? [] {
        enforceCapture(source: source, destination: destination)
      }
    }
  }

  /// Two ports were connected: a capture that needs a permission is taken through a gate (PRM-1).
  ///
  /// Silence comes first: JACK hears the disconnection with the next period, whatever the rest takes.
  func enforceCapture(source: String, destination: String) {
    guard phase == .running, configuration.connectsPorts, let connection = presence?.mix,
      let client = Self.client(of: destination), let capture = capture(of: source, for: client),
      isGateable(client), !isOwnLink(source, destination)
    else { return }
    let program = program(of: client)
    guard needsGate(client, program) else { return }
    do throws(JACKError) {
      try connection.disconnect(source, from: destination)
    } catch  where error.code != .notConnected && error.code != .noSuchPort {
      publish(.error, "cannot take \(source) from \(destination) (PRM-1): \(error)")
      return
    } catch {
      // Gone by itself meanwhile; the gate is made all the same, for whoever connects again.
    }
    publish(
      .decision,
      "PRM-1 \(destination) hears \(capture) through a gate and not directly",
      details: [
        "rule": "PRM-1", "app": .string(program.name), "port": .string(destination),
        "capture": .string(capture),
      ],
    )
    takeThroughGate(client, program, source: capture, destination: destination)
    ask(about: program, client: client)
  }

  /// Clients have gone: so do their gates.
  func reviewGates() {
    guard let gates else { return }
    let clients = Set(gates.gates.map(\.client))
    let gone = clients.filter { client in
      !keeper.ports.all(facing: .outOfHost).contains { Self.client(of: $0) == client }
    }
    for client in clients.union(programs.keys) where !keeper.ports.hasPorts(ofClient: client) {
      programs[client] = nil
    }
    guard !gone.isEmpty else { return }
    gates.remove(clients: gone)
    tellGuard()
  }

  // MARK: - Gates

  private func openGateClient() {
    guard gates == nil, let presence else { return }
    do {
      gates = try GateClient(
        name: PortNames.gateClient(of: presence.mix.name),
        server: presence.mix.server,
        sampleRateHz: Double(hardware.sampleRateHz),
      )
    } catch {
      publish(.error, "no gates for captures: \(error); programs that may not record hear nothing")
    }
  }

  private func takeThroughGate(
    _ client: String,
    _ program: Program,
    source: String,
    destination: String,
  ) {
    openGateClient()
    guard let gates else { return }
    do {
      let gate =
        try gates.gate(of: client, source: source) ?? gates.add(client: client, source: source)
      try gates.connection.connect(source, to: gate.input)
      try gates.connection.connect(gate.output, to: destination)
    } catch {
      publish(.error, "no gate from \(source) to \(destination): \(error); it hears nothing")
    }
    settleGates()
    tellRunning()
    tellGuard()
  }

  /// Opens and closes gates as permissions and sessions say.
  func settleGates() {
    guard let gates else { return }
    let fade = configuration.graph.tower.fadeDuration.seconds
    var hasChanged = false
    for gate in gates.gates {
      let isOpen = mayHear(gate.client)
      do throws(MixError) {
        hasChanged = try gates.set(gate.id, isOpen: isOpen, fadeSeconds: fade) || hasChanged
      } catch {
        publish(.error, "gate '\(gate.id)': \(error)")
      }
    }
    if hasChanged { tellGuard() }
  }

  private func mayHear(_ client: String) -> Bool {
    guard permission(of: program(of: client)) == .granted else { return false }
    guard isRestricted(client), let session = session(ofClient: client) else { return true }
    return tower.tower.state.session(session)?.isCaptureOpen ?? true
  }

  /// Whether a client hears something through a gate, however that stands.
  func isCapturing(_ client: String) -> Bool {
    gates?.gates.contains { $0.client == client } ?? false
  }

  // MARK: - Who and what

  /// The program behind a client.
  func program(of client: String) -> Program {
    if let known = programs[client] { return known }
    let found = Program(client: client)
    programs[client] = found
    if found.executable == nil, JACKLibrary.isPipeWire { askPipeWire(about: client) }
    return found
  }

  /// PipeWire tells later: until then a client is known by its name.
  private func askPipeWire(about client: String) {
    Task {
      guard let process = await PipeWireClients().process(ofClient: client),
        programs[client] != nil
      else { return }
      programs[client] = Program(client: client, process: process)
      settleGates()
      enforceCaptures()
      adoptClients()
    }
  }

  /// The session that a rule gave a client.
  func session(ofClient client: String) -> SessionID? {
    tower.held.first { $0.value.owner == .client(client) }?.key
  }

  private func needsGate(_ client: String, _ program: Program) -> Bool {
    // A gate that is there stays, so that who has permission now can lose it without a click.
    if isCapturing(client) { return true }
    guard isRestricted(client) else { return permission(of: program) == .denied }
    return permission(of: program) != .granted || session(ofClient: client) != nil
  }

  /// Whether the gate is for a client: not the host's own, nor one that the graph leaves alone or has in
  /// a route.
  private func isGateable(_ client: String) -> Bool {
    guard client != gates?.connection.name,
      presence?.clientNames.contains(client) != true
    else { return false }
    if let rule = adoption(of: client), rule.session == nil { return false }
    return !configuration.graph.routes.contains { route in
      let ports =
        route.direction == .output ? keeper.foundPorts(of: route.name) : inputPorts(of: route)
      return ports.contains { Self.client(of: $0) == client }
    }
  }

  /// Whether the host itself has made a connection, from an input through a node that works on it.
  private func isOwnLink(_ source: String, _ destination: String) -> Bool {
    let pair = ConnectionPair(source: source, destination: destination)
    return nodes.chains.values.contains { $0.links.contains(pair) }
  }

  /// The capture port that a client hears over a connection from `source`; nil where it is none of ours
  /// to gate.
  private func capture(of source: String, for client: String) -> String? {
    if let gate = gates?.gate(output: source) {
      // Through another program's gate it would hear what that one may.
      return gate.client == client ? nil : gate.source
    }
    return isCapturePort(source) ? source : nil
  }

  private func isCapturePort(_ port: String) -> Bool {
    keeper.ports.isPhysical(port)
      || configuration.graph.routes.contains {
        $0.direction == .input && inputPorts(of: $0).contains(port)
      }
  }

  private func capturePorts() -> [String] {
    let routes = configuration.graph.routes.filter { $0.direction == .input }
    let ports = keeper.ports.physical(facing: .intoHost) + routes.flatMap { inputPorts(of: $0) }
    return Set(ports).sorted(by: NaturalOrder.areInIncreasingOrder)
  }

  static func client(of port: String) -> String? {
    port.firstIndex(of: ":").map { String(port[..<$0]) }
  }
}
