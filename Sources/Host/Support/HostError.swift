// SPDX-License-Identifier: MIT

internal import ControlProtocol
internal import Mixing
internal import ServerControl

/// The reason why the host could not start or continue.
///
/// Pure value: [any-thread].
public struct HostError: Error, Sendable, Equatable, CustomStringConvertible {
  /// The kind of failure.
  public enum Code: Sendable, Equatable {
    /// A JACK server does not answer, and the host may not or cannot start one.
    case noServer
    /// The graph asks for something that this machine or file does not have.
    case badGraph
    /// The control socket cannot be opened.
    case noSocket
    /// The port of a surface cannot be opened.
    case noPort
    /// JACK refused something that the host needs.
    case jack
    /// The state cannot be written.
    case notKept
  }

  /// The kind of failure.
  public let code: Code
  /// The place, the fault, and the allowed values or a remedy.
  public let description: String

  /// The server went away while a graph was applied.
  static let serverWent = HostError(
    .noServer,
    "the JACK server went away; the version before stays in force",
  )

  /// The host has no server on which a graph could be applied.
  static let notAttached = HostError(
    .noServer,
    "the host is not attached to its JACK server now; apply the graph again when it is",
  )

  init(_ code: Code, _ description: String) {
    self.code = code
    self.description = description
  }

  /// Converts an error of another module; unknown kinds count as JACK's.
  init(_ error: any Error) {
    switch error {
    case let error as HostError: self = error
    case let error as ServerControlError:
      let code: Code =
        switch error.code {
        case .noServer: .noServer
        case .badName: .badGraph
        case .refused: .jack
        }
      self.init(code, error.description)
    // The mix is the graph's: to try again changes nothing.
    case let error as MixError: self.init(.badGraph, error.description)
    default: self.init(.jack, "\(error)")
    }
  }
}

extension HostError.Code {
  /// The code of the error on the control socket: whether to correct the file, to try again, or neither. [any-thread]
  var controlCode: ControlErrorCode {
    switch self {
    case .badGraph: .badValue
    case .noServer: .notReady
    case .noSocket, .noPort, .jack, .notKept: .refused
    }
  }
}
