// SPDX-License-Identifier: MIT

/// A file that cannot be read, or a part of it that means nothing.
///
/// Pure value: [any-thread].
public struct PatchFileFault: Error, Sendable, Equatable, CustomStringConvertible {
  /// The line, counted from 1.
  public let line: Int
  /// One sentence: the fault, and what is allowed.
  public let message: String

  /// `12: the fault`.
  public var description: String { "\(line): \(message)" }
}
