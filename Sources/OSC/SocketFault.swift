// SPDX-License-Identifier: MIT

internal import NIOCore
internal import SystemSupport

/// Why a socket cannot be opened, in the system's words.
///
/// Pure value: [any-thread].
package struct SocketFault: CustomStringConvertible {
  /// The reason, such as `Address already in use`.
  package let description: String

  /// Takes what the library for sockets has thrown.
  package init(_ error: any Error) {
    guard let code = (error as? IOError)?.errnoCode else {
      description = "\(error)"
      return
    }
    description = SystemError(code, "").reason
  }
}
