// SPDX-License-Identifier: MIT

internal import AudioFiles
internal import GraphFiles
internal import InterAppAudio
internal import JACK
internal import Logging
internal import Mixing
internal import Patchbay
internal import ServerControl

/// A real JACK server.
///
/// Belongs to the control thread.
final class JACKServer: HostServer {
  private var keeper: ServerKeeper
  private let directory: String
  private let logger: Logger

  /// Makes a server with the settings of a graph.
  ///
  /// - Parameters:
  ///   - settings: The settings.
  ///   - directory: The folder of the control sockets.
  ///   - logger: Takes warnings and the server's output.
  init(_ settings: GraphFile.Server, directory: String, logger: Logger) {
    self.directory = directory
    self.logger = logger
    keeper = ServerKeeper(graph: settings, directory: directory, logger: logger)
  }

  var name: String { keeper.name }
  var isOwned: Bool { keeper.isOwned }
  var canSetSampleRate: Bool { keeper.canSetSampleRate }
  var pid: Int32? { keeper.process?.pid }
  var driverName: String? { keeper.process?.driverName }
  var isSynchronous: Bool? { keeper.process?.configuration.isSynchronous }
  var sampleRateReason: String? { keeper.sampleRateReason }
  var foreignReason: String? { keeper.foreignSettings?.reason }
  var answeredNanoseconds: UInt64 { keeper.answeredNanoseconds }

  func identity() -> ServerIdentity { keeper.identity() }

  func open(name: String, preference: ServerPreference) async throws -> any OpenedPresence {
    OpenedJACKClient(try await keeper.open(name: name, preference: preference))
  }

  func setBuffer(frames: Int?) async -> Bool { await keeper.setBuffer(frames) }

  var loan: ServerLoan? { keeper.loan }

  func stop() async { await keeper.stop() }

  func change(to settings: GraphFile.Server) async {
    await keeper.stop()
    keeper = ServerKeeper(graph: settings, directory: directory, logger: logger)
  }
}

/// A client that is open on a real server.
///
/// Belongs to the control thread.
private final class OpenedJACKClient: OpenedPresence {
  private let connection: ClientConnection
  private var client: OpenedClient?

  init(_ client: consuming OpenedClient) {
    connection = client.connection
    self.client = consume client
  }

  var rateHz: Int { get throws { Int(try connection.sampleRateHz) } }
  var currentBufferFrames: Int { get throws { Int(try connection.bufferFrames) } }
  func askForBuffer(frames: Int) throws { try connection.setBufferFrames(UInt32(frames)) }

  func appear(
    graph: GraphFile,
    controllers: [ControllerDevice],
    spec: MixSpec,
    bank: SourceBank,
    taps: [RecordingTap],
    feeds: [String: StripFeed],
    times: CallbackTimes,
    makeEngine: (_ tag: UInt64) throws -> MixEngine,
  ) throws -> any HostPresence {
    guard let client = client.take() else {
      throw JACKError(.closed, call: "activate", subject: connection.name)
    }
    return try Presence(
      client,
      graph: graph,
      controllers: controllers,
      spec: spec,
      bank: bank,
      taps: taps,
      feeds: feeds,
      times: times,
      makeEngine: makeEngine,
    )
  }
}

extension Presence: HostPresence {
  var controllerLines: ControllerLines? { lines }

  var hostName: String { mix.name }
  var requestedName: String { mix.requestedName }
  var serverName: String { mix.server }
  var sourceClient: String? { sources?.connection.name }

  var currentBufferFrames: Int { get throws { Int(try mix.bufferFrames) } }
  func askForBuffer(frames: Int) throws { try mix.setBufferFrames(UInt32(frames)) }

  // MARK: Ports and connections

  var notifications: AsyncStream<ClientNotification> {
    mix.raiseNotifications(priority: ControlThread.priority)
    return mix.notifications
  }

  func allPorts() throws(JACKError) -> [PortInfo] { try mix.ports() }

  func audioPorts() throws(JACKError) -> [PortInfo] { try mix.ports(kind: AudioKind.self) }

  func audioOutputs(ofClient client: String) throws(JACKError) -> [PortInfo] {
    try mix.ports(
      matching: "^\(PortPattern.literal(client)):",
      kind: AudioKind.self,
      flags: .output,
    )
  }

  func portInfo(_ name: String) -> PortInfo? { try? mix.port(named: name) }

  func connections(ofPort name: String) throws(JACKError) -> [String] {
    try mix.connections(ofPort: name)
  }

  func connect(
    _ source: String,
    to destination: String,
    awaiting wait: ConnectWait,
  ) throws(JACKError) -> ConnectOutcome {
    try mix.connect(source, to: destination, awaiting: wait)
  }

