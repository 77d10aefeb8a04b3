// SPDX-License-Identifier: MIT

import AudioFiles
import GraphFiles
import InterAppAudio
import JACK
import Mixing
import Patchbay
import ServerControl
import Synchronization

@testable import Host

/// The host's clients on a scripted server; its engine is rendered by ``cycle()``.
///
/// Used on the host's control thread only.
final class ScriptedPresence: HostPresence {
  let hostName: String
  let requestedName: String
  var clients: ClientNames { ClientNames(main: hostName) }
  var serverName: String { server.name }
  var sourceClient: String? {
    sources.isEmpty && preparedSources.isEmpty
      ? nil : PortNames.sourceClient(of: ClientNames(main: hostName))
  }
  let notifications: AsyncStream<ClientNotification>
  /// The input gates that are shut, by strip and channel, with the limit of connections.
  private(set) var watchedInputs: [String: Int] = [:]
  /// The strips whose metadata was written.
  private(set) var describedStrips: [String] = []
  /// The routes whose metadata was written.
  private(set) var describedRoutes: [String] = []
  /// How often latencies were stated.
  private(set) var latencyStatements = 0
  /// How often the host has asked for a latency.
  private(set) var latencyQuestions = 0
  /// The strips whose inputs have a signal.
  var soundingStrips: Set<String> = []
  /// Whether it was closed.
  private(set) var isClosed = false

  private unowned let server: ScriptedServer
  private let engine: MixEngine
  private let continuation: AsyncStream<ClientNotification>.Continuation
  private let readings = Counter()
  private var notices = 0
  private var strips: [String: Int]
  /// The files that are played into strips.
  private var feeds: [String: StripFeed]
  /// The samples of the first output of each cycle, one after the other.
  private(set) var heard: [Float] = []
  private var routes: [(id: String, channels: Int)]
  private var sources: [(id: String, channels: Int)]
  /// The sources whose ports are registered and which are not played yet.
  private var preparedSources: [(id: String, channels: Int)] = []
  private var preparedPorts: [(name: String, flags: PortFlags)] = []
  /// Ports that the audio thread plays until it has adopted the arrangement of their tag.
  private var leaving: [(tag: UInt64, ports: [String])] = []
  private var lastTag: UInt64 = 1
  private var cycles: UInt64 = 0

  init(
    name: String,
    server: ScriptedServer,
    engine: MixEngine,
    strips: [(String, Int)],
    routes: [(String, Int)],
    sources: [(String, Int)],
    feeds: [String: StripFeed],
  ) {
    hostName = name
    requestedName = name
    self.server = server
    self.engine = engine
    self.feeds = feeds
    self.strips = Dictionary(uniqueKeysWithValues: strips)
    self.routes = routes.map { (id: $0.0, channels: $0.1) }
    self.sources = sources.map { (id: $0.0, channels: $0.1) }
    let (told, continuation) = AsyncStream.makeStream(of: ClientNotification.self)
    self.continuation = continuation
    notifications = AsyncStream(unfolding: { [readings] in
      readings.increment()
      var iterator = told.makeAsyncIterator()
      return await iterator.next()
    })
    for (id, channels) in self.strips where feeds[id] == nil {
      addPorts(ofStrip: id, 0..<channels)
    }
    for port in routePorts { server.addOwn(port, .output) }
    for port in sourcePorts { server.addOwn(port, [.output, .terminal]) }
  }

  /// Sends the host a notification.
  func tell(_ notification: ClientNotification) {
    notices += 1
    continuation.yield(notification)
  }

  /// Whether the host has not handled all notifications: it asks for the next one when it has handled one.
  var hasUnreadNotices: Bool { !isClosed && readings.value <= notices }

