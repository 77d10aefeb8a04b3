// SPDX-License-Identifier: MIT

public import Sessions

/// A chain of effects at a strip or a route.
///
/// Pure value: [any-thread].
public struct InsertStatus: Codable, Sendable, Hashable {
  /// The strip's id; `null` at a route.
  @OrNull public var strip: String?
  /// The route's name; `null` at a strip.
  @OrNull public var route: String?
  /// The requested share of the effects' sound, 0 … 1.
  public var wet: Double
  /// The present share of the effects' sound, 0 … 1: 0 while the chain is being patched or has no node.
  public var heard: Double
  /// Whether a user has taken the patch apart.
  public var leftAlone: Bool
  /// The effects in the order of the signal.
  public var nodes: [NodeStatus]

  /// Makes the value from its parts.
  public init(
    strip: String?,
    route: String?,
    wet: Double,
    heard: Double,
    leftAlone: Bool,
    nodes: [NodeStatus],
  ) {
    self.strip = strip
    self.route = route
    self.wet = wet
    self.heard = heard
    self.leftAlone = leftAlone
    self.nodes = nodes
  }
}

/// Pure value: [any-thread].
extension InsertStatus {
  /// Whether a node is started again when it ends.
  ///
  /// The graph file's `Restart` has the same names: the protocol depends on no graph files.
  public enum Restart: String, WireNamed, CaseIterable {
    /// Never.
    case never
    /// The first time.
    case once
    /// Each time, waiting longer from one to the next.
    case always
  }

  /// One effect.
  public struct NodeStatus: Codable, Sendable, Hashable {
    /// The node's name.
    public var name: String
    /// Whether it runs.
    public var running: Bool
    /// Whether it is bypassed by a user.
    public var bypassed: Bool
    /// The reason why it is left out, in a sentence for people; `null` without a fault.
    @OrNull public var fault: String?
    /// Whether it is started again when it ends.
    @NamedIfKnown public var restart: Restart?

    /// Makes the value from its parts.
    public init(name: String, running: Bool, bypassed: Bool, fault: String?, restart: Restart) {
      self.name = name
      self.running = running
      self.bypassed = bypassed
      self.fault = fault
      _restart = NamedIfKnown(restart)
    }
  }
}

/// Whether what nodes give has come to a strip or route in time, since the host has attached to the server.
///
/// Pure value: [any-thread].
public struct HandoverStatus: Codable, Sendable, Hashable {
  /// The strip's id; nil for a route.
  public var strip: String?
  /// The route's name; nil for a strip.
  public var route: String?
  /// The number of times that the mix began to go on without its late nodes.
  public var misses: Int
  /// The number of cycles without the nodes, including those until they were trusted again.
  public var missedCycles: Int

  /// Makes the value from its parts.
  public init(strip: String? = nil, route: String? = nil, misses: Int, missedCycles: Int) {
    self.strip = strip
    self.route = route
    self.misses = misses
    self.missedCycles = missedCycles
  }
}
