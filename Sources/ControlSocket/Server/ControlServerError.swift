// SPDX-License-Identifier: MIT

/// Why a control server could not start.
public struct ControlServerError: Error, Hashable, Sendable, CustomStringConvertible {
  /// Which kind of fault it is.
  public var code: Code
  /// One sentence: place, fault, what helps.
  public var description: String

  /// The kinds of faults.
  public enum Code: Hashable, Sendable {
    /// The host's name cannot be a socket's name, or the path is too long.
    case badName
    /// The directory cannot be made, or belongs to somebody else.
    case directory
    /// A living host has the name already.
    case nameTaken
    /// The socket cannot be made.
    case socket
  }

  /// Makes an error.
  public init(_ code: Code, _ description: String) {
    self.code = code
    self.description = description
  }
}
