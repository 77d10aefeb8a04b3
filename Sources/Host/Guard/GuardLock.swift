// SPDX-License-Identifier: MIT

internal import Glibc

/// Sees to it that a host has one guard: a new one ends the one before it.
final class GuardLock {
  private static let graceMilliseconds = 500

  private let descriptor: Int32

  /// Opens the lock of a host's guard, beside its control socket.
  init?(host: String) {
    guard let directory = unsafe getenv("XDG_RUNTIME_DIR") else { return nil }
    let path = "\(unsafe String(cString: directory))/multiroute/\(host).guard"
    descriptor = unsafe open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { return nil }
  }

  deinit { close(descriptor) }

  /// Takes the lock, from an older guard if need be, and leaves this process's id in it.
  func take() {
    var waitedMilliseconds = 0
    while flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
      // Only whoever holds the lock has its id in there.
      if let holder = holder() {
        kill(holder, waitedMilliseconds < Self.graceMilliseconds ? SIGTERM : SIGKILL)
      }
      usleep(10_000)
      waitedMilliseconds += 10
    }
    let text = Array("\(getpid())\n".utf8)
    ftruncate(descriptor, 0)
    _ = unsafe text.withUnsafeBytes { unsafe pwrite(descriptor, $0.baseAddress, $0.count, 0) }
  }

  private func holder() -> Int32? {
    var text = [UInt8](repeating: 0, count: 16)
    let count = unsafe text.withUnsafeMutableBytes {
      unsafe pread(descriptor, $0.baseAddress, $0.count, 0)
    }
    guard count > 0 else { return nil }
    let line = text[..<count].prefix { $0 != UInt8(ascii: "\n") }
    return Int32(String(decoding: line, as: UTF8.self)).flatMap { $0 > 1 ? $0 : nil }
  }
}
