// SPDX-License-Identifier: MIT

import ArgumentParser
import Host

/// The exit codes of sysexits(3) that scripts can rely on.
extension ExitCode {
  /// The graph file, or a value in it, is wrong.
  static let badData = ExitCode(65)
  /// No server, no host, no socket.
  static let unavailable = ExitCode(69)
  /// A failure inside.
  static let software = ExitCode(70)
  /// Not permitted.
  static let noPermission = ExitCode(77)

  init(_ error: HostError) {
    self =
      switch error.code {
      case .noServer, .noSocket: .unavailable
      case .badGraph: .badData
      case .jack: .software
      }
  }
}
