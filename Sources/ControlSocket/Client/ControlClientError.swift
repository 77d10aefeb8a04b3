// SPDX-License-Identifier: MIT

public import ControlProtocol
import Glibc
import NIOCore

/// The reason why a client could not connect or got no answer.
///
/// Pure value: [any-thread].
public struct ControlClientError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The kind of fault.
  public var code: Code
  /// One sentence with the place, the fault and a remedy.
  public var description: String

  /// The kinds of faults.
  public enum Code: Hashable, Sendable {
    /// A socket of this name or path does not exist.
    case noSuchHost
    /// Several hosts run, and the client named none of them.
    case ambiguousHost
    /// The socket exists, but its host is dead.
    case hostDead
    /// This user may not open the socket.
    case notPermitted
    /// Client and host have no protocol version in common.
    case versionMismatch
    /// The answer did not come in time.
    case timedOut
    /// The connection ended before the answer.
    case connectionClosed
    /// The host's answer does not have the method's type.
    case badAnswer
    /// The calling task was cancelled.
    case cancelled
    /// The host refused the call with this error.
    case refused(ControlError)
  }

  /// Makes an error.
  public init(_ code: Code, _ description: String) {
    self.code = code
    self.description = description
  }
}

extension ControlClientError {
  /// An error that the host answered.
  init(_ error: ControlError) {
    let code: Code = error.code == .versionMismatch ? .versionMismatch : .refused(error)
    self.init(code, error.message)
  }

  /// An error while connecting, with a remedy.
  init(connecting error: any Error, path: String, directory: String?) {
    switch (error as? IOError)?.errnoCode {
    case ENOENT, ENOTDIR:
      self = .noSuchHost(path, directory: directory)
    case ECONNREFUSED:
      self.init(
        .hostDead,
        "\(path): the host was killed; start it again with 'multiroute run GRAPH'",
      )
    case EACCES, EPERM:
      let user = geteuid()
      self.init(.notPermitted, "\(path): user \(user) may not open it; use the host's user")
    default:
      if error is ChannelError {
        self.init(.timedOut, "\(path): the host does not accept the connection")
      } else {
        self.init(.noSuchHost, "\(path): it cannot be reached: \(systemError(error))")
      }
    }
  }

  /// The error for a missing host: any host, or the one at `path`.
  ///
  /// - Parameters:
  ///   - path: The socket of the wanted host; nil for any host.
  ///   - directory: The folder of the sockets; nil for ``SocketPath/directory()``.
  /// - Returns: The error, with the names of the sockets in the folder.
  static func noSuchHost(_ path: String?, directory: String?) -> ControlClientError {
    let names = SocketPath.hostNames(directory: directory)
    guard let path, !names.isEmpty else {
      return ControlClientError(
        .noSuchHost,
        "no MultiRoute host is running (looked in \(directory ?? SocketPath.directory())); "
          + "start one with 'multiroute run GRAPH'",
      )
    }
    return ControlClientError(
      .noSuchHost,
      "no host listens at \(path); name one of these: \(names.joined(separator: ", "))",
    )
  }
}
