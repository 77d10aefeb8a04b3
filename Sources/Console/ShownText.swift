// SPDX-License-Identifier: MIT

/// Text with names that other programs have chosen, as a person may see it: on a terminal, in a log, in a document.
///
/// Names of clients, ports, labels and files can hold escape sequences, line ends, and signs that turn the direction of
/// the text around them. JSON has the true names.
///
/// Pure functions: [any-thread].
public enum ShownText {
  /// The number of marks on one letter that are shown.
  private static let markLimit = 4

  /// One line of text in which each sign that a terminal would obey is spelled out, such as `\u{1B}`.
  ///
  /// These are control characters, line ends, signs for the direction of text, and signs that cannot be seen. More
  /// than four marks on one letter are left out. All other text stays as it is.
  public static func clean(_ text: String) -> String {
    guard !text.utf8.allSatisfy({ (0x20..<0x7F).contains($0) }) else { return text }
    var result = String.UnicodeScalarView()
    var marks = 0
    for scalar in text.unicodeScalars {
      marks = isMark(scalar) ? marks + 1 : 0
      if isHidden(scalar) {
        result.append(contentsOf: spelled(scalar).unicodeScalars)
      } else if marks <= markLimit {
        result.append(scalar)
      }
    }
    return String(result)
  }

  /// A document of JSON with the signs that ``clean(_:)`` spells out as escapes of JSON, so that its values stay the same.
  public static func escaped(json text: String) -> String {
    guard !text.utf8.allSatisfy({ (0x20..<0x7F).contains($0) }) else { return text }
    // Beyond ASCII only strings have such signs, and the encoder has escaped those below U+0020.
    return text.unicodeScalars.reduce(into: "") { result, scalar in
      guard isHidden(scalar) else { return result.unicodeScalars.append(scalar) }
      for unit in String(scalar).utf16 {
        let digits = String(unit, radix: 16)
        result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      }
    }
  }

  private static func spelled(_ scalar: Unicode.Scalar) -> String {
    switch scalar {
    case "\n": "\\n"
    case "\r": "\\r"
    case "\t": "\\t"
    default: "\\u{\(String(scalar.value, radix: 16, uppercase: true))}"
    }
  }

  private static func isMark(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .nonspacingMark, .enclosingMark, .spacingMark: true
    default: false
    }
  }

  private static func isHidden(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .control, .lineSeparator, .paragraphSeparator, .privateUse, .surrogate: true
    // Some scripts and emoji need the joiners.
    case .format: scalar != "\u{200C}" && scalar != "\u{200D}"
    default: scalar.properties.isNoncharacterCodePoint
    }
  }
}