  func disconnect(_ source: String, from destination: String) throws(JACKError) {
    try mix.disconnect(source, from: destination)
  }

  // MARK: Latency and time

  func latencyFrames(ofPort name: String, _ mode: LatencyMode) -> UInt32? {
    try? mix.latencyRange(ofPort: name, mode).maxFrames
  }

  func outputLatencyFrames(ofRoute route: String) -> UInt32? {
    let ports = mixPorts.routes.first { $0.id == route }?.ports ?? []
    return ports.compactMap { try? mix.latencyRange(of: $0, .playback).maxFrames }.max()
  }

  func stateLatencies(of spec: MixSpec, routeFrames: (_ route: String) -> Int) {
    let paths = mixPorts.latencyPaths(spec, inserts: inserts, latencyFrames: routeFrames)
    // When the server has just gone, the next attachment states the latencies anew.
    try? mix.setLatencyPaths(paths)
  }

  func haveChainLatenciesChanged() -> Bool {
    // Each chain stores its latencies when asked, so every chain is asked.
    inserts.map { $0.haveLatenciesChanged() }.contains(true)
  }

  var periodSeconds: Double {
    guard let frames = try? mix.bufferFrames, let rate = try? mix.sampleRateHz, rate > 0 else {
      return 0
    }
    return Double(frames) / Double(rate)
  }

  var frameTime: UInt32? { try? mix.frameTime }

  var pulse: (frame: UInt32, cycles: [UInt64])? {
    guard let times = try? mix.cycleTimes else { return nil }
    // Only clients that wait for no other program: the rest hang with a stopped node.
    let outlets = inserts.compactMap(\.outlet?.connection)
    let clients = [mix, sources?.connection].compactMap { $0 } + outlets
    return (times.frame, clients.map(\.processStatistics.cycles))
  }

  var callbacks: (count: UInt64, lastNanoseconds: UInt64) {
    let statistics = mix.processStatistics
    return (statistics.cycles, UInt64(statistics.lastNanoseconds))
  }

  var loadPercent: Double { Double((try? mix.cpuLoadPercent) ?? 0) }
  var lostNotifications: UInt64 { mix.lostNotifications }

  // MARK: Transport

  var transport: TransportReading? { (try? mix.transport).map { TransportReading($0) } }
  var isTransportRolling: Bool? { (try? mix.transport.state).map { $0 == .rolling } }
  func startTransport() throws(JACKError) { try mix.startTransport() }
  func stopTransport() throws(JACKError) { try mix.stopTransport() }
  func locateTransport(toFrame frame: UInt32) throws(JACKError) {
    try mix.locateTransport(toFrame: frame)
  }

  // MARK: Strips

  func stripPorts(_ id: String) -> Set<String> { mixPorts.names(ofStrip: id, client: mix.name) }

  func watchInput(ofStrip strip: String, channel: Int, port: String, limit: Int) {
    guard let gate = gate(ofStrip: strip, channel: channel) else { return }
    if let watched = try? mix.watchedPort(named: port) {
      gate.watch(watched, limit: limit)
    } else {
      gate.release()
    }
  }

  func releaseInput(ofStrip strip: String, channel: Int) {
    gate(ofStrip: strip, channel: channel)?.release()
  }

  // MARK: Nodes

  var chains: [any ChainPorts] { inserts }
  func channels(of place: InsertPlace) -> Int { mixPorts.channels(of: place) }
  func addChain(at place: InsertPlace) throws(JACKError) -> UInt64 {
    try addInserts(at: place, label: nil)
  }

  func listNodes(_ files: [InstalledNode]) throws(JACKError) -> any NodeListing {
    try NodeDirectory(mix, declarations: files)
  }

  func describe(_ host: HostDescription) throws(JACKError) { try host.publish(on: mix) }
  func claim(_ node: Node) throws(InterAppAudioError) { try mix.claim(node) }
  func release(_ node: Node) { mix.release(node) }

  func setParameter(
    _ name: String,
    to value: Double,
    of node: Node,
  ) throws(InterAppAudioError) {
    try mix.setParameter(name, to: value, of: node)
  }

  func carryOut(
    _ event: AudioUnitRemoteControlEvent,
    _ state: inout HostTransportState,
  ) throws(JACKError) {
    switch event {
    case .togglePlayPause:
      if try mix.transport.state == .stopped {
        try mix.startTransport()
      } else {
        try mix.stopTransport()
      }
    case .rewind: try mix.locateTransport(toFrame: 0)
    case .toggleRecord:
      state.isRecording.toggle()
      state = try mix.announce(state)
    }
  }

  func openGates() throws -> any CaptureGates {
    try GateClient(
      name: PortNames.gateClient(of: clients),
      server: mix.server,
      sampleRateHz: Double(try mix.sampleRateHz),
    )
  }
}
