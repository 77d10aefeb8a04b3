// SPDX-License-Identifier: MIT

import AudioFiles
import GraphFiles
import InterAppAudio
import JACK
import Mixing
import Patchbay
import ServerControl

@testable import Host

/// A JACK server that tests play by hand: clients, ports, connections, buffer and rate are values, and each
/// change is reported to the host as JACK would.
///
/// Used on the host's control thread only.
final class ScriptedServer: HostServer, @unchecked Sendable {
  /// Why the server does not answer.
  struct Gone: Error, CustomStringConvertible {
    let description = "no server"
  }

  var name: String { settings?.name ?? "scripted" }
  /// The settings that a version of the graph has asked for; nil before that.
  private(set) var settings: GraphFile.Server?
  /// The names of servers that are not there.
  var absentServers: Set<String> = []
  var isOwned = true
  var canSetSampleRate = true
  var sampleRateReason: String?
  var foreignReason: String?
  var answeredNanoseconds: UInt64 = 0
  let driverName: String? = "dummy"
  let isSynchronous: Bool? = true
  var pid: Int32? { isUp ? 4711 : nil }

  /// Whether it answers.
  private(set) var isUp = true
  /// The full names of ports that the host cannot register, and to which it cannot rename one.
  var refusedPorts: Set<String> = []
  /// Whether it ignores the connections that the host makes (jackd -a).
  var ignoresConnections = false
  /// Sizes that the driver refuses, in frames.
  var refusedFrames: Set<Int> = []
  /// Sizes that the server agrees to, and does not set.
  var idleFrames: Set<Int> = []
  /// Rates that the driver runs at, in hertz; nil for any.
  var ratesHz: Set<Int>?
  private(set) var bufferFrames = 256
  private(set) var rateHz = 48_000
  /// The end of this stream lets the server answer the host that opens a client; it has ended where no test holds it.
  var untilAnswered = AsyncStream<Never> { $0.finish() }
  /// How often a client was opened.
  private(set) var openings = 0
  /// Every connect and disconnect of the host, in order: `connect a b`, `disconnect a b`.
  private(set) var calls: [String] = []
  /// The latency of each port in frames.
  var latencyFrames: [String: UInt32] = [:]
  /// Whether the transport rolls.
  var isTransportRolling = false
  /// The frame of the transport, which the test moves.
  var transportFrame: UInt32 = 0
  /// The bar, beat and tick of a timebase master; nil without one.
  var beat: String?
  /// The host's clients; nil while it is away.
  private(set) var presence: ScriptedPresence?
  /// The samples of the host's first output until it closed its clients the last time.
  private(set) var lastHeard: [Float] = []

  /// How many notifications there were so far.
  private(set) var notices = 0
  /// Whether the host has not handled all of them, the end of a server that has died included.
  var hasUnreadNotices: Bool {
    [presence, lastDead].contains { $0?.hasUnreadNotices == true }
  }
  /// The host's presence on the server that died last.
  private var lastDead: ScriptedPresence?

  private var ports: [String: PortInfo] = [:]
  private var portsByClient: [String: Set<String>] = [:]
  /// The ports that each port is connected to.
  private var partners: [String: Set<String>] = [:]
  /// The connections before freewheeling.
  private var saved: [String: Set<String>] = [:]
  private var isFreewheeling = false
  private var bornMeanwhile: Set<String> = []
  /// The ports that jackd ends with when they are connected.
  private var lost: Set<String> = []
  /// Whether the host has connected such a port.
  private(set) var hasCrashed = false
  /// The reports that are held back; nil where none are.
  private var held: [ClientNotification]?
  /// How many ports and connections the host has asked for.
  private(set) var questions = 0
  /// How often it has asked for connections before its first call since ``clearCalls()``.
  private(set) var questionsBeforeCalls = 0

  /// Makes a server with a card of four outputs and two inputs.
  init() {
    for number in 1...4 { add("system:playback_\(number)", [.input, .physical, .terminal]) }
    for number in 1...2 { add("system:capture_\(number)", [.output, .physical, .terminal]) }
  }

  // MARK: - What the test does

  /// A client comes with these outputs and inputs.
  func appear(_ client: String, outputs: [String] = [], inputs: [String] = []) {
    for port in outputs { register("\(client):\(port)", .output) }
    for port in inputs { register("\(client):\(port)", .input) }
  }

