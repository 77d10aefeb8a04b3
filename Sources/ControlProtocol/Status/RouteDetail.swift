// SPDX-License-Identifier: MIT

/// Where a session's audio comes from and goes to (RTE-1).
public struct RouteDetail: Codable, Sendable, Hashable {
  /// The inputs in use: at most one (CAT-3).
  public var inputs: [PortDetail]
  /// The outputs in use, in order of connection.
  public var outputs: [PortDetail]

  /// Makes the value from its parts.
  public init(inputs: [PortDetail], outputs: [PortDetail]) {
    self.inputs = inputs
    self.outputs = outputs
  }
}
