// SPDX-License-Identifier: MIT

/// The state of the whole host, read at one moment: what `status` answers.
public struct HostStatus: Codable, Sendable, Hashable {
  /// The host process.
  public var host: HostProcessStatus
  /// The JACK server.
  public var server: ServerStatus
  /// What was asked of the hardware and what it gives.
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
  /// What users have patched by hand.
  public var patches: [PatchStatus]
  /// The crossfader, `null` when the graph has none.
  @OrNull public var crossfader: CrossfaderStatus?
  /// The audio sessions.
  public var sessions: [SessionStatus]
  /// The recorders, those of the graph first.
  public var recorders: [RecorderStatus]
  /// The engine's counts and times.
  public var engine: EngineStatus

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
    handovers: [HandoverStatus] = [],
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
    self.crossfader = crossfader
    self.sessions = sessions
    self.engine = engine
    self.recorders = recorders
  }
}
