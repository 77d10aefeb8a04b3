// SPDX-License-Identifier: MIT

internal import GraphFiles
internal import JACK
internal import Mixing

/// The signal path from one capture port to one program, with a gate in it.
///
/// Pure value: [any-thread].
struct CaptureGate: Sendable, Identifiable {
  /// The name of its strip and route in the engine: `mpv_1`.
  let id: String
  /// The JACK client that hears it.
  let client: String
  /// The full name of the capture port.
  let source: String
  /// The full name of the gate's input, which the capture port is connected to.
  let input: String
  /// The full name of the gate's output, which the client is connected to.
  let output: String
  /// Whether the client hears the capture instead of silence.
  var isOpen = false
}

/// The client with the gates through which programs hear captures that need a permission (PRM-1).
///
/// It is separate from the main client. A program that records, and is heard through a strip, would close a
/// loop in the main client, where JACK adds a period. Each gate is a strip, a route and a send between them, so
/// it adds 0 frames, and opens and closes with a fade. In a cycle in which a gate has another number of connections
/// than the host has approved it gives silence, so a stranger that connects itself to it hears nothing. Belongs to the
/// control thread.
@safe
final class GateClient {
  let connection: ClientConnection
  /// The existing gates.
  private(set) var gates: [CaptureGate] = []

  private let engine: MixEngine
  private let times = CallbackTimes()
  private var arrangements = ArrangementList()
  private var ports: [GatePorts] = []
  /// Ports to unregister once the arrangement of that tag is in use.
  private var leaving: [(tag: UInt64, ports: GatePorts)] = []
  private var client: ActiveClient?
  private let state: UnsafeMutablePointer<MixProcess>

  /// Opens the client, without gates.
  ///
  /// - Parameters:
  ///   - name: Its name.
  ///   - server: The server.
  ///   - sampleRateHz: The server's rate.
  /// - Throws: The error of JACK or the engine.
  init(name: String, server: String, sampleRateHz: Double) throws {
    let opened = try OpenedClient.open(name: name, server: server)
    connection = opened.connection
    let tag = arrangements.add(PortArrangement.Contents())
    engine = try MixEngine(
      MixSpec(),
      configuration: MixEngine.Configuration(sampleRateHz: sampleRateHz),
      tag: tag,
    )
    unsafe state = .allocate(capacity: 1)
    unsafe state.initialize(to: MixProcess(renderer: engine.renderer, durations: times.producer))
    connection.introduce(as: name, icon: "audio-input-microphone")
    client = try unsafe opened.activate(
      process: mixProcess,
      context: UnsafeMutableRawPointer(state),
    )
  }

  /// The name of the client.
  var clientName: String { connection.name }

  /// Connects two ports; an existing connection is not an error.
  func connect(_ source: String, to destination: String) throws(JACKError) {
    try connection.connect(source, to: destination)
  }

  /// Makes a closed gate.
  ///
  /// - Throws: The error of JACK or the engine; the gate is removed then.
  func add(client: String, source: String) throws -> CaptureGate {
    let base = SessionName.made(from: client)
    var number = 0
    // The ports of a gate that is just being removed still have their names.
    let named = ports + leaving.map(\.ports)
    while named.contains(where: { $0.id == PortNames.source(base, channel: number) }) {
      number += 1
    }
    let id = PortNames.source(base, channel: number)
    let label = "\(client) hears \(source)"
    var order = 2 * gates.count
    let inputs: [AudioInputPort] = try connection.registerGroup(
      base,
      label: label,
      names: [PortNames.strip(base, channel: number)],
      order: &order,
    )
    let outputs: [AudioOutputPort]
    do throws(JACKError) {
      outputs = try connection.registerGroup(base, label: label, names: [id], order: &order)
    } catch {
      for port in inputs { try? connection.unregister(port) }
      throw error
    }
    let output = "\(connection.name):\(id)"
    // Under PipeWire connections cannot be counted.
    let approved = (try? connection.watchedPort(named: output)).map(ApprovedConnections.init(of:))
    ports += zip(inputs, outputs).map {
      GatePorts(id: id, input: $0, output: $1, approved: approved)
    }
    var spec = engine.spec
    spec.strips.append(StripSpec(id: id, channels: 1, isGated: true))
    spec.routes.append(RouteSpec(id: id, channels: 1))
    spec.sends.append(SendSpec(strip: id, route: id))
    do {
      try engine.apply(spec, tag: rearrange())
      try stateLatencies()
    } catch {
      remove(ids: [id])
      throw error
    }
    let gate = CaptureGate(
      id: id,
      client: client,
      source: source,
      input: "\(connection.name):\(PortNames.strip(base, channel: number))",
      output: output,
    )
    gates.append(gate)
    return gate
  }

