// SPDX-License-Identifier: MIT

internal import Glibc
internal import SystemSupport

/// A host's proof that a JACK server is its own, by which the next host finds the server of one that was killed.
///
/// It is the file `NAME.server` of the folder of the control sockets, with mode 0600. The host that owns the server holds
/// the file's lock, which ends with the host. The file contains the server's process id and the time of its start, so
/// that no other process is taken for it.
///
/// Used by one thread at a time: [any-thread].
final class ServerClaim {
  private let descriptor: Int32

  /// Claims the server of a name.
  ///
  /// - Returns: Nil while another host has it, and where the file cannot be made or is not the user's own.
  init?(server: String, directory: String) {
    guard !server.contains("/"), server.utf8.count <= 200 else { return nil }
    let flags = O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK
    let descriptor = unsafe open("\(directory)/\(server).server", flags, 0o600)
    guard descriptor >= 0 else { return nil }
    var facts = stat()
    guard unsafe fstat(descriptor, &facts) == 0, facts.st_mode & S_IFMT == S_IFREG,
      facts.st_uid == geteuid(), facts.st_nlink == 1, flock(descriptor, LOCK_EX | LOCK_NB) == 0
    else {
      close(descriptor)
      return nil
    }
    self.descriptor = descriptor
  }

  deinit { close(descriptor) }

  /// The server that the last owner has left; nil where it has ended.
  var left: ProcessHandle? {
    var bytes = [UInt8](repeating: 0, count: 64)
    let count = unsafe pread(descriptor, &bytes, bytes.count, 0)
    guard count > 0 else { return nil }
    let words = String(decoding: bytes[..<count], as: UTF8.self).split(
      whereSeparator: \.isWhitespace
    )
    guard words.count == 2, let pid = Int32(words[0]), pid > 1, let ticks = UInt64(words[1]) else {
      return nil
    }
    return ProcessHandle(pid: pid, startTicks: ticks)
  }

  /// Notes the process of the server.
  func note(_ pid: Int32) {
    guard let ticks = Machine.this.startTicks(of: pid) else { return }
    write("\(pid) \(ticks)\n")
  }

  /// Notes that there is no server any more.
  func withdraw() { write("") }

  /// Where it cannot be written, the next host takes the server for another program's.
  private func write(_ text: String) {
    ftruncate(descriptor, 0)
    let bytes = Array(text.utf8)
    _ = unsafe pwrite(descriptor, bytes, bytes.count, 0)
  }
}
