// SPDX-License-Identifier: MIT

/// A saved log that cannot be read.
public struct EventLogError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The number of the line, from 1.
  public let line: Int
  /// What is wrong, and what is allowed.
  public let message: String

  /// Place and fault.
  public var description: String { "line \(line): \(message)" }
}
