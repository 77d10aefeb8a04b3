// SPDX-License-Identifier: MIT

internal import GraphFiles
internal import JACK
internal import Mixing

/// The host's clients on one JACK server, with their ports and the memory of their callbacks.
///
/// A new value is made for each server; the mix's values, the players and the connections outlive
/// it. Belongs to the control thread.
@safe
final class Presence {
  /// The client with strips and routes.
  let mix: ClientConnection
  /// The client with players and tones; nil where the graph has neither.
  let sources: ClientConnection?
  /// The names of all clients by their purpose.
  let clients: ClientNames
  /// The ports of the main client.
  var mixPorts: MixPorts
  /// The ports of the nodes of strips and routes.
  var inserts: [InsertPorts] = []
  /// The ports of the source client, by source.
  let sourcePorts: [(id: String, ports: [AudioOutputPort])]

  var arrangements = ArrangementList()
  var taps: [RecordingTap]
  /// The gates of the inputs of strips that were added later, channel by channel.
  var gates: [String: [InputGateCell]] = [:]
  /// Removed strips, to free once the arrangement of their tag is in use.
  var leaving: [LeavingStrip] = []
  /// The lines to the controllers.
  let lines: ControllerLines
  private var activeMix: ActiveClient?
  private var activeSources: ActiveClient?
  private let mixState: UnsafeMutablePointer<MixProcess>
  private var sourceState: UnsafeMutablePointer<SourceProcess>?

  /// The names of all clients.
  var clientNames: [String] {
    [mix.name] + [sources?.name].compactMap { $0 }
      + inserts.flatMap(\.clientNames)
  }

  /// The full names of all ports of the two clients, and of the ports at which node sources come
  /// in.
  var ownPorts: Set<String> {
    var names: Set<String> = []
    for (id, ports) in mixPorts.strips {
      for channel in ports.indices {
        names.insert("\(mix.name):\(PortNames.strip(id, channel: channel))")
      }
    }
    for (id, ports) in mixPorts.routes {
      for channel in ports.indices {
        names.insert("\(mix.name):\(PortNames.route(id, channel: channel))")
      }
    }
    if let sources {
      for (id, ports) in sourcePorts {
        for channel in ports.indices {
          names.insert("\(sources.name):\(PortNames.source(id, channel: channel))")
        }
      }
    }
    return names.union(inserts.flatMap(\.returnClient.inletNames))
  }

  /// The full names of ports that stand in for other ports of the host; their connections are never
  /// taken for a user's patches.
  var hiddenPorts: Set<String> { Set(inserts.flatMap { $0.outlet?.names ?? [] }) }

  /// Registers all ports of the main client, then makes the engine for their arrangement.
  ///
  /// - Parameters:
  ///   - opened: The main client.
  ///   - graph: Gives the labels and the name.
  ///   - controllers: The MIDI controllers.
  ///   - spec: The mix.
  ///   - bank: The players and tones.
  ///   - taps: The recordings that run.
  ///   - times: The store for the durations of the callback; must outlive this object.
  ///   - makeEngine: Makes the engine; its tag must be the given address.
  /// - Throws: The error of JACK or the engine; both clients are closed then.
  init(
    _ opened: consuming OpenedClient,
    graph: GraphFile,
    controllers: [ControllerDevice],
    spec: MixSpec,
    bank: SourceBank,
    taps: [RecordingTap],
    times: CallbackTimes,
    makeEngine: (_ tag: UInt64) throws -> MixEngine,
  ) throws {
    let connection = opened.connection
    let clients = graph.clientNames(main: connection.name)
    self.clients = clients
    let labels = Self.labels(of: graph)
    let mixPorts = try MixPorts.register(spec, labels: labels, on: connection)
    self.mixPorts = mixPorts
    let inserts = try Self.inserts(of: graph, mixPorts, labels: labels, clients, on: connection)
    self.inserts = inserts
    let lines = try Self.lines(to: controllers, on: connection)
    self.lines = lines
    self.taps = taps
    let tag = arrangements.add(
      mixPorts.contents(taps: taps, inserts: inserts),
      recordings: taps,
    )
    let engine = try makeEngine(tag)
    let mixState = UnsafeMutablePointer<MixProcess>.allocate(capacity: 1)
    unsafe mixState.initialize(
      to: MixProcess(
        renderer: engine.renderer,
        controllers: lines.bank,
        durations: times.producer,
      )
    )
    unsafe self.mixState = mixState
    connection.introduce(as: connection.name, icon: "multimedia-volume-control")
    try connection.setLatencyPaths(
      mixPorts.latencyPaths(spec, inserts: inserts) { engine.latencyFrames(ofRoute: $0) ?? 0 }
    )
    mix = connection
    activeMix = try unsafe opened.activate(
      process: mixProcess,
      context: UnsafeMutableRawPointer(mixState),
    )
    guard !bank.generated.isEmpty else {
      sources = nil
      sourcePorts = []
      return
    }
    let openedSources = try OpenedClient.open(
      name: PortNames.sourceClient(of: clients),
      server: connection.server,
    )
    sources = openedSources.connection
    openedSources.connection.introduce(
      as: "\(connection.name): sources",
      icon: "multimedia-player",
    )
    sourcePorts = try Self.registerSources(bank, labels: labels, on: openedSources.connection)
    let state = unsafe SourceProcess.make(
      zip(bank.generated, sourcePorts).map { ($0.source.generator, $1.ports) }
    )
    unsafe sourceState = state
    self.activeSources = try unsafe openedSources.activate(
      process: sourceProcess,
      context: UnsafeMutableRawPointer(state),
    )
  }

  private static func labels(of graph: GraphFile) -> [String: String] {
    let named =
      graph.sources.map { ($0.name, $0.label) } + graph.routes.map { ($0.name, $0.label) }
    return Dictionary(named.compactMap { name, label in label.map { (name, $0) } }) { first, _ in
      first
    }
  }

  private static func registerSources(
    _ bank: SourceBank,
    labels: [String: String],
    on connection: ClientConnection,
  ) throws(JACKError) -> [(id: String, ports: [AudioOutputPort])] {
    var order = 0
    var result: [(id: String, ports: [AudioOutputPort])] = []
    for (name, _) in bank.generated {
      let ports: [AudioOutputPort] = try connection.registerGroup(
        name,
        label: labels[name],
        names: (0..<(bank.channels[name] ?? 1)).map { PortNames.source(name, channel: $0) },
        order: &order,
        flags: .terminal,
      )
      result.append((name, ports))
    }
    return result
  }

  /// Closes both clients and frees the memory of their callbacks.
  ///
  /// Where libjack does not return in time, the memory stays, because a callback may still run.
  func close() {
    // The main client closes first, and with it its connections from the source client.
    let outcome = activeMix.take()?.close()
    let sourceOutcome = activeSources.take()?.close()
    lines.end()
    if outcome == .timedOut { _ = unsafe Unmanaged.passRetained(lines) }
    for insert in inserts { insert.close(isUsed: outcome == .timedOut) }
    inserts.removeAll()
    if outcome != .timedOut {
      arrangements.removeAll()
      freeGates()
      unsafe mixState.deinitialize(count: 1)
      unsafe mixState.deallocate()
    } else {
      arrangements.abandon()
    }
    if let state = unsafe sourceState, sourceOutcome != .timedOut {
      unsafe SourceProcess.free(state)
    }
    unsafe sourceState = nil
  }
}
