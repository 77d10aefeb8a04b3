// SPDX-License-Identifier: MIT

internal import ControlProtocol

/// The trace of a secret that a file may have: nobody finds the secret in it.
///
/// Pure value: [any-thread].
package struct WebDigest: Codable, Hashable, Sendable {
  /// SHA-256 in hexadecimal.
  private let digits: String

  /// Makes the digest of a text.
  init(of text: some StringProtocol) {
    digits = MessageDigest.sha256(of: Array(text.utf8))
  }

  /// Reads the digest from a file.
  package init(from decoder: any Decoder) throws {
    digits = try decoder.singleValueContainer().decode(String.self)
  }

  /// Writes the digits.
  package func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(digits)
  }

  /// Whether two digests are the same, found in the same time for all.
  func matches(_ other: WebDigest) -> Bool {
    let (ours, others) = (Array(digits.utf8), Array(other.digits.utf8))
    guard ours.count == others.count else { return false }
    return zip(ours, others).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
  }
}

/// A key to the web page: for one use at first, and then the session that this use has begun.
///
/// Pure value: [any-thread].
package struct WebKey: Codable, Hashable, Sendable {
  /// The time in which a key is used for the first time, in seconds.
  static let firstUseSeconds = 600
  /// The time without use after which a session ends, in seconds.
  static let sessionSeconds = 30 * 86_400

  /// Its number.
  package let id: Int
  /// The rights.
  let role: WebRole
  /// The route of the role `mix`.
  var route: String?
  /// The words by which the user knows it.
  let label: String
  /// The time at which it was made, in seconds since 1970.
  let madeSeconds: Int
  /// The latest use, in seconds since 1970; nil before the first.
  var usedSeconds: Int?
  /// The digest of the secret: the token's before the first use, and then the session's.
  var digest: WebDigest

  /// Whether it waits for its first use.
  var isForOneUse: Bool { usedSeconds == nil }

  /// The time at which it ends, in seconds since 1970.
  var expiresSeconds: Int {
    usedSeconds.map { $0 + Self.sessionSeconds } ?? madeSeconds + Self.firstUseSeconds
  }

  /// The rights of its holder.
  var rights: WebRights { WebRights(role: role, route: route) }
}