  /// Opens or closes a gate with a fade.
  ///
  /// - Returns: Whether the gate has changed.
  func set(_ id: String, isOpen: Bool, fadeSeconds: Double) throws(MixError) -> Bool {
    guard let index = gates.firstIndex(where: { $0.id == id }), gates[index].isOpen != isOpen else {
      return false
    }
    try engine.setGate(strip: id, isOpen: isOpen, fade: .seconds(fadeSeconds))
    gates[index].isOpen = isOpen
    return true
  }

  /// Sets how many connections the output of a gate may have, from 0; with any other number it gives silence.
  func approve(_ id: String, connections: Int) {
    ports.first { $0.id == id }?.approved?.approve(connections)
  }

  /// Removes the gates of clients that have gone.
  func remove(clients: Set<String>) {
    remove(ids: Set(gates.filter { clients.contains($0.client) }.map(\.id)))
  }

  private func remove(ids: Set<String>) {
    let gone = ports.filter { ids.contains($0.id) }
    ports.removeAll { ids.contains($0.id) }
    gates.removeAll { ids.contains($0.id) }
    var spec = engine.spec
    spec.sends.removeAll { ids.contains($0.strip) }
    spec.strips.removeAll { ids.contains($0.id) }
    spec.routes.removeAll { ids.contains($0.id) }
    let tag = rearrange()
    // A part of an allowed mix is allowed.
    try? engine.apply(spec, tag: tag)
    leaving += gone.map { (tag, $0) }
    try? stateLatencies()
  }

  func inputFaults() -> [String: InputFaults] { engine.inputFaults() }

  /// Frees memory that the audio thread no longer uses; called by the host's timer.
  func collect() {
    times.collect()
    for case .planAdopted(let tag, _) in engine.collect() {
      let done = arrangements.adopted(tag: tag)
      for entry in leaving where done.contains(entry.tag) {
        // When the server has just gone, the ports went with it.
        try? connection.unregister(entry.ports.input)
        try? connection.unregister(entry.ports.output)
        entry.ports.approved?.free()
      }
      leaving.removeAll { done.contains($0.tag) }
    }
  }

  private func rearrange() -> UInt64 {
    arrangements.add(
      PortArrangement.Contents(
        inputs: ports.map(\.input),
        outputs: ports.map(\.output),
        approvals: ports.map(\.approved),
      )
    )
  }

  private func stateLatencies() throws(JACKError) {
    try connection.setLatencyPaths(
      ports.map { LatencyPath(input: $0.input, output: $0.output, frames: 0) }
    )
  }

  /// Closes the client and frees the memory of its callback.
  func close() {
    // Where libjack does not return in time, the memory stays, because a callback may still run.
    guard let client = client.take(), client.close() != .timedOut else { return }
    arrangements.removeAll()
    for gate in ports + leaving.map(\.ports) { gate.approved?.free() }
    unsafe state.deinitialize(count: 1)
    unsafe state.deallocate()
  }
}

/// The ports of a gate, and the connections that its output may have.
///
/// Belongs to the control thread.
private struct GatePorts {
  let id: String
  let input: AudioInputPort
  let output: AudioOutputPort
  /// Nil where connections cannot be counted.
  let approved: ApprovedConnections?
}
