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
  ) {
    self.name = name
    self.type = type
    self.direction = direction
    self.ports = ports
    self.available = available
    self.gainDB = gainDB
    self.muted = muted
    self.latencyFrames = latencyFrames
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