  /// Renders one cycle, of silence but for ``soundingStrips``, so that gates, ramps and plans reach their ends.
  func cycle() {
    let frames = server.bufferFrames
    _ = engine.renderer.beginCycle(atFrame: cycles &* UInt64(frames))
    let count = 1_024
    let inputs = UnsafeMutablePointer<UnsafePointer<Float>?>.allocate(capacity: count)
    let outputs = UnsafeMutablePointer<UnsafeMutablePointer<Float>?>.allocate(capacity: count)
    defer {
      unsafe inputs.deallocate()
      unsafe outputs.deallocate()
    }
    unsafe inputs.initialize(repeating: nil, count: count)
    unsafe outputs.initialize(repeating: nil, count: count)
    let tone = UnsafeMutablePointer<Float>.allocate(capacity: frames)
    defer { unsafe tone.deallocate() }
    unsafe tone.initialize(repeating: 0.5, count: frames)
    var input = 0
    for strip in engine.spec.strips {
      let first = input
      for _ in 0..<strip.channels {
        if soundingStrips.contains(strip.id) { unsafe inputs[input] = UnsafePointer(tone) }
        input += 1
      }
      unsafe feeds[strip.id]?.cell.play(
        into: inputs,
        first: first,
        engine.renderer,
        frames: frames,
      )
    }
    let output = UnsafeMutablePointer<Float>.allocate(capacity: frames)
    defer { unsafe output.deallocate() }
    unsafe output.initialize(repeating: 0, count: frames)
    unsafe outputs[0] = output
    unsafe engine.renderer.mix(inputs: inputs, outputs: outputs, frames: frames)
    unsafe heard += UnsafeBufferPointer(start: output, count: frames)
    cycles += 1
  }

  // MARK: - Names

  private var routePorts: [String] {
    routes.flatMap { id, channels in
      (0..<channels).map { "\(hostName):\(PortNames.route(id, channel: $0))" }
    }
  }

  private var sourcePorts: [String] {
    guard let sourceClient else { return [] }
    return sources.flatMap { id, channels in
      (0..<channels).map { "\(sourceClient):\(PortNames.source(id, channel: $0))" }
    }
  }

  var clientNames: [String] { [hostName] + [sourceClient].compactMap { $0 } }
  var ownPorts: Set<String> {
    Set(strips.keys.flatMap { stripPorts($0) } + routePorts + sourcePorts)
  }
  var hiddenPorts: Set<String> { [] }

  private func addPorts(ofStrip id: String, _ channels: Range<Int>) {
    for channel in channels {
      server.addOwn("\(hostName):\(PortNames.strip(id, channel: channel))", .input)
    }
  }

  // MARK: - Ports and connections

  func allPorts() throws(JACKError) -> [PortInfo] { server.list() }
  func audioPorts() throws(JACKError) -> [PortInfo] { server.list() }
  func audioOutputs(ofClient client: String) throws(JACKError) -> [PortInfo] {
    server.list(client).filter(\.isOutput)
  }
  func portInfo(_ name: String) -> PortInfo? { server.info(name) }
  func connections(ofPort name: String) throws(JACKError) -> [String] {
    server.askConnections(of: name)
  }

  func connect(
    _ source: String,
    to destination: String,
    awaiting wait: ConnectWait,
  ) throws(JACKError) -> ConnectOutcome {
    try checkOpen()
    return try server.connectForHost(source, destination)
  }

  func disconnect(_ source: String, from destination: String) throws(JACKError) {
    try checkOpen()
    try server.disconnectForHost(source, destination)
  }

  private func checkOpen() throws(JACKError) {
    guard !isClosed, server.isUp else {
      throw JACKError(.serverGone, call: "jack_connect", subject: hostName)
    }
  }

  // MARK: - Hardware, latency and time

  var currentBufferFrames: Int { server.bufferFrames }
  func askForBuffer(frames: Int) throws { try server.askForBuffer(frames) }
  func latencyFrames(ofPort name: String, _ mode: LatencyMode) -> UInt32? {
    latencyQuestions += 1
    return server.latencyFrames[name] ?? 0
  }
  func outputLatencyFrames(ofRoute route: String) -> UInt32? {
    latencyQuestions += 1
    guard let channels = routes.first(where: { $0.id == route })?.channels else { return nil }
    return (0..<channels).flatMap {
      server.connections(of: "\(hostName):\(PortNames.route(route, channel: $0))")
    }.map { server.latencyFrames[$0] ?? 0 }.max() ?? 0
  }
  func stateLatencies(of spec: MixSpec, routeFrames: (_ route: String) -> Int) {
    latencyStatements += 1
  }
  func haveChainLatenciesChanged() -> Bool { false }
  var periodSeconds: Double { Double(server.bufferFrames) / Double(server.rateHz) }
  var frameTime: UInt32? { UInt32(truncatingIfNeeded: cycles &* UInt64(server.bufferFrames)) }
  var pulse: (frame: UInt32, cycles: [UInt64])? { nil }
  var callbacks: (count: UInt64, lastNanoseconds: UInt64) { (cycles, 1_000) }
  var loadPercent: Double { 1 }
  var lostNotifications: UInt64 { 0 }

