// SPDX-License-Identifier: MIT

import Glibc
import NIOCore

/// Finds out whether somebody listens on a socket.
public enum SocketProbe {
  /// Tries to connect, without ever waiting: a full queue of connections counts as alive.
  public static func isListening(_ path: String) -> Bool {
    guard let address = try? SocketAddress(unixDomainSocketPath: path) else { return false }
    let type = CInt(SOCK_STREAM.rawValue) | CInt(SOCK_NONBLOCK.rawValue)
    let descriptor = socket(AF_UNIX, type | CInt(SOCK_CLOEXEC.rawValue), 0)
    guard descriptor >= 0 else { return false }
    defer { Glibc.close(descriptor) }
    let result = unsafe address.withSockAddr { pointer, size in
      unsafe connect(descriptor, pointer, socklen_t(size))
    }
    return result == 0 || errno == EAGAIN
  }
}
