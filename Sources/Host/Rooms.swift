// SPDX-License-Identifier: MIT

internal import ControlProtocol
internal import Glibc
internal import GraphFiles
internal import Logging
internal import Mixing
internal import ServerControl
internal import Sessions

/// The rooms of a host, each with the links to other rooms that it needs.
///
/// Stores only rooms. Belongs to the control thread.
final class Rooms {
  /// The services that all rooms share; its events go to the socket and to the program that runs the host.
  let control: Control
  /// The version of the graph that is in force.
  let inForce: GraphRoom
  /// The versions of the graph, one after the other.
  let applying: ApplyRoom
  let output: OutputRoom
  let pace: PaceRoom
  let levels: LevelRoom
  let sources: SourceRoom
  let recording: RecordingRoom
  let hardware: HardwareRoom
  let server: ServerRoom
  let guarding: GuardRoom
  let surfaces = SurfaceRoom()

  private(set) lazy var keeping = KeepingRoom(
    place: configuration.statePlace,
    graph: inForce,
    control: control,
    report: output.unsavedReport,
  ) {
    [unowned self] in keepingSnapshot()
  }
  private(set) lazy var mix = MixRoom(
    control: control,
    graph: inForce,
    stateChanged: { [unowned keeping] in keeping.changed() },
    rerouted: { [unowned self] in capture.enforceOutputs() },
  )
  private(set) lazy var routes = RouteRoom(
    graph: inForce,
    connectsPorts: configuration.connectsPorts,
    control: control,
    start: { [control] program, route, server, report throws(HelperFailure) in
      try program.start(for: route, server: server, logger: control.logger, report: report)
    },
    availabilityChanged: { [unowned self] in tellAvailability() },
    rerouted: { [unowned self] in capture.enforceOutputs() },
  )
  private(set) lazy var sessions = SessionRoom(
    control: control,
    graph: inForce,
    connectsPorts: configuration.connectsPorts,
    hardware: hardware,
    sources: sources,
    links: sessionLinks(),
  )
  private(set) lazy var adoption = AdoptionRoom(
    control: control,
    graph: inForce,
    connectsPorts: configuration.connectsPorts,
    sessions: sessions,
    links: adoptionLinks(),
  )
  private(set) lazy var programs: ProgramDirectory = ProgramDirectory(control: control) {
    [unowned self] in
    // Rules and permissions may apply to the client now.
    capture.settle()
    capture.enforceAll()
    adoption.review()
  }
  private(set) lazy var roles = RoleRoom(
    graph: inForce,
    links: roleLinks(),
  )
  private(set) lazy var capture = CaptureRoom(
    control: control,
    graph: inForce,
    connectsPorts: configuration.connectsPorts,
    programs: programs,
    server: { [control] in control.attachment?.captures },
    links: captureLinks(),
  )
  private(set) lazy var patches = PatchRoom(
    control: control,
    graph: graph,
    connectsPorts: configuration.connectsPorts,
    links: PatchRoom.Links(permits: { [unowned self] pair in capture.permits(pair) }),
  )
  private(set) lazy var nodes = NodeRoom(
    control: control,
    graph: inForce,
    machine: .real(configuration.nodeFolders),
    server: { [control] in control.attachment?.nodes },
    outside: nodesOutside(),
  )

  private(set) lazy var controllers = ControllerRoom(
    control: control,
    devices: controllerDevices(of: graph),
    crossfaderMoved: { [unowned self] in collectMix() },
  )
  private(set) lazy var learning = LearningRoom(
    file: configuration.keptFile(named: "controllers"),
    control: control,
  )
  private(set) lazy var scenes = SceneRoom(
    file: configuration.keptFile(named: "scenes"),
    control: control,
    links: sceneLinks(),
  )
  private(set) lazy var revision = RevisionRoom(graph: inForce)
  private(set) lazy var parameters = ParameterRoom(control: control, links: parameterLinks())
  private(set) lazy var webTokens = WebTokenRoom(
    directory: configuration.stateDirectoryPath,
    control: control,
  )

  private let configuration: HostConfiguration
  /// Whether the host connects its ports as the graph asks.
  var connectsPorts: Bool { configuration.connectsPorts }
  /// The graph in force.
  var graph: GraphFile { inForce.file }
  /// Whether the host would start a server on a sound card with these settings, or has done so: its captures are bridged from
  /// the host's start on (PRM-4).
  func opensCard(with settings: GraphFile.Server) -> Bool {
    guard configuration.connectsPorts else { return false }
    return configuration.bridgedDevice != nil || ServerKeeper.device(of: settings) != nil
  }

  /// The MIDI controllers that the host looks for with a graph.
  func controllerDevices(of graph: GraphFile) -> [ControllerDevice] {
    (configuration.controllers ?? graph.controllers.map(ControllerDevice.init))
      + graph.mackieDevices + (graph.hearsControllers ? ControllerDevice.guests : [])
  }

