// SPDX-License-Identifier: MIT

/// Names of sessions on the wire: they become parts of JACK port names.
enum SessionName {
  private static let lengthLimit = 40

  /// A name as near to the program's as may be: ASCII letters, digits, `-` and `_`.
  static func made(from app: String) -> String {
    let name = app.unicodeScalars.prefix(lengthLimit).reduce(into: "") { name, scalar in
      let isPlain =
        scalar.isASCII && (scalar.properties.isAlphabetic || ("0"..."9").contains(scalar))
      name.unicodeScalars.append(isPlain || scalar == "_" ? scalar : "-")
    }
    return name.isEmpty ? "session" : name
  }
}