  // MARK: - Transport

  var transport: TransportReading? {
    TransportReading(
      isRolling: server.isTransportRolling,
      frame: server.transportFrame,
      rateHz: UInt32(server.rateHz),
      beat: server.beat,
    )
  }
  var isTransportRolling: Bool? { server.isTransportRolling }
  func startTransport() throws(JACKError) { server.isTransportRolling = true }
  func stopTransport() throws(JACKError) { server.isTransportRolling = false }
  func locateTransport(toFrame frame: UInt32) throws(JACKError) { server.transportFrame = frame }

  // MARK: - Strips

  func addStrip(
    _ id: String,
    channels: Int,
    feed: StripFeed?,
  ) throws(JACKError) -> (tag: UInt64, released: [ConnectionPair]) {
    strips[id] = channels
    feeds[id] = feed
    if feed == nil { addPorts(ofStrip: id, 0..<channels) }
    return (nextTag(), [])
  }

  func growStrip(_ id: String, channels: Int) throws(JACKError) -> UInt64 {
    if let before = strips[id] {
      addPorts(ofStrip: id, before..<channels)
      strips[id] = channels
    }
    return nextTag()
  }

  func removeStrip(_ id: String) -> UInt64 {
    for port in stripPorts(id) { server.removeOwn(port) }
    strips[id] = nil
    feeds[id] = nil
    return nextTag()
  }

  private func nextTag() -> UInt64 {
    lastTag += 1
    return lastTag
  }

  func describeStrip(_ id: String) { describedStrips.append(id) }
  func isInTheWay(of id: String, channels: Int) -> Bool { false }
  func stripPorts(_ id: String) -> Set<String> {
    let channels = feeds[id] == nil ? strips[id] ?? 0 : 0
    return Set((0..<channels).map { "\(hostName):\(PortNames.strip(id, channel: $0))" })
  }

  func watchInput(ofStrip strip: String, channel: Int, port: String, limit: Int) {
    watchedInputs["\(strip) \(channel)"] = limit
  }

  func releaseInput(ofStrip strip: String, channel: Int) {
    watchedInputs["\(strip) \(channel)"] = nil
  }

  func setTaps(_ taps: [RecordingTap]) -> UInt64 { nextTag() }
  func adopted(tag: UInt64) {
    for entry in leaving where entry.tag <= tag {
      for port in entry.ports { server.removeOwn(port) }
    }
    leaving.removeAll { $0.tag <= tag }
  }

  // MARK: - Versions of the graph

  func prepare(_ layout: PortLayout) throws(JACKError) -> Set<String> {
    preparedPorts.removeAll()
    for group in layout.strips {
      prepare(group.channels, beyond: strips[group.id] ?? 0, .input) { [hostName] in
        "\(hostName):\(PortNames.strip(group.id, channel: $0))"
      }
    }
    for group in layout.routes {
      let present = routes.first { $0.id == group.id }?.channels ?? 0
      prepare(group.channels, beyond: present, .output) { [hostName] in
        "\(hostName):\(PortNames.route(group.id, channel: $0))"
      }
    }
    preparedSources = layout.sources.map { ($0.id, $0.channels) }
    for group in layout.sources {
      let present = sources.first { $0.id == group.id }?.channels ?? 0
      let client = sourceClient ?? ""
      prepare(group.channels, beyond: present, [.output, .terminal]) {
        "\(client):\(PortNames.source(group.id, channel: $0))"
      }
    }
    if let refused = preparedPorts.first(where: { server.refusedPorts.contains($0.name) }) {
      preparedPorts.removeAll()
      preparedSources.removeAll()
      throw JACKError(.refused, call: "jack_port_register", subject: refused.name)
    }
    for port in preparedPorts { server.addOwn(port.name, port.flags) }
    return Set(preparedPorts.map(\.name))
  }

  private func prepare(
    _ channels: Int,
    beyond present: Int,
    _ flags: PortFlags,
    name: (Int) -> String,
  ) {
    guard channels > present else { return }
    preparedPorts += (present..<channels).map { (name($0), flags) }
  }

  func discard() {
    for port in preparedPorts { server.removeOwn(port.name) }
    preparedPorts.removeAll()
    preparedSources.removeAll()
  }

