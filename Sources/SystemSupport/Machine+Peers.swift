// SPDX-License-Identifier: MIT

internal import CSystemSupport
internal import Glibc

/// The other ends of a process's sockets, as the kernel noted them. [any-thread]
extension Machine {
  /// The other end of a connected UNIX socket.
  package struct Peer: Sendable, Hashable {
    /// The path that it is bound to; empty for none.
    package let path: String
    /// The process that called listen(2) or connect(2) there; a child that inherited the socket is another one.
    ///
    /// The process may have ended since, and another one may have its id.
    package let pid: Int32
  }

  /// The other ends of all connected UNIX sockets of a process; nil where the kernel does not let this process look.
  ///
  /// unix(7): SO_PEERCRED gives the one that accepted a connection the credentials of the process that called connect(2),
  /// and the one that connected itself those of the process that called listen(2), both at the time of the call. Neither
  /// inheriting a socket nor hiding one's descriptors changes them. pidfd_getfd(2) needs the right to ptrace(2) the process:
  /// it is of the same user and dumpable, and Yama's `ptrace_scope` allows it.
  ///
  /// - Parameter pid: The process; of this machine, whatever the root is.
  /// - Returns: The other ends, without those of sockets of other kinds.
  package func peers(of pid: Int32) -> [Peer]? {
    let process = system_process_descriptor(pid)
    guard process >= 0 else { return nil }
    defer { close(process) }
    let folder = "/proc/\(pid)/fd"
    var peers: [Peer] = []
    for name in names(in: folder) {
      guard let number = Int32(name), link("\(folder)/\(name)")?.hasPrefix("socket:") == true else {
        continue
      }
      var path = [CChar](repeating: 0, count: Int(SYSTEM_SOCKET_PATH_BYTES))
      var peer: pid_t = 0
      switch unsafe system_socket_peer(process, number, &path, &peer) {
      case 0:
        let bytes = path.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
        peers.append(Peer(path: String(decoding: bytes, as: UTF8.self), pid: peer))
      case EPERM, ENOSYS, EMFILE, ENFILE: return nil
      // A socket of another kind, one without another end, and one that was closed meanwhile.
      default: continue
      }
    }
    return peers
  }
}
