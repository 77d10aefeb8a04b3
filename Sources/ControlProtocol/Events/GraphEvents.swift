// SPDX-License-Identifier: MIT

/// The details of events about the graph. Pure values: [any-thread].
extension EventPayload {
  /// Another version of the graph is in force.
  public struct GraphApplied: Codable, Sendable, Hashable {
    /// The version.
    public var version: GraphVersion
    /// How many parts of the graph differ from the version before.
    public var changes: Int

    /// Makes the value from its parts.
    public init(version: GraphVersion, changes: Int) {
      self.version = version
      self.changes = changes
    }
  }

  /// A version of the graph was refused; the one before stays in force.
  public struct GraphRefused: Codable, Sendable, Hashable {
    /// The path of the graph file.
    public var path: String
    /// The faults as `file:line:column: error: …`, or the one step that failed.
    public var faults: [String]

    /// Makes the value from its parts.
    public init(path: String, faults: [String]) {
      self.path = path
      self.faults = faults
    }
  }
}
