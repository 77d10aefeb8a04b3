// SPDX-License-Identifier: MIT

import Glibc
import NIOCore

/// Who is at the other end of a Unix socket, as the kernel says (SO_PEERCRED).
struct PeerCredentials: Sendable {
  /// The peer's effective user id at the time it connected.
  var userID: UInt32
  /// The peer's process id.
  var processID: Int32

  /// Whether the peer may control this host: it is the same user, or root.
  var mayControl: Bool { userID == geteuid() || userID == 0 }

  /// Asks the kernel; `nil` where it does not tell.
  static func read(of channel: any Channel) -> EventLoopFuture<PeerCredentials?> {
    guard let options = channel as? any SocketOptionProvider else {
      return channel.eventLoop.makeSucceededFuture(nil)
    }
    let answer: EventLoopFuture<KernelCredentials> = options.unsafeGetSocketOption(
      level: .socket,
      name: .init(rawValue: SO_PEERCRED),
    )
    return answer.map { Optional(PeerCredentials(userID: $0.userID, processID: $0.processID)) }
      .recover { _ in nil }
  }
}

/// `struct ucred` of unix(7), which the C library shows to GNU sources only.
private struct KernelCredentials {
  var processID: pid_t
  var userID: uid_t
  var groupID: gid_t
}
