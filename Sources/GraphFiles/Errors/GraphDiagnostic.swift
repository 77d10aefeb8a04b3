// SPDX-License-Identifier: MIT

/// One fault of a graph file, and where it is.
public struct GraphDiagnostic: Sendable, Equatable, CustomStringConvertible {
  /// The path of the graph file, as given.
  public var file: String
  /// The line, counted from 1.
  public var line: Int
  /// The column, counted from 1 in Unicode scalars.
  public var column: Int
  /// What is wrong and what is allowed, in one line.
  public var message: String

  /// The form that compilers use: `file:line:column: error: message`.
  public var description: String { "\(file):\(line):\(column): error: \(message)" }
}
