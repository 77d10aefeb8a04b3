// SPDX-License-Identifier: MIT

/// A route: a named group of hardware-side JACK ports.
public struct RouteStatus: Codable, Sendable, Hashable {
  /// The name from the graph.
  public var name: String
  /// The port type, for instance `headphones`.
  public var type: String
  /// `output` or `input`.
  public var direction: Direction
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
  /// How it is aligned with the others.
  public var alignment: AlignmentMode
  /// By how many frames it is delayed for that.
  public var delayFrames: Int
  /// By how much it is late all the same against the slowest that is aligned; `null` for a free one.
  @OrNull public var alignmentErrorFrames: Int?
  /// The route that it is heard on while it is not available, `null` for none.
  @OrNull public var fallback: String?
  /// The program that makes its ports, `null` where they come by themselves.
  @OrNull public var helper: HelperStatus?

  /// Makes the value from its parts.
  public init(
    name: String,
    type: String,
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
    self.type = type
    self.direction = direction
    self.ports = ports
    self.available = available
    self.gainDB = gainDB
    self.muted = muted
    self.latencyFrames = latencyFrames
    self.alignment = alignment
    self.delayFrames = delayFrames
    self.alignmentErrorFrames = alignmentErrorFrames
    self.fallback = fallback
    self.helper = helper
  }
}

extension RouteStatus {
  /// Which way a route leads.
  public enum Direction: String, Codable, Sendable, Hashable, CaseIterable {
    /// Out of the host.
    case output
    /// Into the host.
    case input
  }
}
