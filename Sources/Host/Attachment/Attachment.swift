// SPDX-License-Identifier: MIT

internal import ControlProtocol
internal import GraphFiles
internal import JACK
internal import Mixing
internal import Patchbay

/// The host on one JACK server, from attaching to losing it: the clients and their ports, the mix, the
/// connections, and the state of the routes.
///
/// Rooms reach it through ``Control/attachment``, and never keep it. Belongs to the control thread.
final class Attachment: BufferSizing, CycleSource {
  /// The connections that exist, and those that are asked for.
  let connections: HostConnections
  /// The latencies of the signal paths.
  let latencies: HostLatencies
  /// The strips that come and go with sessions.
  let strips: HostStrips
  /// The clients as nodes need them.
  let nodes: any NodeServer
  /// The clients as captures need them.
  let captures: any CaptureServer
  /// The change to another version of the graph.
  let versions: AttachedVersions
  /// The clients as controllers need them.
  let controllers: AttachedControllers

  private let presence: any HostPresence
  private let control: Control
  private var mix: MixControl
  private var watch = ProcessWatch()
  private var availability: AvailabilityReport
  private var routeNames: [String]
  private var closingFade = ClosingFade()
  private var lostNotifications: UInt64 = 0
  /// The engine's events that nobody has asked for yet.
  private var events: [MixEvent] = []

  /// Takes over clients that are open, and reads their ports.
  ///
  /// - Parameters:
  ///   - presence: The clients.
  ///   - mix: The mix that the clients compute.
  ///   - keeper: The connections to make; knows the patches of users.
  ///   - losses: The ports that this server has lost.
  ///   - graph: The graph.
  ///   - leavesOut: Whether a patch rule has the host leave a connection out.
  ///   - control: The services that all rooms share.
  /// - Throws: Why the ports cannot be read; the clients are closed then.
  init(
    presence: any HostPresence,
    mix: MixControl,
    keeper: ConnectionKeeper,
    losses: FreewheelLosses,
    graph: GraphFile,
    leavesOut: @escaping (ConnectionPair) -> Bool,
    control: Control,
  ) throws(JACKError) {
    self.presence = presence
    self.mix = mix
    self.control = control
    routeNames = graph.outputRoutes.map(\.name)
    connections = HostConnections(
      keeper,
      losses: losses,
      presence: presence,
      leavesOut: leavesOut,
      control: control,
    )
    latencies = HostLatencies(
      presence: presence,
      engine: mix.engine,
      connections: connections,
      control: control,
    )
    strips = HostStrips(
      presence: presence,
      engine: mix.engine,
      connections: connections,
      latencies: latencies,
      control: control,
    )
    nodes = AttachedNodes(
      presence: presence,
      engine: mix.engine,
      connections: connections,
      latencies: latencies,
    )
    versions = AttachedVersions(
      presence: presence,
      engine: mix.engine,
      connections: connections,
      strips: strips,
    )
    captures = AttachedCaptures(presence: presence, connections: connections)
    controllers = AttachedControllers(presence: presence)
    availability = AvailabilityReport(graph: graph)
    do throws(JACKError) {
      try connections.read()
    } catch {
      presence.close()
      throw error
    }
  }

  /// The remains for the next attachment.
  func remains() -> Remains {
    Remains(
      mix: mix,
      connections: connections.remains(),
      losses: connections.lostPorts,
      cycles: presence.callbacks.count,
    )
  }

  /// Closes the clients; takes seconds where the server is dead and libjack waits for it.
  func close() { presence.close() }

  // MARK: - Names, time and notifications

  /// The name of the main client as JACK gave it.
  var hostName: String { presence.hostName }
  /// The names of all clients by their purpose.
  var clients: ClientNames { presence.clients }
  /// The name that was asked for.
  var requestedName: String { presence.requestedName }
  /// The name of the server.
  var serverName: String { presence.serverName }
  /// The JACK frame now; nil where the server has just gone.
  var frame: UInt64? { presence.frameTime.map(UInt64.init) }
  /// The server's notifications, for one reader.
  var notifications: AsyncStream<ClientNotification> { presence.notifications }
  /// Callbacks of the main client, and the length of the last one in nanoseconds.
  var callbacks: (count: UInt64, lastNanoseconds: UInt64) { presence.callbacks }
  /// Callbacks of the main client.
  var cycleCount: UInt64 { presence.callbacks.count }
  /// The length of a cycle in seconds; 0 where the server has just gone.
  var periodSeconds: Double { presence.periodSeconds }
  /// JACK's load in percent.
  var loadPercent: Double { presence.loadPercent }

  /// Whether notifications were dropped since this was asked last.
  func takeLostNotifications() -> Bool {
    let count = presence.lostNotifications
    defer { lostNotifications = count }
    return count != lostNotifications
  }

  // MARK: - The buffer

  /// The buffer size in frames.
  var currentBufferFrames: Int { get throws { try presence.currentBufferFrames } }
  /// Asks for another buffer size.
  func askForBuffer(frames: Int) throws { try presence.askForBuffer(frames: frames) }

  // MARK: - Transport

