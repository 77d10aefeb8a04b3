// SPDX-License-Identifier: MIT

public import ControlProtocol

/// Why a client could not connect or did not get its answer.
public struct ControlClientError: Error, Hashable, Sendable, CustomStringConvertible {
  /// Which kind of fault it is.
  public var code: Code
  /// One sentence: place, fault, what helps.
  public var description: String

  /// The kinds of faults.
  public enum Code: Hashable, Sendable {
    /// No socket has this name or path.
    case noSuchHost
    /// Several hosts run and none was named.
    case ambiguousHost
    /// The socket is there, but no host listens.
    case hostDead
    /// The socket may not be opened by this user.
    case notPermitted
    /// Client and host share no protocol version.
    case versionMismatch
    /// No answer came in time.
    case timedOut
    /// The connection ended before the answer.
    case connectionClosed
    /// The host answered something that is not of the method's type.
    case badAnswer
    /// The calling task was cancelled.
    case cancelled
    /// The host refused, with this error.
    case refused(ControlError)
  }

  /// Makes an error.
  public init(_ code: Code, _ description: String) {
    self.code = code
    self.description = description
  }
}
