// SPDX-License-Identifier: MIT

/// Text in lines of a width, broken between words.
///
/// Pure functions: [any-thread].
public enum WrappedText {
  /// The columns that a terminal takes for a text: two for a wide character of East Asia or an emoji, none for a mark.
  ///
  /// - Parameter text: Text without control codes.
  /// - Returns: The columns.
  public static func columns(_ text: some StringProtocol) -> Int {
    text.unicodeScalars.reduce(0) { $0 + columns($1) }
  }

  /// The beginning of a text with at most so many columns.
  ///
  /// - Parameters:
  ///   - text: Text without control codes.
  ///   - columns: The columns.
  /// - Returns: The beginning, which ends between characters, or within the first one where that is wider.
  public static func prefix(_ text: some StringProtocol, columns: Int) -> String {
    var (beginning, room) = ("", columns)
    for character in text {
      let wanted = self.columns(String(character))
      if wanted > room, !beginning.contains(where: { $0 != " " }) {
        for scalar in character.unicodeScalars {
          room -= self.columns(scalar)
          guard room >= 0 else { break }
          beginning.unicodeScalars.append(scalar)
        }
        break
      }
      room -= wanted
      guard room >= 0 else { break }
      beginning.append(character)
    }
    return beginning
  }

  /// A text with at most so many columns: the beginning and `…` where it has more.
  static func shortened(_ text: String, columns: Int) -> String {
    guard self.columns(text) > columns else { return text }
    return prefix(text, columns: max(0, columns - 1)) + "…"
  }

  /// A text in lines of a width; a word that alone is wider is broken.
  ///
  /// - Parameters:
  ///   - text: Text without control codes; names in it are cleaned (``ShownText``).
  ///   - indent: The blanks before all lines but the first.
  ///   - width: The columns, at least 2; nil for one line of any width.
  /// - Returns: The lines, at least one.
  public static func lines(_ text: String, indent: Int = 0, width: Int?) -> [String] {
    let text = ShownText.clean(text)
    guard let width = width.map({ max(2, $0) }), columns(text) > width else { return [text] }
    // After the blanks there is room for a character.
    func blanks(_ count: Int) -> String { String(repeating: " ", count: min(count, width - 2)) }
    var lines: [String] = []
    var rest = blanks(text.prefix { $0 == " " }.count) + text.drop { $0 == " " }
    while columns(rest) > width {
      let end = edge(rest, width: width)
      var line = rest[..<end]
      while line.last == " " { line.removeLast() }
      lines.append(String(line))
      rest = blanks(indent) + rest[end...].drop { $0 == " " }
    }
    return lines + [rest]
  }

  /// The end of the first line: the last blank behind a word that is within the width, else where the width ends.
  private static func edge(_ text: String, width: Int) -> String.Index {
    let count = prefix(text, columns: width).unicodeScalars.count
    let whole = text.unicodeScalars.index(text.startIndex, offsetBy: count)
    let part = text[..<(text[whole...].first == " " ? text.index(after: whole) : whole)]
    guard let first = part.firstIndex(where: { $0 != " " }) else { return whole }
    if let blank = part.lastIndex(of: " "), blank > first { return blank }
    return whole
  }

  private static func columns(_ scalar: Unicode.Scalar) -> Int {
    if scalar.value < 0x300 { return 1 }
    switch scalar.properties.generalCategory {
    case .nonspacingMark, .enclosingMark, .format: return 0
    default: break
    }
    // Vowels and final consonants stand in the syllable of a Hangul consonant.
    if (0x1160...0x11FF).contains(scalar.value) { return 0 }
    return scalar.properties.isEmojiPresentation || wide.contains { $0.contains(scalar.value) }
      ? 2 : 1
  }

  /// The blocks whose characters are wide (UAX #11).
  private static let wide: [ClosedRange<UInt32>] = [
    0x1100...0x115F, 0x2E80...0x303E, 0x3041...0xA4CF, 0xA960...0xA97C, 0xAC00...0xD7A3,
    0xF900...0xFAFF, 0xFE30...0xFE6F, 0xFF01...0xFF60, 0xFFE0...0xFFE6, 0x1F300...0x1F64F,
    0x1F900...0x1F9FF, 0x20000...0x3FFFD,
  ]
}
