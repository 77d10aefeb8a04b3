// SPDX-License-Identifier: MIT

/// A place in the text of a graph file.
struct SourcePosition: Equatable, Comparable {
  /// The line, counted from 1.
  var line: Int
  /// The column, counted from 1 in Unicode scalars.
  var column: Int

  static let start = SourcePosition(line: 1, column: 1)

  static func < (a: SourcePosition, b: SourcePosition) -> Bool {
    (a.line, a.column) < (b.line, b.column)
  }
}

extension SourcePosition {
  /// The position just after `prefix`, with the line breaks that YAML knows.
  init(after prefix: some Sequence<Unicode.Scalar>) {
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