  /// Makes the rooms of a host that is not attached yet.
  ///
  /// - Parameters:
  ///   - configuration: The graph and the settings of the command line.
  ///   - output: The room of the control socket and of the stream of outputs.
  ///   - thread: The control thread.
  ///   - server: The JACK server.
  ///   - clock: The time.
  ///   - logger: The log of the program that runs the host.
  ///   - relieveGuard: Ends the guard of an earlier host of this name.
  ///   - startGuard: Starts a guard; nil where it cannot be started.
  init(
    configuration: HostConfiguration,
    output: OutputRoom,
    thread: ControlThread,
    server: any HostServer,
    clock: any ControlClock,
    logger: Logger,
    relieveGuard: @escaping () -> Void,
    startGuard: @escaping () -> (any GuardConnection)?,
  ) {
    self.configuration = configuration
    self.output = output
    inForce = GraphRoom(configuration.graph)
    applying = ApplyRoom(graph: inForce, text: configuration.graphText)
    control = Control(thread: thread, clock: clock, logger: logger) { [surfaces] in
      output.present($0)
      surfaces.present($0)
    }
    pace = PaceRoom(control: control)
    levels = LevelRoom(
      configuredIntervalNanoseconds: configuration.metersIntervalNanoseconds,
      control: control,
    )
    sources = SourceRoom(control: control, graph: inForce)
    recording = RecordingRoom(plans: configuration.graph.recorders, control: control)
    hardware = HardwareRoom(
      control: control,
      graph: inForce,
      server: server,
    )
    self.server = ServerRoom(control: control, hardware: hardware, server: server)
    guarding = GuardRoom(
      configuration: configuration,
      graph: inForce,
      control: control,
      relieve: relieveGuard,
      start: startGuard,
    )
    hardware.join(hardwareLinks())
  }

  /// The state of the whole host at this moment.
  func status() -> HostStatus {
    HostStatus(
      host: HostProcessStatus(
        name: control.attachment?.hostName ?? graph.name,
        pid: getpid(),
        version: HostVersion.current,
        uptimeSeconds: levels.uptimeSeconds,
        graph: graph.path,
        graphVersion: applying.version,
      ),
      server: server.status,
      hardware: hardware.status,
      routes: routes.statuses(in: control.mixEngine?.spec),
      strips: mix.stripStatuses { levels.faults(ofStrip: $0) },
      sends: mix.sendStatuses,
      inserts: nodes.insertStatuses,
      crossfader: mix.crossfaderStatus,
      sessions: sessions.statuses(),
      engine: levels.engineStatus,
      recorders: recording.statuses,
      patches: keeping.statuses(of: control.patches),
      patchRules: patches.statuses,
      handovers: nodes.handoverStatuses,
      alarms: capture.alarmStatuses,
      surfaces: surfaces.statuses,
    )
  }

  /// Has routes that are away heard on their fallbacks, publishes which routes and sources have found or lost their ports, and
  /// reports it to the sessions.
  func tellAvailability() {
    guard let attachment = control.attachment else { return }
    routes.settleFallbacks()
    attachment.publishAvailability { [routes] in routes.isAvailable($0) }
    sessions.tellRoutes()
    sessions.tellConnected()
  }

  /// Takes the engine's events.
  func collectMix() {
    for case .gateClosed(let strip, let frame) in mix.collect() {
      sessions.gateClosed(strip: strip, firstSilentFrame: frame)
    }
  }

  /// Makes an attachment with an open client.
  func attachment(with opened: any OpenedPresence) throws -> Attachment {
    let maker = AttachmentMaker(
      control: control,
      graph: graph,
      controllers: controllerDevices(of: graph),
      connectsPorts: configuration.connectsPorts,
      keeping: keeping,
      sources: sources,
      recording: recording,
      levels: levels,
      routes: routes,
      sessions: sessions,
      adoption: adoption,
      patches: patches,
    )
    let attachment = try maker.attachment(
      with: opened,
      sampleRateHz: Double(hardware.sampleRateHz)
    )
    // The guard knows of a lower gain before whoever asked for it has the answer.
    let rooms = control.handle(to: self)
    attachment.engine.whenChanged { rooms { $0.tellGuardOfMix() } }
    return attachment
  }

  private func hardwareLinks() -> HardwareRoom.Links {
    HardwareRoom.Links(
      demand: { [unowned self] in sessions.hardwareDemand },
      changed: { [unowned self] values, byOthers in
        sessions.tell(.hardwareChanged(values: values, byOthers: byOthers))
      },
      attachAnew: { [unowned self] gains in await server.attachAnew(gains) },
    )
  }

  private func adoptionLinks() -> AdoptionRoom.Links {
    AdoptionRoom.Links(
      program: { [programs] client in programs.program(of: client) },
      permission: { [unowned self] client in capture.permission(ofClient: client) },
      claim: { [keeping] claim in keeping.name(claim) },
      keptApp: { [keeping] name in keeping.app(name) },
      isOwnClient: { [unowned self] client in
        capture.isOwnClient(client) || nodes.isInUse(client: client)
      },
      isAltered: { [unowned self] place in nodes.isAltering(place) },
      stateChanged: { [keeping] in keeping.changed() },
    )
  }
}
