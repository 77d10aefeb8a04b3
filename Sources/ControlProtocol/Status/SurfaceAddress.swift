// SPDX-License-Identifier: MIT

/// An address at which people reach a surface.
///
/// Pure value: [any-thread].
public struct SurfaceAddress: Codable, Hashable, Sendable {
  /// The kind of the surface, by its key in graph files, such as `web`.
  public var kind: String
  /// The address.
  public var url: String
  /// Whether it contains a token, and so gives the rights of the user.
  public var hasToken: Bool

  /// Makes the value from its parts.
  public init(kind: String, url: String, hasToken: Bool = false) {
    self.kind = kind
    self.url = url
    self.hasToken = hasToken
  }
}
