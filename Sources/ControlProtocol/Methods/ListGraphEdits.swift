// SPDX-License-Identifier: MIT

/// Lists the values that users have set by hand, for the graph file.
///
/// Pure value: [any-thread].
public enum ListGraphEdits: ControlMethod {
  /// The name on the wire.
  public static let name = "listGraphEdits"
  /// The empty parameters.
  public typealias Params = NoParams

  /// The values, and those that a graph file cannot have.
  public struct Result: Codable, Sendable, Hashable {
    /// The absolute path of the host's graph file.
    public var graph: String
    /// The values that differ from those with which the host was started, and those that were listed before.
    public var edits: [Edit]
    /// Sentences about what a graph file has no place for.
    public var leftOut: [String]

    /// Makes the result.
    public init(graph: String, edits: [Edit], leftOut: [String]) {
      self.graph = graph
      self.edits = edits
      self.leftOut = leftOut
    }
  }

  /// A value for a graph file.
  public struct Edit: Codable, Sendable, Hashable {
    /// The keys and names from the top of the file; a send is `mix`, its source and its route.
    public var path: [String]
    /// The value as a graph file writes it, such as `-6 dB`.
    public var value: String

    /// Makes the value from its parts.
    public init(path: [String], value: String) {
      self.path = path
      self.value = value
    }
  }
}
