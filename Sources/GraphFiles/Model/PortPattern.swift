// SPDX-License-Identifier: MIT

/// A pattern for JACK port names: a POSIX extended regular expression, as `jack_get_ports` takes,
/// that must match the whole name.
public struct PortPattern: Sendable, Equatable, CustomStringConvertible {
  /// The expression, without the slashes around it.
  public let expression: String

  /// The pattern as a graph file writes it, between slashes.
  public var description: String { "/\(expression)/" }

  /// Whether the whole of `portName` matches.
  ///
  /// [any-thread]
  public func matches(_ portName: String) -> Bool {
    fatalError("unwritten")
  }
}
