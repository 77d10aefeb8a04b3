// SPDX-License-Identifier: MIT

/// A request's number, given by the host; the tower answers each exactly once.
public struct RequestID: RawRepresentable, Hashable, Codable, Sendable {
  /// The number.
  public let rawValue: UInt64

  /// Makes an id from its number.
  ///
  /// - Parameter rawValue: The number.
  public init(rawValue: UInt64) {
    self.rawValue = rawValue
  }
}
