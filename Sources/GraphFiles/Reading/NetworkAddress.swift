// SPDX-License-Identifier: MIT

internal import Glibc

/// How a text names a machine.
enum NetworkAddress {
  /// An IPv4 or IPv6 address.
  case numeric
  /// A host's name.
  case name

  /// Nil for what can be neither.
  init?(_ text: String) {
    var (four, six) = (in_addr(), in6_addr())
    // The interface of a link-local address is the system's matter.
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

  /// Labels of letters, digits and '-', the last of which is no number (RFC 1123), with '_' as many networks have it.
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
