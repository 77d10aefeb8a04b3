// SPDX-License-Identifier: MIT

extension String {
  /// The text as a comment of a graph file: a sign that YAML does not allow, or takes for the end of a line, is a space.
  ///
  /// YAML 1.1 ends a line, and a comment with it, also at U+0085, U+2028 and U+2029; what a foreign file has behind one
  /// would be read as part of the graph.
  /// Pure function: [any-thread].
  var commentText: String {
    String(String.UnicodeScalarView(unicodeScalars.map { Self.fitsComments($0) ? $0 : " " }))
  }

  private static func fitsComments(_ sign: Unicode.Scalar) -> Bool {
    switch sign.value {
    case 0x20...0x7E: true
    case 0x2028, 0x2029, 0xFEFF: false
    case 0xA0...0xFFFD, 0x10000...0x10FFFF: true
    default: false
    }
  }
}
