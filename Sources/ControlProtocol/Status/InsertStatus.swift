// SPDX-License-Identifier: MIT

/// A chain of effects at a strip or a route.
public struct InsertStatus: Codable, Sendable, Hashable {
  /// The strip's id; `null` at a route.
  @OrNull public var strip: String?
  /// The route's name; `null` at a strip.
  @OrNull public var route: String?
  /// How much of the effects is asked for against the sound without them, 0 … 1.
  public var wet: Double
  /// How much of them is heard now, 0 … 1: 0 while the chain is patched anew or has no node.
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

extension InsertStatus {
  /// One effect.
  public struct NodeStatus: Codable, Sendable, Hashable {
    /// The node's name.
    public var name: String
    /// Whether it runs.
    public var running: Bool
    /// Whether it is bypassed by a user.
    public var bypassed: Bool
    /// Why it is left out, `null` where nothing is wrong.
    @OrNull public var fault: String?
    /// Whether it is started again when it ends: `never`, `once` or `always`.
    public var restart: String

    /// Makes the value from its parts.
    public init(name: String, running: Bool, bypassed: Bool, fault: String?, restart: String) {
      self.name = name
      self.running = running
      self.bypassed = bypassed
      self.fault = fault
      self.restart = restart
    }
  }
}
