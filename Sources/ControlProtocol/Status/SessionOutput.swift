// SPDX-License-Identifier: MIT

/// One output route in a session's route picker (VOL-4).
///
/// Pure value: [any-thread].
public struct SessionOutput: Codable, Sendable, Hashable {
  /// The route.
  public var port: PortDetail
  /// The reason why the session cannot be moved there; `null` where it can.
  @OrNull public var reason: String?
  /// Whether the session's route has it now.
  public var inUse: Bool
  /// Whether the user has chosen it for the session's program.
  public var chosen: Bool

  /// Makes the value from its parts.
  public init(port: PortDetail, reason: String?, inUse: Bool, chosen: Bool) {
    self.port = port
    self.reason = reason
    self.inUse = inUse
    self.chosen = chosen
  }
}
