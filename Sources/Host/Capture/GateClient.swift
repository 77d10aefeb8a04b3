// SPDX-License-Identifier: MIT

internal import GraphFiles
internal import JACK
internal import Mixing

/// The client through which programs hear captures that they need a permission for (PRM-1).
///
/// A client of its own: in the main one, a program that records and is heard through a strip would close a
/// loop, where JACK adds a period. Each gate is a strip, a route and a send between them, so it adds 0
/// frames and opens and closes with a fade. Belongs to the control thread.
@safe
final class GateClient {
  let connection: ClientConnection
  /// The gates there are.
  private(set) var gates: [CaptureGate] = []

  private let engine: MixEngine
  private let times = CallbackTimes()
  private var arrangements = ArrangementList()
  private var ports: [(id: String, input: AudioInputPort, output: AudioOutputPort)] = []
  /// Ports to give back once the arrangement of that tag is in use.
  private var leaving: [(tag: UInt64, input: AudioInputPort, output: AudioOutputPort)] = []
  private var client: ActiveClient?
  private let state: UnsafeMutablePointer<MixProcess>

  /// Opens the client, without a gate.
  ///
  /// - Parameters:
  ///   - name: Its name.
  ///   - server: The server.
  ///   - sampleRateHz: The server's rate.
  /// - Throws: What JACK or the engine said.
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

  /// The gate of a client for a capture port.
  func gate(of client: String, source: String) -> CaptureGate? {
    gates.first { $0.client == client && $0.source == source }
  }

  /// The gate with this output.
  func gate(output: String) -> CaptureGate? { gates.first { $0.output == output } }

  /// The full names of all of its ports.
  var ownPorts: Set<String> { Set(gates.flatMap { [$0.input, $0.output] }) }

  /// Makes a gate, closed.
  ///
  /// - Throws: What JACK or the engine said; there is no gate then.
  func add(client: String, source: String) throws -> CaptureGate {
    let base = SessionName.made(from: client)
    var number = 0
    while ports.contains(where: { $0.id == PortNames.source(base, channel: number) }) {
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
    ports += zip(inputs, outputs).map { (id, $0, $1) }
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
      output: "\(connection.name):\(id)",
    )
    gates.append(gate)
    return gate
  }

  /// Opens or closes a gate with a fade.
  ///
  /// - Returns: Whether it stood otherwise.
  func set(_ id: String, isOpen: Bool, fadeSeconds: Double) throws(MixError) -> Bool {
    guard let index = gates.firstIndex(where: { $0.id == id }), gates[index].isOpen != isOpen else {
      return false
    }
    try engine.setGate(strip: id, isOpen: isOpen, fade: .seconds(fadeSeconds))
    gates[index].isOpen = isOpen
    return true
  }

  /// Takes the gates of clients away that have gone.
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
    // Less of a mix that is allowed is allowed.
    try? engine.apply(spec, tag: tag)
    leaving += gone.map { (tag, $0.input, $0.output) }
    try? stateLatencies()
  }

  /// Looks after the engine: frees what the audio thread has left.
  func collect() {
    times.collect()
    for case .planAdopted(let tag, _) in engine.collect() {
      let done = arrangements.adopted(tag: tag)
      for entry in leaving where done.contains(entry.tag) {
        // Where the server has just gone, the ports went with it.
        try? connection.unregister(entry.input)
        try? connection.unregister(entry.output)
      }
      leaving.removeAll { done.contains($0.tag) }
    }
  }

  private func rearrange() -> UInt64 {
    arrangements.add(
      PortArrangement.Contents(inputs: ports.map(\.input), outputs: ports.map(\.output))
    )
  }

  private func stateLatencies() throws(JACKError) {
    try connection.setLatencyPaths(
      ports.map { LatencyPath(input: $0.input, output: $0.output, frames: 0) }
    )
  }

  /// Closes the client and frees what its callback used.
  func close() {
    // Where libjack does not come back in time the memory stays, because a callback may still run.
    guard let client = client.take(), client.close() != .timedOut else { return }
    arrangements.removeAll()
    unsafe state.deinitialize(count: 1)
    unsafe state.deallocate()
  }
}
