// SPDX-License-Identifier: MIT

/// Replacements in a text, by offsets of its UTF-8.
///
/// Pure value: [any-thread].
struct Edits {
  private var edits: [(range: Range<Int>, text: String)] = []

  var isEmpty: Bool { edits.isEmpty }

  /// Replaces a range; ranges of several edits do not overlap.
  mutating func replace(_ range: Range<Int>, with text: String) { edits.append((range, text)) }

  /// Applies all edits.
  func applied(to source: String) -> String {
    var bytes = Array(source.utf8)
    for edit in edits.sorted(by: { $0.range.lowerBound > $1.range.lowerBound }) {
      bytes.replaceSubrange(edit.range, with: edit.text.utf8)
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
