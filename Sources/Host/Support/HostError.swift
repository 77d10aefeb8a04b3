// SPDX-License-Identifier: MIT

/// Why the host could not start or go on.
public struct HostError: Error, Sendable, Equatable, CustomStringConvertible {
  /// The kind of failure.
  public enum Code: Sendable, Equatable {
    /// No JACK server answers, and none may or can be started.
    case noServer
    /// The graph asks for something that this machine or file cannot give.
    case badGraph
    /// The control socket cannot be opened.
    case noSocket
    /// JACK refused something that the host cannot do without.
    case jack
  }

  /// The kind of failure.
  public let code: Code
  /// Place, fault, and what is allowed or helps.
  public let description: String

  init(_ code: Code, _ description: String) {
    self.code = code
    self.description = description
  }
}