  /// A port comes.
  func register(_ port: String, _ flags: PortFlags) {
    add(port, flags)
    if let info = ports[port] { tell(.portRegistered(info)) }
  }

  /// A client goes, and its connections with it.
  func vanish(_ client: String) {
    for port in (portsByClient[client] ?? []).sorted() { unregister(port) }
  }

  /// A port goes, and its connections with it.
  func unregister(_ port: String) {
    for other in connections(of: port) {
      if ports[port]?.isOutput == true { disconnect(port, other) } else { disconnect(other, port) }
    }
    forget(port)
    tell(.portUnregistered(name: port))
  }

  /// A client or a user connects two ports.
  func connect(_ source: String, _ destination: String) {
    guard partners[source, default: []].insert(destination).inserted else { return }
    partners[destination, default: []].insert(source)
    tell(.portsConnected(source: source, destination: destination))
  }

  /// A client or a user disconnects two ports.
  func disconnect(_ source: String, _ destination: String) {
    guard partners[source]?.remove(destination) != nil else { return }
    partners[destination]?.remove(source)
    tell(.portsDisconnected(source: source, destination: destination))
  }

  /// Another program sets the buffer.
  func setBuffer(frames: Int) {
    bufferFrames = frames
    tell(.bufferSizeChanged(frames: UInt32(frames)))
  }

  /// The server runs at another rate.
  func setRate(hz: Int) {
    rateHz = hz
    tell(.sampleRateChanged(hz: UInt32(hz)))
  }

  /// The server dies: all clients are gone, the card comes back with it.
  func die() {
    isUp = false
    let last = presence
    presence = nil
    partners.removeAll()
    lastDead = last
    for port in ports.keys where !port.hasPrefix("system:") { forget(port) }
    notices += 1
    last?.tell(.shutdown(status: [], reason: "killed"))
  }

  /// The server is back.
  func comeBack() { isUp = true }

  /// Whether two ports are connected.
  func isConnected(_ source: String, _ destination: String) -> Bool {
    partners[source]?.contains(destination) == true
  }

  /// The ports that a port is connected to.
  func connections(of port: String) -> [String] {
    (partners[port] ?? []).sorted()
  }

  /// Clears the record of the host's calls.
  func clearCalls() {
    calls.removeAll()
    questionsBeforeCalls = 0
  }

  private func tell(_ notification: ClientNotification) {
    if held != nil {
      held?.append(notification)
    } else {
      notices += 1
      presence?.tell(notification)
    }
  }

  /// Holds the reports back.
  func hold() { held = [] }

  /// Sends the reports that were held back.
  func release() {
    let late = held ?? []
    held = nil
    for notification in late { tell(notification) }
  }

  /// JACK freewheels, or runs in real time again: as jackd2 it then goes back to the connections of before, and tells nobody.
  func freewheel(_ isOn: Bool) {
    isFreewheeling = isOn
    if isOn {
      saved = partners
      for port in ports.keys where port.hasPrefix("system:") {
        for other in partners.removeValue(forKey: port) ?? [] { partners[other]?.remove(port) }
      }
    } else {
      partners = saved
      lost.formUnion(bornMeanwhile)
      bornMeanwhile = []
    }
    tell(.freewheel(isOn: isOn))
  }

  private func add(_ port: String, _ flags: PortFlags) {
    lost.remove(port)
    if isFreewheeling { bornMeanwhile.insert(port) }
    let parts = port.split(separator: ":", maxSplits: 1).map(String.init)
    portsByClient[parts[0], default: []].insert(port)
    ports[port] = PortInfo(
      name: port,
      client: parts[0],
      shortName: parts.last ?? "",
      type: AudioKind.typeName,
      flags: flags,
      isMine: false,
      uuid: 0,
      aliases: [],
    )
  }

  /// A port is gone with its connections, and the host is not told.
  private func forget(_ port: String) {
    for other in partners.removeValue(forKey: port) ?? [] { partners[other]?.remove(port) }
    if let client = ports.removeValue(forKey: port)?.client { portsByClient[client]?.remove(port) }
  }

  // MARK: - What the host asks

  func identity() -> ServerIdentity { ServerIdentity.find(name: "no-such-\(name)") }

