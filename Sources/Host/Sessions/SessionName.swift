// SPDX-License-Identifier: MIT

internal import Sessions

/// The names of sessions in the protocol, which become parts of JACK port names. [any-thread]
enum SessionName {
  /// The longest name in bytes of UTF-8, without a number that tells it from another one.
  static let limitBytes = 40
  /// The marks on one letter that stay: as many as a terminal is shown.
  static let markLimit = 4

  /// The closest valid name to the program's: letters, their marks and digits of any script, `-` and `_`, but no `-` at an end, so
  /// that every command takes it.
  ///
  /// Names that only Unicode tells apart, by composed letters or by signs that cannot be seen, are one name.
  static func made(from app: String) -> String {
    // A mark needs a letter.
    var marks = markLimit
    let name = app.composed.unicodeScalars.reduce(into: "") { name, scalar in
      switch part(scalar) {
      case .letter:
        marks = 0
        name.unicodeScalars.append(scalar)
      case .mark:
        marks += 1
        if marks <= markLimit { name.unicodeScalars.append(scalar) }
      case .sign:
        marks = markLimit
        name.unicodeScalars.append(scalar == "_" ? scalar : "-")
      case .nothing: break
      }
    }
    let ends: (Character) -> Bool = { $0 == "-" }
    let short = String(name.drop(while: ends)).composed.prefix(bytes: limitBytes)
    let trimmed = String(short.reversed().drop(while: ends).reversed())
    return trimmed.isEmpty ? "session" : trimmed
  }

  private enum Part { case letter, mark, sign, nothing }

  private static func part(_ scalar: Unicode.Scalar) -> Part {
    // Some letters and marks cannot be seen, and signs for the direction of text neither.
    if scalar.properties.isDefaultIgnorableCodePoint { return .nothing }
    return switch scalar.properties.generalCategory {
    case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter,
      .decimalNumber:
      .letter
    case .nonspacingMark, .spacingMark, .enclosingMark: .mark
    default: .sign
    }
  }
}
