// SPDX-License-Identifier: MIT

public import GraphFiles

extension ControllerSurface {
  /// The control that a user has moved for a parameter.
  public struct Learned: Sendable, Equatable {
    /// The controller's name in the graph.
    public let controller: String
    /// The mapping, which works already.
    public let mapping: ControlMapping
  }

  /// The state of a controller beside its ports.
  public struct Report: Sendable, Equatable {
    /// The number of mappings.
    public var mappings = 0
    /// The learned mappings as lines for the graph.
    public var learned: [String] = []
    /// The mapped parameters that the host does not have now, sorted.
    public var missing: [String] = []
    /// The control that was moved last, and its value; nil before the first move after plugging in.
    public var lastMove: ControllerMove?
  }
}
