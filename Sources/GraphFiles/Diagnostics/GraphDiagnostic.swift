// SPDX-License-Identifier: MIT

internal import YAML

/// One fault of a graph file, and where it is.
public struct GraphDiagnostic: Sendable, Equatable, CustomStringConvertible {
  /// The path of the graph file, as given.
  public var file: String
  /// The line, counted from 1.
  public var line: Int
  /// The column, counted from 1 in Unicode scalars.
  public var column: Int
  /// The fault and the allowed values, in one line.
  public var message: String

  /// The form that compilers use: `file:line:column: error: message`.
  public var description: String { "\(file):\(line):\(column): error: \(message)" }
}

/// All the faults of one graph file.
public struct GraphFileErrors: Error, Sendable, Equatable, CustomStringConvertible {
  /// The faults in the order of the file; never empty.
  public let diagnostics: [GraphDiagnostic]

  /// One line per fault.
  public var description: String {
    diagnostics.map(\.description).joined(separator: "\n")
  }
}

/// Collects the faults of one file while it is read.
///
/// Used by one reader at a time: [any-thread].
final class DiagnosticLog {
  /// The number of faults that are shown; the rest is only counted.
  static let limit = 100

  private let file: String
  private let text: String
  private let note: String
  private var faults: [(position: SourcePosition, message: String)] = []

  /// The number of faults so far; a reader compares it before and after a part.
  private(set) var count = 0

  /// Starts without faults.
  ///
  /// - Parameters:
  ///   - file: The path for messages.
  ///   - text: The whole text of the file.
  ///   - note: Ends each message: why the file is read.
  init(file: String, text: String, note: String = "") {
    self.file = file
    self.text = text
    self.note = note
  }

  /// Adds a fault.
  ///
  /// The message is made only if it will be shown, because suggestions take time.
  func error(at position: SourcePosition, _ message: @autoclosure () -> String) {
    count += 1
    guard count <= Self.limit else { return }
    faults.append((position, message()))
  }

  /// The faults in the order of the file; nil without faults.
  var errors: GraphFileErrors? {
    guard !faults.isEmpty else { return nil }
    // The scanner puts the end of a file that lacks its last line break onto a line after it.
    let end = SourcePosition(after: text.unicodeScalars)
    var sorted = faults.map { (position: min($0.position, end), message: $0.message) }
      .sorted { $0.position < $1.position }
    if count > Self.limit {
      let message = "\(count - Self.limit) more errors are not shown; correct these first"
      sorted.append((sorted[sorted.count - 1].position, message))
    }
    return GraphFileErrors(
      diagnostics: sorted.map {
        GraphDiagnostic(
          file: file,
          line: $0.position.line,
          column: $0.position.column,
          message: $0.message + note,
        )
      },
    )
  }
}
