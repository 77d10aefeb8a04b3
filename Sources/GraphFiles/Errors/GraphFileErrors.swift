// SPDX-License-Identifier: MIT

/// All the faults of one graph file.
public struct GraphFileErrors: Error, Sendable, Equatable, CustomStringConvertible {
  /// The faults in the order of the file; never empty.
  public let diagnostics: [GraphDiagnostic]

  /// One line per fault.
  public var description: String {
    diagnostics.map(\.description).joined(separator: "\n")
  }
}
