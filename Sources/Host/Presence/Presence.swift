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
  var sources: SourceClient?
  /// The names of all clients by their purpose.
  let clients: ClientNames
  /// The ports of the main client.
  var mixPorts: MixPorts
  /// The ports of the nodes of strips and routes.
  var inserts: [InsertPorts] = []
  /// Names for people, by strip and route.
  var labels: [String: String]
  /// The strips that a node feeds.
  var nodeStrips: Set<String>
  /// Ports that are registered for another layout, and not used yet.
  var prepared = NextPorts()
  var arrangements = ArrangementList()
  var taps: [RecordingTap]
  /// The files that the host plays into strips, by strip.
  var feeds: [String: StripFeed]
  /// The gates of the inputs of strips that were added later, channel by channel.
  var gates: [String: [InputGateCell]] = [:]
  /// Removed strips and routes, to free once the arrangement of their tag is in use.
  var leaving: [LeavingPorts] = []
  /// The lines to the controllers.
  let lines = ControllerLines()
  /// The names of the controllers in the layout in force.
  var controllerNames: Set<String>
  private var activeMix: ActiveClient?
  private let mixState: UnsafeMutablePointer<MixProcess>

  /// The names of all clients.
  var clientNames: [String] {
    [mix.name] + [sources?.connection.name].compactMap { $0 }
      + inserts.flatMap(\.clientNames)
  }

  /// The full names of all ports of the two clients, and of the ports at which node sources come
  /// in.
  var ownPorts: Set<String> {
    var names: Set<String> = []
    for (id, _) in mixPorts.strips { names.formUnion(stripPorts(id)) }
    for (id, ports) in mixPorts.routes {
      for channel in ports.indices {
        names.insert("\(mix.name):\(PortNames.route(id, channel: channel))")
      }
    }
    if let sources {
      for (id, ports) in sources.groups {
        for channel in ports.indices {
          names.insert("\(sources.connection.name):\(PortNames.source(id, channel: channel))")
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
  ///   - feeds: The files that the host plays into strips, by strip.
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
    feeds: [String: StripFeed],
    times: CallbackTimes,
    makeEngine: (_ tag: UInt64) throws -> MixEngine,
  ) throws {
    let connection = opened.connection
    let clients = graph.clientNames(main: connection.name)
    self.clients = clients
    let labels = graph.portLabels
    self.labels = labels
    nodeStrips = Set(graph.nodeSources.keys)
    let mixPorts = try MixPorts.register(
      spec,
      labels: labels,
      played: Set(feeds.keys),
      on: connection,
    )
    self.mixPorts = mixPorts
    let inserts = try Self.inserts(of: graph, mixPorts, labels: labels, clients, on: connection)
    self.inserts = inserts
    controllerNames = Set(controllers.map(\.name))
    lines.add(
      try controllers.map { device throws(JACKError) in try Self.line(to: device, on: connection) }
    )
    self.taps = taps
    self.feeds = feeds
    let tag = arrangements.add(
      mixPorts.contents(feeds: feeds, taps: taps, inserts: inserts, controllers: lines),
      recordings: taps,
      feeds: Array(feeds.values),
    )
    let engine = try makeEngine(tag)
    let mixState = UnsafeMutablePointer<MixProcess>.allocate(capacity: 1)
    unsafe mixState.initialize(
      to: MixProcess(
        renderer: engine.renderer,
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
    guard !bank.generated.isEmpty else { return }
    let sources = try makeSourceClient()
    self.sources = sources
    try sources.prepare(bank.groups, labels: labels)
    sources.take(bank.playing)
  }

  /// Opens the client that plays files and tones.
  func makeSourceClient() throws(JACKError) -> SourceClient {
    try SourceClient(
      name: PortNames.sourceClient(of: clients),
      title: "\(mix.name): sources",
      server: mix.server,
    )
  }

  /// Closes both clients and frees the memory of their callbacks.
  ///
  /// Where libjack does not return in time, the memory stays, because a callback may still run.
  func close() {
    // The main client closes first, and with it its connections from the source client.
    let outcome = activeMix.take()?.close()
    sources?.close()
    lines.end()
    if outcome == .timedOut { _ = unsafe Unmanaged.passRetained(lines) }
    for insert in inserts + leaving.flatMap(\.inserts) {
      insert.close(isUsed: outcome == .timedOut)
    }
    inserts.removeAll()
    if outcome != .timedOut {
      arrangements.removeAll()
      freeGates()
      unsafe mixState.deinitialize(count: 1)
      unsafe mixState.deallocate()
    } else {
      arrangements.abandon()
    }
  }
}
