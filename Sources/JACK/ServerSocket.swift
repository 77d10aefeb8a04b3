// SPDX-License-Identifier: MIT

internal import Glibc

/// The socket at which jackd and jackdbus wait for clients.
enum ServerSocket {
  /// The inode of the listening socket of the server of this user; nil when none listens.
  static func inode(server: String) -> String? {
    let path = "/dev/shm/jack_\(server)_\(getuid())_0"
    guard let sockets = TextFile.read("/proc/net/unix") else { return nil }
    for line in sockets.split(separator: "\n") where line.hasSuffix(" " + path) {
      let fields = line.split(separator: " ", maxSplits: 7, omittingEmptySubsequences: true)
      // Field 3 holds the flags: 0x10000 is __SO_ACCEPTCON, "listening".
      if fields.count == 8, fields[3] == "00010000" { return String(fields[6]) }
    }
    return nil
  }

  /// The process that holds a socket; only our own processes, and those of all as root, are seen.
  static func pid(inode: String) -> Int32? {
    for process in TextFile.names(in: "/proc") {
      guard let pid = Int32(process),
        let command = TextFile.read("/proc/\(pid)/comm"), command.hasPrefix("jack"),
        holds(pid: pid, inode: inode)
      else { continue }
      return pid
    }
    return nil
  }

  /// Whether a process holds a socket.
  static func holds(pid: Int32, inode: String) -> Bool {
    let folder = "/proc/\(pid)/fd"
    let target = "socket:[\(inode)]"
    return TextFile.names(in: folder).contains { TextFile.link("\(folder)/\($0)") == target }
  }
}
