// SPDX-License-Identifier: MIT

public import Sessions

/// A route: a named group of hardware-side JACK ports.
///
/// Pure value: [any-thread].
public struct RouteStatus: Codable, Sendable, Hashable {
  /// The name from the graph.
  public var name: String
  /// The port type, for instance `headphones`.
  @NamedIfKnown public var type: PortType?
  /// `output` or `input`.
  @NamedIfKnown public var direction: Direction?
  /// The JACK ports that it is connected to, in channel order.
  public var ports: [String]
  /// Whether its ports are there.
  public var available: Bool
  /// The gain in dB, "-inf" for silence.
  public var gainDB: Double
  /// Whether it is muted.
  public var muted: Bool
  /// Frames between the host and the outside as JACK reports them, `null` when unknown.
  @OrNull public var latencyFrames: UInt32?
  /// Its alignment with other routes.
  @NamedIfKnown public var alignment: AlignmentMode?
  /// By how many frames it is delayed for that.
  public var delayFrames: Int
  /// The remaining lateness against the slowest aligned route; `null` for a free route.
  @OrNull public var alignmentErrorFrames: Int?
  /// The route on which it is heard while it is not available, `null` for none.
  @OrNull public var fallback: String?
  /// The program that makes its ports, `null` where they come by themselves.
  @OrNull public var helper: HelperStatus?

  /// Makes the value from its parts.
  public init(
    name: String,
    type: PortType,
    direction: Direction,
    ports: [String],
    available: Bool,
    gainDB: Double,
    muted: Bool,
    latencyFrames: UInt32?,
    alignment: AlignmentMode = .free,
    delayFrames: Int = 0,
    alignmentErrorFrames: Int? = nil,
    fallback: String? = nil,
    helper: HelperStatus? = nil,
  ) {
    self.name = name
    _type = NamedIfKnown(type)
    _direction = NamedIfKnown(direction)
    self.ports = ports
    self.available = available
    self.gainDB = gainDB
    self.muted = muted
    self.latencyFrames = latencyFrames
    _alignment = NamedIfKnown(alignment)
    self.delayFrames = delayFrames
    self.alignmentErrorFrames = alignmentErrorFrames
    self.fallback = fallback
    self.helper = helper
  }
}

extension RouteStatus {
  /// The direction of a route.
  public enum Direction: String, WireNamed, CaseIterable {
    /// Out of the host.
    case output
    /// Into the host.
    case input
  }
}

/// The program that makes a route's ports: a bridge to another card, or a network engine.
///
/// Pure value: [any-thread].
public struct HelperStatus: Codable, Sendable, Hashable {
  /// The kind of program.
  @NamedIfKnown public var kind: Kind?
  /// The program's name.
  public var program: String
  /// Whether it runs.
  @NamedIfKnown public var state: HelperState?
  /// Its process id, `null` while it does not run.
  @OrNull public var pid: Int32?
  /// The number of times that it was started again.
  public var restarts: Int
  /// The reason of its last end, why it is not run, or its present fault; `null` without one.
  @OrNull public var reason: String?
  /// The last report of a bridge, `null` for other programs and before the first report.
  @OrNull public var bridge: BridgeStatus?

  /// Makes the value from its parts.
  public init(
    kind: Kind,
    program: String,
    state: HelperState,
    pid: Int32?,
    restarts: Int,
    reason: String?,
    bridge: BridgeStatus?,
  ) {
    _kind = NamedIfKnown(kind)
    self.program = program
    _state = NamedIfKnown(state)
    self.pid = pid
    self.restarts = restarts
    self.reason = reason
    self.bridge = bridge
  }

  /// The kinds of helper programs, by the graph file's key.
  public enum Kind: String, WireNamed, CaseIterable {
    /// A bridge to a sound card.
    case device
    /// zita-njbridge, to another machine.
    case njbridge
    /// JackTrip, to another machine.
    case jacktrip
  }
}

/// The state of a helper program.
public enum HelperState: String, WireNamed, CaseIterable {
  /// It runs.
  case running
  /// It has ended and is started again after a pause.
  case waiting
  /// It is not needed or cannot be run here.
  case off
}
