// SPDX-License-Identifier: MIT

/// The names of sessions in the protocol, which become parts of JACK port names. [any-thread]
enum SessionName {
  private static let lengthLimit = 40

  /// The closest valid name to the program's: ASCII letters, digits, `-` and `_`, with one of the first two at each end, so that
  /// every command takes it.
  static func made(from app: String) -> String {
    let name = app.unicodeScalars.prefix(lengthLimit).reduce(into: "") { name, scalar in
      let isPlain =
        scalar.isASCII && (scalar.properties.isAlphabetic || ("0"..."9").contains(scalar))
      name.unicodeScalars.append(isPlain || scalar == "_" ? scalar : "-")
    }
    let ends: (Character) -> Bool = { $0 == "-" }
    let trimmed = String(name.drop(while: ends).reversed().drop(while: ends).reversed())
    return trimmed.isEmpty ? "session" : trimmed
  }
}
