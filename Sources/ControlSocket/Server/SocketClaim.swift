// SPDX-License-Identifier: MIT

import Glibc
import Synchronization

/// The right to a host's name: a lock that the kernel gives back however the process ends.
///
/// The lock, not the socket file, says whether a host lives, so two hosts that start at once cannot
/// both take over the socket of a third that died.
///
/// Safe from any thread: [any-thread].
final class SocketClaim: Sendable {
  /// The socket's path.
  let path: String
  private let lockPath: String
  /// The lock's descriptor, −1 once released.
  private let descriptor: Mutex<CInt>

  /// Takes the name and clears away what a dead host left.
  ///
  /// - Throws: `nameTaken` when a host with this name lives, `socket` for anything else.
  init(path: String) throws(ControlServerError) {
    self.path = path
    lockPath = path + ".lock"
    let lock = try Self.lock(lockPath)
    do throws(ControlServerError) {
      try Self.removeStaleSocket(path)
    } catch {
      _ = unsafe unlink(lockPath)
      Glibc.close(lock)
      throw error
    }
    descriptor = Mutex(lock)
  }

  /// Removes the socket and releases the name; a second call has no effect.
  func release() {
    descriptor.withLock { descriptor in
      guard descriptor >= 0 else { return }
      _ = unsafe unlink(path)
      _ = unsafe unlink(lockPath)
      Glibc.close(descriptor)
      descriptor = -1
    }
  }

  deinit { release() }

  private static func lock(_ path: String) throws(ControlServerError) -> CInt {
    // A holder removes the file as it ends, so the file that was locked may be no longer the one
    // with the name: then try again with the new one.
    for _ in 0..<100 {
      let descriptor = unsafe open(path, O_CREAT | O_RDWR | O_CLOEXEC | O_NOFOLLOW, 0o600)
      guard descriptor >= 0 else {
        throw ControlServerError(
          .socket,
          "\(path): the lock cannot be opened: \(lastSystemError())"
        )
      }
      guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
        let code = errno
        let holder = processID(in: descriptor)
        Glibc.close(descriptor)
        guard code == EWOULDBLOCK else {
          throw ControlServerError(.socket, "\(path): it cannot be locked: \(systemError(code))")
        }
        throw taken(path, by: holder.map { "process \($0)" } ?? "another process")
      }
      var held = stat()
      var named = stat()
      if unsafe fstat(descriptor, &held) == 0, unsafe stat(path, &named) == 0,
        held.st_ino == named.st_ino
      {
        write(processID: getpid(), to: descriptor)
        return descriptor
      }
      Glibc.close(descriptor)
    }
    throw taken(path, by: "hosts that come and go")
  }

  /// Removes the socket of a dead host; the socket of a running host stays.
  private static func removeStaleSocket(_ path: String) throws(ControlServerError) {
    var status = stat()
    guard unsafe lstat(path, &status) == 0 else { return }
    guard status.st_mode & S_IFMT == S_IFSOCK else {
      throw ControlServerError(.socket, "\(path): there is something that is no socket; remove it")
    }
    if SocketProbe.isListening(path) { throw taken(path, by: "another process") }
    guard unsafe unlink(path) == 0 || errno == ENOENT else {
      throw ControlServerError(
        .socket,
        "\(path): the socket of a dead host cannot be removed: \(lastSystemError())",
      )
    }
  }

  private static func taken(_ path: String, by holder: String) -> ControlServerError {
    ControlServerError(
      .nameTaken,
      "\(path): \(holder) runs a host with this name; stop it, or use another name",
    )
  }

  private static func processID(in descriptor: CInt) -> Int32? {
    var bytes = [UInt8](repeating: 0, count: 16)
    let count = unsafe pread(descriptor, &bytes, bytes.count, 0)
    return count > 0 ? Int32(String(decoding: bytes[..<count], as: UTF8.self)) : nil
  }

  /// For the message that a second host gives; the lock itself needs no content.
  private static func write(processID: Int32, to descriptor: CInt) {
    let text = Array(String(processID).utf8)
    ftruncate(descriptor, 0)
    _ = unsafe pwrite(descriptor, text, text.count, 0)
  }
}

/// Makes sure that a directory exists and belongs to this user.
///
/// [any-thread]
package enum SocketDirectory {
  /// Makes the directory with mode 0700, or checks and tightens one that exists.
  ///
  /// - Throws: `directory` when it cannot be made, is no directory, or is another user's.
  package static func prepare(_ path: String) throws(ControlServerError) {
    try make(path)
    var status = stat()
    guard unsafe lstat(path, &status) == 0 else {
      throw fault(path, lastSystemError())
    }
    // A symbolic link is refused: in /tmp another user could have made it.
    guard status.st_mode & S_IFMT == S_IFDIR else {
      throw fault(path, "it is not a directory")
    }
    guard status.st_uid == geteuid() else {
      throw fault(path, "it belongs to user \(status.st_uid), not to \(geteuid())")
    }
    guard unsafe status.st_mode & 0o777 == 0o700 || chmod(path, 0o700) == 0 else {
      throw fault(path, "its mode cannot be set to 0700: \(lastSystemError())")
    }
  }

  private static func make(_ path: String) throws(ControlServerError) {
    if unsafe mkdir(path, 0o700) == 0 || errno == EEXIST { return }
    let code = errno
    guard code == ENOENT, let slash = path.lastIndex(of: "/"), slash != path.startIndex else {
      throw fault(path, systemError(code))
    }
    try make(String(path[..<slash]))
    guard unsafe mkdir(path, 0o700) == 0 || errno == EEXIST else {
      throw fault(path, lastSystemError())
    }
  }

  private static func fault(_ path: String, _ fault: String) -> ControlServerError {
    ControlServerError(
      .directory,
      "\(path): \(fault); allowed: a directory of the user that runs the host, mode 0700 "
        + "(\(SocketPath.environmentVariable) says where)",
    )
  }
}
