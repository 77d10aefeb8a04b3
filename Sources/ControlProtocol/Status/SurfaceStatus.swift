// SPDX-License-Identifier: MIT

/// A control surface that the host serves.
///
/// Pure value: [any-thread].
public struct SurfaceStatus: Codable, Sendable, Hashable {
  /// The kind, by its key in graph files, such as `osc`.
  public var kind: String
  /// The number of the port.
  public var port: Int
  /// Whether other machines reach it.
  public var lan: Bool
  /// The reason for which it is not served, or is not told of changes; `null` without one.
  @OrNull public var fault: String?
  /// The name under which other machines find it by mDNS, `null` while they cannot.
  @OrNull public var announced: String?

  /// Makes the value from its parts.
  public init(kind: String, port: Int, lan: Bool, fault: String? = nil, announced: String? = nil) {
    self.kind = kind
    self.port = port
    self.lan = lan
    self.fault = fault
    self.announced = announced
  }
}
