// SPDX-License-Identifier: MIT

internal import AudioFiles
internal import ControlProtocol
internal import ControlSocket
internal import GraphFiles
internal import InterAppAudio
internal import JACK
public import Logging
internal import Mixing
internal import Sessions

/// A running graph: the one owner of all state of the host.
///
/// JACK's notifications, requests of the control socket and timers reach it as calls of this actor, which
/// runs on a thread of its own. [control-thread]
public actor Host {
  /// What the host is to be.
  public nonisolated let configuration: HostConfiguration
  /// What happens, for one reader: the program that runs the host.
  public nonisolated let outputs: AsyncStream<HostOutput>

  nonisolated let logger: Logger
  nonisolated let thread = ControlThread()
  nonisolated let preference: HardwarePreference
  let continuation: AsyncStream<HostOutput>.Continuation

  /// Where the host stands with its server.
  var phase = ServerState.starting
  var server: ServerKeeper
  var presence: Presence?
  var processWatch = ProcessWatch()
  var bank: SourceBank?
  var mix: MixControl?
  var keeper = ConnectionKeeper()
  var hardware = HardwareFacts()
  var tower: TowerKeeper
  /// What is kept over the host's end.
  var kept = KeptState()
  var store: StateStore?
  /// The mix as the graph has it, before what users have changed.
  var graphMix: MixSpec?
  var lastPositionsNanoseconds: UInt64 = 0
  /// The client with the gates of captures; nil while there is none.
  var gates: GateClient?
  /// The programs behind clients that are there.
  var programs: [String: Program] = [:]
  /// The programs that the user has been asked about.
  var askedPrograms: Set<String> = []
  /// The latency of each route that has been told last, in frames.
  var toldLatencies: [String: UInt32] = [:]
  /// Whether JACK is still to be told that signals take other ways.
  var areLatenciesStale = false
  /// Whether the buffer that sessions wish is still to be set.
  var isBufferStale = false
  /// The strips whose ports have no metadata yet: it must not hold up what is to be heard.
  var undescribedStrips: [String] = []
  /// When JACK was last told what could wait.
  var caughtUpNanoseconds: UInt64 = 0
  /// The players that the host has really paused, by session.
  var pausedPlayers: [SessionID: PausedPlayer] = [:]
  /// The sessions to pause as soon as their audio runs, as they were paused when the last host died.
  var pausesAtStart: Set<SessionID> = []
  var lastPlayerLookNanoseconds: UInt64 = 0
  /// The process that goes on when this one dies; nil while there is none.
  var guardian: GuardLink?
  /// Clients that could not be adopted; not tried again on this server.
  var refusedClients: Set<String> = []
  /// Whether the server ignores what the host connects (jackd -a): then nothing is moved to strips.
  var ignoresOwnConnections = false
  /// What is asked of the hardware now: by the graph, or by all active sessions together (HW-4).
  var wish: HardwarePreference
  /// Whether the host itself is changing the buffer at this moment.
  var isSettingBuffer = false
  var budget = EnforcementBudget()
  /// How often sessions may have the server restarted at another rate.
  var rateBudget = EnforcementBudget(limit: 6)
  /// Rates that the driver does not run at; not tried again on this server.
  var refusedRatesHz: Set<Int> = []
  /// Why the rate that the sessions wish is not the actual one; nil where the server was not asked.
  var rateRefusal: String?
  /// The gains of routes that are silent until the server is back, in dB.
  var silencedRoutes: [(route: String, gainDB: Double)] = []
  /// What is being done about the hardware; one after the other.
  var hardwareWork: Task<Void, Never>?
  var counts = HostCounts()
  /// Whether JACK is about to be told of the ways through the host.
  var isRestatingLatencies = false
  var nodes = NodeKeeper()
  /// What nodes have been told of recording and cycle.
  var nodeTransport = HostTransportState()
  var isWatchingNodes = false
  let times = CallbackTimes()
  var availability: [String: Bool] = [:]
  var recorders: [HostRecorder] = []
  /// How routes are aligned that were set otherwise than the graph says.
  var alignments: [String: GraphFile.Route.Alignment] = [:]
  /// How late each output route was when it was there last, in frames.
  var routeLatencies: [String: Int] = [:]
  /// What became of each output route whose latency is known.
  var outcomes: [String: RouteAlignment.Outcome] = [:]
  /// The helper programs, by route.
  var helpers: [String: RouteHelper] = [:]
  /// The routes whose device is away though their ports are there.
  var heldRoutes: Set<String> = []
  /// The routes that are unplugged by hand (SYS-4).
  var unpluggedRoutes: Set<String> = []
  var deviceWatch = DeviceWatch()
  var control: ControlServer?
  var metersWantedNanoseconds: UInt64?
  var lastMetersNanoseconds: UInt64 = 0
  var tasks: [Task<Void, Never>] = []
  var attachment: Task<Void, Never>?
  let startNanoseconds = HostClock.nowNanoseconds()

  /// The actor's thread.
  public nonisolated var unownedExecutor: UnownedSerialExecutor {
    unsafe thread.asUnownedSerialExecutor()
  }

  /// Makes a host; ``start()`` brings it to life.
  public init(configuration: HostConfiguration, logger: Logger) {
    self.configuration = configuration
    self.logger = logger
    preference = configuration.preference
    wish = configuration.preference
    tower = TowerKeeper(configuration: configuration.graph.towerConfiguration)
    (outputs, continuation) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(4096))
    server = ServerKeeper(graph: configuration.graph.server, logger: logger)
  }

  /// Attaches to the server, plays, and serves the control socket.
  ///
  /// Returns when everything plays.
  ///
  /// - Throws: ``HostError``; nothing is left behind then.
  public func start() async throws(HostError) {
    do throws(HostError) {
      try await openSocket()
      restoreState()
      try openEventLog()
      try await attach()
    } catch {
      await tearDown()
      throw error
    }
    metersWantedNanoseconds = configuration.metersIntervalNanoseconds
    tasks.append(Task { await self.runTimer() })
  }

  /// Fades out, leaves the server, and ends; a server that the host started ends too.
  ///
  /// - Parameter fadeSeconds: The length of the fade; nil for 50 ms, which is heard as an end and not as a
  ///   click.
  public func stop(fadeSeconds: Double? = nil) async {
    guard phase != .stopped else { return }
    let wasRunning = phase == .running
    phase = .stopped
    closeState()
    publish(.stopping, "the host stops")
    if wasRunning { moveAllToHardware() }
    await releasePlayers()
    guardian?.end()
    guardian = nil
    if wasRunning { await fadeOut(seconds: fadeSeconds ?? 0.05) }
    await tearDown()
    continuation.yield(.stopped)
    continuation.finish()
  }

  /// Lets all routes fall silent.
  func fadeOut(seconds: Double) async {
    guard let mix, seconds > 0 else { return }
    for route in mix.engine.spec.routes {
      // A route that is gone needs no fade.
      try? mix.engine.setRouteGain(
        route: route.id,
        decibels: -.infinity,
        fade: .seconds(seconds),
      )
    }
    // Two periods more: one until the command is taken, one until it is heard.
    let periods = 2 * Double(hardware.bufferFrames) / Double(max(1, hardware.sampleRateHz))
    try? await Task.sleep(for: .seconds(seconds + periods))
  }

  private func tearDown() async {
    for task in tasks { task.cancel() }
    tasks.removeAll()
    attachment?.cancel()
    attachment = nil
    await hardwareWork?.value
    hardwareWork = nil
    endCaptures()
    endNodes()
    presence?.close()
    presence = nil
    await endHelpers()
    await endRecordings()
    await server.stop()
    await control?.close()
    control = nil
  }
}