  func open(name: String, preference: ServerPreference) async throws -> any OpenedPresence {
    guard isUp, !absentServers.contains(self.name) else { throw Gone() }
    openings += 1
    for await _ in untilAnswered {}
    if let rate = preference.sampleRateHz, isOwned, ratesHz?.contains(rate) ?? true {
      rateHz = rate
    }
    return ScriptedOpening(name: name, server: self)
  }

  func setBuffer(frames: Int?) async -> Bool { false }

  var loan: ServerLoan? { nil }

  func stop() async { isUp = false }
  func change(to settings: GraphFile.Server) async { self.settings = settings }

  func enter(_ presence: ScriptedPresence) { self.presence = presence }

  func leave(_ presence: ScriptedPresence) {
    guard self.presence === presence else { return }
    self.presence = nil
    lastHeard = presence.heard
    for port in presence.ownPorts { forget(port) }
  }

  /// Adds a port of the host; JACK reports it like any other.
  func addOwn(_ port: String, _ flags: PortFlags) { register(port, flags) }
  func removeOwn(_ port: String) {
    for other in connections(of: port) {
      if ports[port]?.isOutput == true { disconnect(port, other) } else { disconnect(other, port) }
    }
    forget(port)
    tell(.portUnregistered(name: port))
  }

  /// Gives a port another name; its connections stay, as JACK keeps them.
  func rename(_ port: String, to name: String) {
    guard let info = ports[port] else { return }
    let others = partners.removeValue(forKey: port) ?? []
    forget(port)
    add(name, info.flags)
    partners[name] = others
    for other in others {
      partners[other]?.remove(port)
      partners[other]?.insert(name)
    }
    tell(.portRenamed(from: port, to: name))
  }

  /// The ports of a client, or of all.
  func list(_ client: String? = nil) -> [PortInfo] {
    let names = client.map { Array(portsByClient[$0] ?? []) } ?? Array(ports.keys)
    questions += names.count
    return names.sorted().compactMap { ports[$0] }
  }

  func info(_ name: String) -> PortInfo? {
    questions += 1
    return ports[name]
  }

  func askConnections(of port: String) -> [String] {
    questions += 1
    if calls.isEmpty { questionsBeforeCalls += 1 }
    return connections(of: port)
  }

  func connectForHost(
    _ source: String,
    _ destination: String,
  ) throws(JACKError) -> ConnectOutcome {
    calls.append("connect \(source) \(destination)")
    guard ports[source] != nil, ports[destination] != nil else {
      throw JACKError(.noSuchPort, call: "jack_connect", subject: source)
    }
    if lost.contains(source) || lost.contains(destination) { hasCrashed = true }
    guard !ignoresConnections else { return .ignored }
    guard !isConnected(source, destination) else { return .alreadyConnected }
    connect(source, destination)
    return .connected
  }

  func disconnectForHost(_ source: String, _ destination: String) throws(JACKError) {
    calls.append("disconnect \(source) \(destination)")
    guard isConnected(source, destination) else {
      throw JACKError(.notConnected, call: "jack_disconnect", subject: source)
    }
    disconnect(source, destination)
  }

  func askForBuffer(_ frames: Int) throws {
    guard !refusedFrames.contains(frames) else {
      throw JACKError(.closed, call: "jack_set_buffer_size", subject: "\(frames)")
    }
    guard !idleFrames.contains(frames) else { return }
    setBuffer(frames: frames)
  }
}

/// The host's client, open on a scripted server.
private final class ScriptedOpening: OpenedPresence {
  private let name: String
  private let server: ScriptedServer

  init(name: String, server: ScriptedServer) {
    self.name = name
    self.server = server
  }

  var rateHz: Int { server.rateHz }
  var currentBufferFrames: Int { server.bufferFrames }
  func askForBuffer(frames: Int) throws { try server.askForBuffer(frames) }

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
    let presence = ScriptedPresence(
      name: name,
      server: server,
      engine: try makeEngine(1),
      strips: spec.strips.map { ($0.id, $0.channels) },
      routes: spec.routes.map { ($0.id, $0.channels) },
      sources: bank.generated.map { ($0.name, bank.channels[$0.name] ?? 1) },
      feeds: feeds,
    )
    server.enter(presence)
    return presence
  }
}