  /// JACK's transport now; nil where the server has just gone.
  var transport: TransportReading? { presence.transport }
  /// Whether JACK's transport rolls; nil where the server has just gone.
  var isTransportRolling: Bool? { presence.isTransportRolling }
  /// Starts JACK's transport.
  func startTransport() throws(JACKError) { try presence.startTransport() }
  /// Stops JACK's transport.
  func stopTransport() throws(JACKError) { try presence.stopTransport() }
  /// Moves JACK's transport to a frame.
  func locateTransport(toFrame frame: UInt32) throws(JACKError) {
    try presence.locateTransport(toFrame: frame)
  }

  // MARK: - The mix

  /// The mix as it is asked for now.
  var spec: MixSpec { mix.engine.spec }

  /// The engine, for single gates, ducks and routes.
  var engine: MixEngine { mix.engine }

  /// Reads or changes the mix as the control socket asks.
  func changeMix<Result, Failure: Error>(
    _ body: (inout MixControl) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try body(&mix)
  }

  /// Takes the engine's events, and frees memory that the audio thread no longer uses.
  func collect() -> [MixEvent] {
    takeEvents()
    defer { events.removeAll() }
    return events
  }

  private func takeEvents() {
    let new = engine.collect()
    for event in new {
      switch event {
      case .planAdopted(let tag, _): presence.adopted(tag: tag)
      case .rampFinished(let number, _): closingFade.landed(number)
      case .gateClosed, .gateOpened, .crossfaderMoved: break
      }
    }
    events += new
  }

  /// The strips, and the routes with effects, with samples that were no sound, since each was made.
  func inputFaults() -> [FaultPlace: InputFaults] {
    var faults: [FaultPlace: InputFaults] = [:]
    for (strip, counts) in engine.inputFaults() { faults[.strip(strip)] = counts }
    for chain in presence.chains where chain.returnFaults != InputFaults() {
      faults[FaultPlace(chain.place)] = chain.returnFaults
    }
    return faults
  }

  /// Records to these from now on.
  ///
  /// - Throws: The engine's error.
  func record(_ taps: [RecordingTap]) throws(MixError) {
    try engine.apply(spec, tag: presence.setTaps(taps))
  }

  /// Fades all routes out, and returns when they are silent; at once where the server has gone.
  ///
  /// - Parameter seconds: The length of the fade, in sound: a busy machine takes longer for it.
  func fadeOut(seconds: Double) async {
    guard seconds > 0 else { return }
    closingFade.begin(&mix, seconds: seconds)
    let hasLanded = await control.wait(
      on: self,
      atMost: .seconds(seconds + ClosingFade.reserveSeconds),
    ) {
      takeEvents()
      return closingFade.isOver(in: spec)
    }
    guard hasLanded, let frames = try? currentBufferFrames else { return }
    await control.passCycles(
      ClosingFade.remainingCycles(of: engine, periodFrames: frames),
      on: self,
    )
  }

  /// Restores the gains of routes that were faded out, except gains that were set in the meantime.
  func setRouteGains(_ gains: [String: Double]) {
    for (route, gainDB) in gains {
      guard let now = spec.routes.first(where: { $0.id == route }), now.gainDB == -.infinity else {
        continue
      }
      try? engine.setRouteGain(route: route, decibels: gainDB, fade: .seconds(0))
    }
  }

  // MARK: - What has changed

  /// Whether JACK has stopped calling one of the host's clients while the server runs on.
  ///
  /// - Parameter periodFrames: The server's period.
  /// - Returns: Whether the clients have to be opened anew.
  func isStalled(periodFrames: Int) -> Bool {
    guard let pulse = presence.pulse else { return false }
    return watch.isStalled(
      cycles: pulse.cycles,
      frame: pulse.frame,
      periodFrames: periodFrames,
      nowNanoseconds: control.nowNanoseconds,
    )
  }

  /// Reports on the routes and sources of another version of the graph from now on.
  func takeAvailability(of graph: GraphFile) {
    routeNames = graph.outputRoutes.map(\.name)
    availability.take(graph)
  }

  /// Publishes which routes and sources have come or gone.
  func publishAvailability(_ isAvailable: (_ owner: String) -> Bool) {
    let changes = availability.changes(
      isSatisfied: isAvailable,
      freePorts: { [connections, routeNames] in
        let used = Set(routeNames.flatMap { connections.foundPorts(of: $0) })
        return connections.ports.physical(facing: .outOfHost).filter { !used.contains($0) }
      },
    )
    for change in changes {
      control.publish(change.payload, change.message)
    }
  }

  /// Does work that can wait until new strips are heard: their metadata, one at a time, and latencies.
  ///
  /// - Parameter isBusy: Whether clients are just connecting: each of these costs the server a round through all
  ///   clients, so it is put off for up to a second.
  func catchUp(isBusy: Bool) {
    if latencies.catchUp(isBusy: isBusy) { strips.describeNext() }
  }
}

/// The remains of an attachment for the next one: the mix, and the patches of users.
struct Remains {
  /// The mix as it was; takes changes also without a server.
  var mix: MixControl
  /// Without ports and connections.
  var connections: ConnectionKeeper
  /// The ports that the server has lost.
  var losses: FreewheelLosses
  /// Callbacks of the main client.
  let cycles: UInt64
}
