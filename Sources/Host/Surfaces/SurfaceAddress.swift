// SPDX-License-Identifier: MIT

/// An address at which people reach a surface.
///
/// Pure value: [any-thread].
public struct SurfaceAddress: Hashable, Sendable {
  /// The kind of the surface, by its key in graph files, such as `web`.
  public let kind: String
  /// The address.
  public let url: String
  /// Whether it contains a token, and so gives the rights of the user.
  public let hasToken: Bool

  /// Makes an address.
  init(kind: String, url: String, hasToken: Bool = false) {
    self.kind = kind
    self.url = url
    self.hasToken = hasToken
  }
}
