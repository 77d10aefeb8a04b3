// SPDX-License-Identifier: MIT

/// Names of hosts, routes and sources: they become parts of JACK names and of a socket's path.
enum GraphName {
  static let lengthLimit = 40
  static let allowed = "1 to \(lengthLimit) letters, digits, '-' and '_', starting with a letter"

  /// Whether `text` may be a name: plain ASCII without anything a pattern or shell would interpret.
  static func isValid(_ text: String) -> Bool {
    guard let first = text.utf8.first, isLetter(first), text.utf8.count <= lengthLimit else {
      return false
    }
    return text.utf8.allSatisfy {
      isLetter($0) || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0)
        || $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "_")
    }
  }

  private static func isLetter(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
  }
}

extension Field {
  /// A name as ``GraphName`` allows.
  func graphName() -> String? {
    guard let text = scalar(allowed: "a name") else { return nil }
    guard GraphName.isValid(text) else {
      error("\(MessageText.quoted(text)) is not a name; allowed: \(GraphName.allowed)")
      return nil
    }
    return text
  }
}