  func rename(_ renames: PortRenames) throws(JACKError) -> [String: String] {
    var names: [String: String] = [:]
    for (id, channels) in strips {
      guard let new = renames.strips[id] else { continue }
      for channel in 0..<channels {
        names["\(hostName):\(PortNames.strip(id, channel: channel))"] =
          "\(hostName):\(PortNames.strip(new, channel: channel))"
      }
    }
    for (id, channels) in routes {
      guard let new = renames.routes[id] else { continue }
      for channel in 0..<channels {
        names["\(hostName):\(PortNames.route(id, channel: channel))"] =
          "\(hostName):\(PortNames.route(new, channel: channel))"
      }
    }
    for (id, channels) in sources {
      guard let new = renames.strips[id], let client = sourceClient else { continue }
      for channel in 0..<channels {
        names["\(client):\(PortNames.source(id, channel: channel))"] =
          "\(client):\(PortNames.source(new, channel: channel))"
      }
    }
    if let refused = names.values.first(where: { server.refusedPorts.contains($0) }) {
      throw JACKError(.refused, call: "jack_port_rename", subject: refused)
    }
    for (old, new) in names.sorted(by: { $0.key < $1.key }) { server.rename(old, to: new) }
    strips = Dictionary(uniqueKeysWithValues: strips.map { (renames.strips[$0] ?? $0, $1) })
    routes = routes.map { (renames.routes[$0.id] ?? $0.id, $0.channels) }
    sources = sources.map { (renames.strips[$0.id] ?? $0.id, $0.channels) }
    return names
  }

  func take(_ layout: PortLayout) -> UInt64 {
    let before = Set(strips.keys.flatMap { stripPorts($0) } + routePorts)
    strips = Dictionary(uniqueKeysWithValues: layout.strips.map { ($0.id, $0.channels) })
    routes = layout.routes.map { ($0.id, $0.channels) }
    let now = Set(strips.keys.flatMap { stripPorts($0) } + routePorts)
    preparedPorts.removeAll()
    let tag = nextTag()
    leaving.append((tag, before.subtracting(now).sorted()))
    return tag
  }

  func play(_ bank: SourceBank) {
    let before = Set(sourcePorts)
    let client = sourceClient
    sources = bank.groups.map { ($0.id, $0.channels) }
    preparedSources.removeAll()
    let now = sources.flatMap { id, channels in
      (0..<channels).map { "\(client ?? ""):\(PortNames.source(id, channel: $0))" }
    }
    for port in before.subtracting(now).sorted() { server.removeOwn(port) }
  }

  var hasAdopted: Bool { leaving.isEmpty }
  func collectRemoved() -> Bool { leaving.isEmpty }
  func describeRoute(_ id: String) { describedRoutes.append(id) }

  // MARK: - Nodes

  var chains: [any ChainPorts] { [] }
  func channels(of place: InsertPlace) -> Int {
    strips[place.name] ?? routes.first { $0.id == place.name }?.channels ?? 0
  }
  func retire(chains: Set<InsertPlace>) -> UInt64? { nil }
  func isLeaving(_ chain: InsertPlace) -> Bool { false }
  func addChain(at place: InsertPlace) throws(JACKError) -> UInt64 { nextTag() }
  func listNodes(_ files: [InstalledNode]) throws(JACKError) -> any NodeListing {
    ScriptedNodes(declarations: files)
  }
  func describe(_ host: HostDescription) throws(JACKError) {}
  func claim(_ node: Node) throws(InterAppAudioError) {}
  func release(_ node: Node) {}
  func setParameter(_ name: String, to value: Double, of node: Node) throws(InterAppAudioError) {}
  func carryOut(
    _ event: AudioUnitRemoteControlEvent,
    _ state: inout HostTransportState,
  ) throws(JACKError) {}

  var controllerLines: ControllerLines? { nil }
  func midiPorts() throws(JACKError) -> [PortInfo] { [] }

  func openGates() throws -> any CaptureGates { ScriptedGates("\(hostName)-gates") }

  func close() {
    isClosed = true
    continuation.finish()
    server.leave(self)
  }
}

/// A count that two threads share.
private final class Counter: Sendable {
  private let count = Atomic(0)

  var value: Int { count.load(ordering: .relaxed) }
  func increment() { count.wrappingAdd(1, ordering: .relaxed) }
}

/// No node runs on a scripted server.
private struct ScriptedNodes: NodeListing {
  var declarations: [InstalledNode]
  let nodes: [String: Node] = [:]

  mutating func take(_ notification: ClientNotification) -> [RegistrationChange] { [] }
}
