// SPDX-License-Identifier: MIT

internal import Glibc
internal import Sessions

/// Text from a file, prepared for a message.
///
/// [any-thread]
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

  /// ` (did you mean 'x'?)` if one of `candidates` is close to `text`, else an empty text.
  static func suggestion(for text: String, among candidates: some Sequence<String>) -> String {
    Spelling.suggestion(for: text, among: candidates)
  }
}

extension MessageText {
  /// The system's text for an error number, starting in lower case so that it fits into a message.
  static func systemError(_ code: Int32) -> String {
    // The buffer of glibc's strerror belongs to the calling thread.
    guard let description = unsafe strerror(code) else { return "error \(code)" }
    let text = unsafe String(cString: description)
    return text.prefix(1).lowercased() + text.dropFirst()
  }
}
