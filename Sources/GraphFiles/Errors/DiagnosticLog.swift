// SPDX-License-Identifier: MIT

/// Collects the faults of one file while it is read.
final class DiagnosticLog {
  /// More faults than this help nobody; the rest is only counted.
  static let limit = 100

  private let file: String
  private var faults: [(position: SourcePosition, message: String)] = []

  /// How many faults there are so far; tells whether reading a part added any.
  private(set) var count = 0

  init(file: String) {
    self.file = file
  }

  /// Notes a fault; the message is made only if it will be shown, for suggestions take time.
  func error(at position: SourcePosition, _ message: @autoclosure () -> String) {
    count += 1
    guard count <= Self.limit else { return }
    faults.append((position, message()))
  }

  /// The faults in the order of the file, or nil if there are none.
  var errors: GraphFileErrors? {
    var sorted = faults.sorted { $0.position < $1.position }
    guard let last = sorted.last else { return nil }
    if count > Self.limit {
      let message = "\(count - Self.limit) more errors are not shown; correct these first"
      sorted.append((last.position, message))
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
