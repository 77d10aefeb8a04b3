// SPDX-License-Identifier: MIT

/// The send from a strip to a route.
public struct SendStatus: Codable, Sendable, Hashable {
  /// The strip's id.
  public var strip: String
  /// The route's name.
  public var route: String
  /// The gain in dB, "-inf" for silence.
  public var gainDB: Double
  /// Whether it is muted.
  public var muted: Bool
  /// The gain from each strip channel to each route channel, where set one by one.
  public var cells: [Cell]

  /// Makes the value from its parts.
  public init(
    strip: String,
    route: String,
    gainDB: Double,
    muted: Bool,
    cells: [Cell],
  ) {
    self.strip = strip
    self.route = route
    self.gainDB = gainDB
    self.muted = muted
    self.cells = cells
  }
}

extension SendStatus {
  /// One channel's way, channels counted from 1.
  public struct Cell: Codable, Sendable, Hashable {
    /// The strip's channel.
    public var stripChannel: Int
    /// The route's channel.
    public var routeChannel: Int
    /// The gain in dB, "-inf" for silence.
    public var gainDB: Double

    /// Makes the value from its parts.
    public init(stripChannel: Int, routeChannel: Int, gainDB: Double) {
      self.stripChannel = stripChannel
      self.routeChannel = routeChannel
      self.gainDB = gainDB
    }
  }
}
