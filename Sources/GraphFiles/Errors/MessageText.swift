// SPDX-License-Identifier: MIT

/// Text from a file, made fit for a message.
enum MessageText {
  /// `text` in quotes, on one line, shortened to `limit` characters.
  static func quoted(_ text: String, limit: Int = 60) -> String {
    var result = "'"
    for (index, scalar) in text.unicodeScalars.enumerated() {
      if index == limit {
        result += "…"
        break
      }
      switch scalar.properties.generalCategory {
      case .control, .format, .lineSeparator, .paragraphSeparator:
        result += scalar.escaped(asASCII: true)
      default:
        result.unicodeScalars.append(scalar)
      }
    }
    return result + "'"
  }

  /// `items` in quotes with commas between.
  static func list(_ items: some Sequence<String>) -> String {
    items.map { "'\($0)'" }.joined(separator: ", ")
  }

  /// ` (did you mean 'x'?)` if one of `candidates` is close to `text`, else nothing.
  static func suggestion(for text: String, among candidates: some Sequence<String>) -> String {
    guard let nearest = Spelling.nearest(to: text, among: candidates) else { return "" }
    return " (did you mean '\(nearest)'?)"
  }
}
