// SPDX-License-Identifier: MIT

import ControlProtocol

@testable import Surfaces

/// The keys of a web server under test, which an input may have as they are.
///
/// Plain values: [any-thread].
enum WebKeys {
  /// The secret of a session that goes on.
  static let session = "5e55105e55105e55105e55105e551055"
  /// A token that lets one visitor in.
  static let forOneUse = "107e107e107e107e107e107e107e107e"
  /// The token of a server without sessions.
  static let each = WebToken(digits: "0123456789abcdef0123456789abcdef")

  /// The keys, at the time 100 s.
  static func tokens() -> WebTokens {
    var kept = WebTokens.Kept()
    kept.lastID = 2
    kept.keys = [
      WebKey(
        id: 1,
        role: .all,
        label: "",
        madeSeconds: 0,
        usedSeconds: 50,
        digest: WebDigest(of: session),
      ),
      WebKey(id: 2, role: .watch, label: "", madeSeconds: 50, digest: WebDigest(of: forOneUse)),
    ]
    return WebTokens(kept: kept, nowSeconds: { 100 })
  }
}
