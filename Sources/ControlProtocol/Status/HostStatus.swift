// SPDX-License-Identifier: MIT

public import Sessions

/// The state of the whole host, read at one moment: what `status` answers.
///
/// Pure value: [any-thread].
public struct HostStatus: Codable, Sendable, Hashable {
  /// The host process.
  public var host: HostProcessStatus
  /// The JACK server.
  public var server: ServerStatus
  /// The preferred and the actual hardware values.
  public var hardware: HardwareStatus
  /// The routes, in the graph's order.
  public var routes: [RouteStatus]
  /// The strips, in the graph's order.
  public var strips: [StripStatus]
  /// The sends that exist.
  public var sends: [SendStatus]
  /// The chains of effects.
  public var inserts: [InsertStatus]
  /// Whether nodes have been in time, by strip that hears some.
  public var handovers: [HandoverStatus]
  /// The users' patches.
  public var patches: [PatchStatus]
  /// The patch rules, in the graph's order.
  public var patchRules: [PatchRuleStatus]
  /// The crossfader, `null` if the graph has none.
  @OrNull public var crossfader: CrossfaderStatus?
  /// The audio sessions.
  public var sessions: [SessionStatus]
  /// The recorders, those of the graph first.
  public var recorders: [RecorderStatus]
  /// The engine's counts and times.
  public var engine: EngineStatus
  /// The programs that keep connecting themselves to what they may not hear (PRM-4).
  public var alarms: [AlarmStatus]
  /// The control surfaces that the host serves.
  public var surfaces: [SurfaceStatus]

  /// Makes the value from its parts.
  public init(
    host: HostProcessStatus,
    server: ServerStatus,
    hardware: HardwareStatus,
    routes: [RouteStatus],
    strips: [StripStatus],
    sends: [SendStatus],
    inserts: [InsertStatus],
    crossfader: CrossfaderStatus?,
    sessions: [SessionStatus],
    engine: EngineStatus,
    recorders: [RecorderStatus] = [],
    patches: [PatchStatus] = [],
    patchRules: [PatchRuleStatus] = [],
    handovers: [HandoverStatus] = [],
    alarms: [AlarmStatus] = [],
    surfaces: [SurfaceStatus] = [],
  ) {
    self.host = host
    self.server = server
    self.hardware = hardware
    self.routes = routes
    self.strips = strips
    self.sends = sends
    self.inserts = inserts
    self.handovers = handovers
    self.patches = patches
    self.patchRules = patchRules
    self.crossfader = crossfader
    self.sessions = sessions
    self.engine = engine
    self.recorders = recorders
    self.alarms = alarms
    self.surfaces = surfaces
  }
}

/// The host process.
///
/// Pure value: [any-thread].
public struct HostProcessStatus: Codable, Sendable, Hashable {
  /// The host's name, which is also its socket's.
  public var name: String
  /// Its process id.
  public var pid: Int32
  /// The program's version.
  public var version: String
  /// Seconds since it started.
  public var uptimeSeconds: Double
  /// The path of its graph file.
  public var graph: String
  /// The version of the graph in force, `null` of a host that does not tell.
  @OrNull public var graphVersion: GraphVersion?

  /// Makes the value from its parts.
  public init(
    name: String,
    pid: Int32,
    version: String,
    uptimeSeconds: Double,
    graph: String,
    graphVersion: GraphVersion? = nil,
  ) {
    self.name = name
    self.pid = pid
    self.version = version
    self.uptimeSeconds = uptimeSeconds
    self.graph = graph
    self.graphVersion = graphVersion
  }
}

/// The JACK server that the host is, or wants to be, attached to.
///
/// Pure value: [any-thread].
public struct ServerStatus: Codable, Sendable, Hashable {
  /// The server's name.
  public var name: String
  /// Its process id, `null` without a server or if it is unknown.
  @OrNull public var pid: Int32?
  /// Whether the host started it and ends it.
  public var owned: Bool
  /// The driver, `null` if unknown.
  @OrNull public var driver: String?
  /// The number of times that the host attached again after losing a server.
  public var restarts: Int
  /// Whether it runs without the extra period of asynchronous mode, `null` when unknown.
  @OrNull public var synchronous: Bool?
  /// The host's state towards it.
  @NamedIfKnown public var state: ServerState?
  /// Why it gives no sound although it is there, with the remedy; `null` without a fault.
  @OrNull public var fault: String?

  /// Makes the value from its parts.
  public init(
    name: String,
    pid: Int32?,
    owned: Bool,
    driver: String?,
    restarts: Int,
    synchronous: Bool?,
    state: ServerState,
    fault: String? = nil,
  ) {
    self.name = name
    self.pid = pid
    self.owned = owned
    self.driver = driver
    self.restarts = restarts
    self.synchronous = synchronous
    _state = NamedIfKnown(state)
    self.fault = fault
  }
}

/// The host's state towards its JACK server.
public enum ServerState: String, WireNamed, CaseIterable {
  /// The host has not attached yet.
  case starting
  /// Attached, the engine runs.
  case running
  /// Gone; the host waits for it or restarts it.
  case lost
  /// The host is ending.
  case stopped
}
