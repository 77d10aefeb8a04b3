// SPDX-License-Identifier: MIT

/// Changes of a text that wrap parts of it, by offsets of its UTF-8.
///
/// Lines are kept: no change adds or removes a line break. Pure value: [any-thread].
struct Insertions {
  private var before: [Int: String] = [:]
  private var after: [Int: String] = [:]
  private var replaced: [(range: Range<Int>, text: String)] = []

  /// Puts a text before an offset and another before the other; outer parts are wrapped first.
  mutating func wrap(_ range: Range<Int>, _ prefix: String, _ suffix: String = ")") {
    before[range.lowerBound, default: ""] += prefix
    after[range.upperBound] = suffix + (after[range.upperBound] ?? "")
  }

  /// Replaces a range that no other change touches.
  mutating func replace(_ range: Range<Int>, with text: String) { replaced.append((range, text)) }

  /// Applies all changes.
  func applied(to source: String) -> String {
    let bytes = Array(source.utf8)
    var result: [UInt8] = []
    var replacements = replaced.sorted { $0.range.lowerBound < $1.range.lowerBound }[...]
    var offset = 0
    while offset <= bytes.count {
      if let text = after[offset] { result += text.utf8 }
      if let text = before[offset] { result += text.utf8 }
      if let next = replacements.first, next.range.lowerBound == offset {
        result += next.text.utf8
        replacements.removeFirst()
        offset = next.range.upperBound
      } else {
        if offset < bytes.count { result.append(bytes[offset]) }
        offset += 1
      }
    }
    return String(decoding: result, as: UTF8.self)
  }
}
