// SPDX-License-Identifier: MIT

/// A connection of a control server, never used twice by one server.
public struct ConnectionID: Hashable, Sendable, CustomStringConvertible {
  /// The number.
  public let rawValue: UInt64

  /// Makes an id from its number.
  public init(rawValue: UInt64) { self.rawValue = rawValue }

  /// The number with a mark, for logs.
  public var description: String { "connection \(rawValue)" }
}
