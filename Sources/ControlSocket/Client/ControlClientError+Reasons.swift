// SPDX-License-Identifier: MIT

import ControlProtocol
import Glibc
import NIOCore

extension ControlClientError {
  /// An error that the host answered.
  init(_ error: ControlError) {
    let code: Code = error.code == .versionMismatch ? .versionMismatch : .refused(error)
    self.init(code, error.message)
  }

  /// An error while connecting, with what can be done about it.
  init(connecting error: any Error, path: String, directory: String?) {
    switch (error as? IOError)?.errnoCode {
    case ENOENT, ENOTDIR:
      self = .noSuchHost(path, directory: directory)
    case ECONNREFUSED:
      self.init(.hostDead, "\(path): no host listens, it was killed; start it again")
    case EACCES, EPERM:
      let user = geteuid()
      self.init(.notPermitted, "\(path): user \(user) may not open it; use the host's user")
    default:
      if error is ChannelError {
        self.init(.timedOut, "\(path): the host takes no connection")
      } else {
        self.init(.noSuchHost, "\(path): \(error)")
      }
    }
  }

  /// No host where one was looked for, with those that are elsewhere.
  static func noSuchHost(_ place: String, directory: String?) -> ControlClientError {
    let names = SocketPath.hostNames(directory: directory)
    let found = names.isEmpty ? "no host runs" : "hosts there are: \(names.joined(separator: ", "))"
    return ControlClientError(
      .noSuchHost,
      "\(place): there is no host; \(found) (looked in \(directory ?? SocketPath.directory()))",
    )
  }
}
