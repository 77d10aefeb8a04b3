// SPDX-License-Identifier: MIT

/// A session's number, given by the host and never used twice in one run.
public struct SessionID: RawRepresentable, Hashable, Comparable, Codable, Sendable,
  CustomStringConvertible
{
  /// The number.
  public let rawValue: UInt32

  /// Makes an id from its number.
  ///
  /// - Parameter rawValue: The number.
  public init(rawValue: UInt32) {
    self.rawValue = rawValue
  }

  /// Orders ids by age: the host counts upwards.
  public static func < (left: SessionID, right: SessionID) -> Bool {
    left.rawValue < right.rawValue
  }

  /// The number in decimal.
  public var description: String { String(rawValue) }
}
