// SPDX-License-Identifier: MIT

internal import CMessageDigest

/// SHA-256, through libmd. [any-thread]
package enum MessageDigest {
  /// The digest of bytes.
  ///
  /// - Parameter bytes: The bytes.
  /// - Returns: 64 hexadecimal digits.
  package static func sha256(of bytes: [UInt8]) -> String {
    // 64 digits and the zero at their end.
    var digits = [CChar](repeating: 0, count: 65)
    _ = unsafe SHA256Data(bytes, bytes.count, &digits)
    return String(
      decoding: digits.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)),
      as: UTF8.self
    )
  }
}
