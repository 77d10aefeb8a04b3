// SPDX-License-Identifier: MIT

internal import ControlSocket
internal import Glibc
internal import JACK
internal import SystemSupport

/// Processes of a host that a signal has stopped: they hold a name, a lock and JACK clients, and answer nobody.
///
/// [any-thread]
enum StoppedProcess {
  /// The time in nanoseconds in which a killed process must have ended.
  private static let endLimitNanoseconds: UInt64 = 1_000_000_000

  /// Whether a signal has stopped a process; one that a debugger holds does not count.
  static func isStopped(_ pid: Int32) -> Bool {
    guard Machine.this.state(of: pid) == .stopped else { return false }
    return Machine.this.lines("/proc/\(pid)/status")
      .first { $0.hasPrefix("TracerPid:") }
      .map { $0.dropFirst("TracerPid:".count).allSatisfy { $0 == "0" || $0.isWhitespace } } ?? true
  }

  /// The time in nanoseconds in which a signal that was sent has stopped all threads of a process.
  private static let stopLimitNanoseconds: UInt64 = 100_000_000

  /// Kills the host of a name where a signal has stopped it, and waits for its end.
  ///
  /// The process is the one that holds the lock of the name's control socket.
  ///
  /// - Parameters:
  ///   - name: The host's name.
  ///   - directory: The directory of the control socket; nil for the user's own.
  static func endHost(named name: String, directory: String?) async {
    guard let path = try? SocketPath.path(hostName: name, directory: directory) else { return }
    let lock = unsafe open(path + ".lock", O_RDWR | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
    guard lock >= 0 else { return }
    defer { close(lock) }
    var limit = HostClock.nowNanoseconds() + stopLimitNanoseconds
    var isKilled = false
    while flock(lock, LOCK_EX | LOCK_NB) != 0, errno == EWOULDBLOCK,
      HostClock.nowNanoseconds() < limit
    {
      if !isKilled, let holder = ProcessNumber.read(from: lock), isStopped(holder) {
        MetadataMark.killOutside(holder)
        isKilled = true
        limit = HostClock.nowNanoseconds() + endLimitNanoseconds
      }
      // Wall time, between two looks at another process.
      try? await Task.sleep(for: .milliseconds(2))
    }
  }
}

/// The process id in the first line of a lock file. [any-thread]
enum ProcessNumber {
  /// Reads it; nil for anything else, and for a process that no file may name.
  static func read(from descriptor: Int32) -> Int32? {
    lines(of: descriptor).first.flatMap { Int32($0) }.flatMap { $0 > 1 ? $0 : nil }
  }

  /// The lines of a short file.
  static func lines(of descriptor: Int32) -> [String] {
    var bytes = [UInt8](repeating: 0, count: 256)
    let count = unsafe pread(descriptor, &bytes, bytes.count, 0)
    guard count > 0 else { return [] }
    return String(decoding: bytes[..<count], as: UTF8.self).split(separator: "\n").map(String.init)
  }
}
