// SPDX-License-Identifier: MIT

/// Whether what nodes give has come to a strip or route in time, since the host has attached to the server.
public struct HandoverStatus: Codable, Sendable, Hashable {
  /// The strip's id; nil for a route.
  public var strip: String?
  /// The route's name; nil for a strip.
  public var route: String?
  /// How often the mix has begun to go on without its nodes, which had not been in time.
  public var misses: Int
  /// How many cycles have been without them: those, and the ones until they were trusted again.
  public var missedCycles: Int

  /// Makes the value from its parts.
  public init(strip: String? = nil, route: String? = nil, misses: Int, missedCycles: Int) {
    self.strip = strip
    self.route = route
    self.misses = misses
    self.missedCycles = missedCycles
  }
}
