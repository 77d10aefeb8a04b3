// SPDX-License-Identifier: MIT

import Glibc
import Logging
import NIOCore
import SystemSupport

/// The process at the other end of a Unix socket, as the kernel reports it (SO_PEERCRED).
///
/// Pure value: [any-thread].
struct PeerCredentials: Sendable {
  /// The peer's effective user id at the time it connected, or began to listen.
  var userID: UInt32
  /// The peer's process id.
  var processID: Int32

  /// Whether host and client of these users may talk to each other: the peer is of the same user, or root.
  var mayControl: Bool { userID == geteuid() || userID == 0 }

  /// Asks the kernel about the other end of a connected socket; nil without an answer.
  static func read(of descriptor: CInt) -> PeerCredentials? {
    var credentials = KernelCredentials(processID: 0, userID: 0, groupID: 0)
    var size = socklen_t(MemoryLayout<KernelCredentials>.size)
    let result = unsafe getsockopt(descriptor, SOL_SOCKET, SO_PEERCRED, &credentials, &size)
    guard result == 0, size == MemoryLayout<KernelCredentials>.size else { return nil }
    return PeerCredentials(userID: credentials.userID, processID: credentials.processID)
  }

  /// Asks the kernel; `nil` without an answer.
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

/// `struct ucred` of unix(7), which the C library declares for GNU sources only.
private struct KernelCredentials {
  var processID: pid_t
  var userID: uid_t
  var groupID: gid_t
}

/// The process's limit of open files.
///
/// [any-thread]
enum DescriptorLimit {
  /// Files that the rest of the host may need: JACK, sound files, recordings, child processes.
  private static let reserve = 512
  /// The smallest reserve, where fewer files are allowed.
  private static let smallestReserve = 128

  /// Raises the soft limit to the needed number, as far as the hard limit allows.
  ///
  /// - Returns: The number of connections for which there are files, `refused` ones that wait for their answer included.
  static func raise(connections: Int, refused: Int, logger: Logger) -> Int {
    let needed = connections + reserve
    var limit = rlimit()
    guard unsafe getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else {
      return connections
    }
    let wanted = rlim_t(needed)
    guard limit.rlim_cur < wanted else { return connections }
    limit.rlim_cur = min(wanted, limit.rlim_max)
    let result = unsafe setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    if result != 0 || limit.rlim_cur < wanted {
      logger.warning(
        "control socket: \(needed) open files may be needed, \(limit.rlim_cur) are allowed"
      )
    }
    let room = Int(clamping: limit.rlim_cur) - smallestReserve - refused
    return max(1, min(connections, room))
  }
}

/// The error of the last failed system call, in words. [any-thread]
func lastSystemError() -> String { systemError(errno) }

/// The meaning of an error number, in words. [any-thread]
func systemError(_ code: CInt) -> String { SystemError(code, "").reason }

/// Why the library for sockets has failed, in the same words, without the names of its calls. [any-thread]
func systemError(_ error: any Error) -> String {
  (error as? IOError).map { systemError($0.errnoCode) } ?? "\(error)"
}
