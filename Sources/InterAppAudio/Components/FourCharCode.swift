// SPDX-License-Identifier: MIT

/// Four characters in 32 bits, as component types are written: `'aurx'`.
public struct FourCharCode: RawRepresentable, Hashable, Sendable {
  /// The four characters, the first in the highest byte; 0 is a wildcard.
  public let rawValue: UInt32

  /// Makes a code from its number.
  public init(rawValue: UInt32) { self.rawValue = rawValue }

  /// Any code.
  public static let any = FourCharCode(rawValue: 0)

  /// Makes a code from exactly four printable ASCII characters; nil for any other text.
  public init?(_ text: String) {
    let bytes = Array(text.utf8)
    guard bytes.count == 4, bytes.allSatisfy({ (0x20...0x7e).contains($0) }) else { return nil }
    rawValue = bytes.reduce(0) { $0 << 8 | UInt32($1) }
  }

  /// The four characters.
  public var text: String {
    let bytes = (0..<4).map { UInt8(truncatingIfNeeded: rawValue >> (24 - 8 * $0)) }
    return String(decoding: bytes, as: UTF8.self)
  }
}

extension FourCharCode: ExpressibleByStringLiteral {
  /// Makes a code from a literal, which must have four printable ASCII characters.
  public init(stringLiteral text: String) {
    guard let code = FourCharCode(text) else {
      preconditionFailure("\"\(text)\" has not exactly four printable ASCII characters")
    }
    self = code
  }
}
