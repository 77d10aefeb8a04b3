// SPDX-License-Identifier: MIT

/// Where a session's audio comes from and goes to (rule RTE-1).
public struct RouteDescription: Hashable, Codable, Sendable {
  /// The inputs in use: at most one (rule CAT-3).
  public var inputs: [PortDescription]
  /// The outputs in use: one, or with `multiRoute` every eligible one, in order of connection.
  public var outputs: [PortDescription]

  /// Makes a route.
  ///
  /// - Parameters:
  ///   - inputs: The inputs in use.
  ///   - outputs: The outputs in use.
  public init(inputs: [PortDescription] = [], outputs: [PortDescription] = []) {
    self.inputs = inputs
    self.outputs = outputs
  }
}
