// SPDX-License-Identifier: MIT

/// Why a mix, or a change to it, was refused.
///
/// Nothing has changed then.
public struct MixError: Error, Sendable, Equatable, CustomStringConvertible {
  /// What kind of fault it is.
  public enum Code: String, Sendable {
    /// A number is outside what is allowed.
    case valueOutOfRange
    /// Two strips, two routes or two sends have the same name.
    case duplicate
    /// No strip of that name.
    case unknownStrip
    /// No route of that name.
    case unknownRoute
    /// A matrix does not have a row for each route channel with a column for each strip channel.
    case matrixShape
  }

  /// What kind of fault it is.
  public let code: Code

  /// Place, fault, and what is allowed.
  public let description: String

  init(_ code: Code, _ description: String) {
    self.code = code
    self.description = description
  }
}
