// SPDX-License-Identifier: MIT

internal import Glibc

/// Names of hosts, routes and sources: they become parts of JACK names and of a socket's path.
///
/// [any-thread]
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

/// The form in which a text names a machine.
///
/// Pure value: [any-thread].
enum NetworkAddress {
  /// An IPv4 or IPv6 address.
  case numeric
  /// A host's name.
  case name

  /// Nil for a text that is neither.
  init?(_ text: String) {
    var (four, six) = (in_addr(), in6_addr())
    // The system checks the interface of a link-local address.
    let address = text.prefix { $0 != "%" }
    if unsafe inet_pton(AF_INET, text, &four) == 1
      || inet_pton(AF_INET6, String(address), &six) == 1
    {
      self = .numeric
    } else if Self.isName(text) {
      self = .name
    } else {
      return nil
    }
  }

  /// Whether a text consists of labels of letters, digits, '-' and '_'; the last label is not a number (RFC 1123).
  private static func isName(_ text: String) -> Bool {
    let labels = text.split(separator: ".", omittingEmptySubsequences: false)
    guard text.utf8.count <= 253, labels.last?.allSatisfy(\.isWholeNumber) == false else {
      return false
    }
    return labels.allSatisfy { label in
      (1...63).contains(label.utf8.count) && !label.hasPrefix("-") && !label.hasSuffix("-")
        && label.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-" || $0 == "_") }
    }
  }
}
