// SPDX-License-Identifier: MIT

/// A place in the text of a file.
///
/// Pure value: [any-thread].
package struct SourcePosition: Equatable, Comparable, Sendable {
  /// The line, counted from 1.
  package var line: Int
  /// The column, counted from 1 in Unicode scalars.
  package var column: Int

  /// The first character.
  package static let start = SourcePosition(line: 1, column: 1)

  /// A place by its line and column.
  package init(line: Int, column: Int) {
    self.line = line
    self.column = column
  }

  /// Orders places as they are read.
  package static func < (a: SourcePosition, b: SourcePosition) -> Bool {
    (a.line, a.column) < (b.line, b.column)
  }
}

extension SourcePosition {
  /// The position just after `prefix`, with the line breaks that YAML knows.
  package init(after prefix: some Sequence<Unicode.Scalar>) {
    self = .start
    var previous: Unicode.Scalar?
    for scalar in prefix {
      switch scalar {
      case "\n" where previous == "\r":
        break
      case "\n", "\r", "\u{85}", "\u{2028}", "\u{2029}":
        line += 1
        column = 1
      default:
        column += 1
      }
      previous = scalar
    }
  }
}
