// SPDX-License-Identifier: MIT

/// Collects the faults of one file while it is read.
final class DiagnosticLog {
  /// More faults than this help nobody; the rest is only counted.
  static let limit = 100

  private let file: String
  private let text: String
  private var faults: [(position: SourcePosition, message: String)] = []

  /// How many faults there are so far; tells whether reading a part added any.
  private(set) var count = 0

  /// Starts without faults.
  ///
  /// - Parameters:
  ///   - file: The path for messages.
  ///   - text: The whole text of the file.
  init(file: String, text: String) {
    self.file = file
    self.text = text
  }

  /// Notes a fault; the message is made only if it will be shown, for suggestions take time.
  func error(at position: SourcePosition, _ message: @autoclosure () -> String) {
    count += 1
    guard count <= Self.limit else { return }
    faults.append((position, message()))
  }

  /// The faults in the order of the file, or nil if there are none.
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
          message: $0.message,
        )
      },
    )
  }
}
