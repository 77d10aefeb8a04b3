// SPDX-License-Identifier: MIT

/// A patch rule of the graph, and what it does now.
///
/// Pure value: [any-thread].
public struct PatchRuleStatus: Codable, Sendable, Hashable {
  /// Its line in the graph file, counted from 1.
  public var line: Int
  /// The rule as a graph file writes it, in one line.
  public var rule: String
  /// The connections that exist because of it.
  public var connections: Int
  /// The connections of others that it has cut so far.
  public var cuts: Int
  /// Whether the host has given way to a program that insists on something else.
  public var gaveWay: Bool

  /// Makes the value from its parts.
  public init(line: Int, rule: String, connections: Int, cuts: Int, gaveWay: Bool) {
    self.line = line
    self.rule = rule
    self.connections = connections
    self.cuts = cuts
    self.gaveWay = gaveWay
  }
}
