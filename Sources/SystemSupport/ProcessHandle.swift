// SPDX-License-Identifier: MIT

internal import CSystemSupport
internal import Glibc

/// A process that is no child of this one: its id is never taken for that of a later process (pidfd_open(2)).
///
/// Safe from any thread: [any-thread].
package final class ProcessHandle: EndableProcess {
  package let pid: Int32
  private let descriptor: Int32

  /// Holds a process; nil where it has ended, also where another process has its id now.
  ///
  /// - Parameters:
  ///   - pid: Its id.
  ///   - startTicks: The time of its start, as ``Machine/startTicks(of:)`` gives it.
  package init?(pid: Int32, startTicks: UInt64) {
    let descriptor = system_process_descriptor(pid)
    guard descriptor >= 0 else { return nil }
    guard Machine.this.startTicks(of: pid) == startTicks, Machine.this.state(of: pid) != .ended
    else {
      close(descriptor)
      return nil
    }
    self.pid = pid
    self.descriptor = descriptor
  }

  deinit { close(descriptor) }

  package var isRunning: Bool { !waitForExit(within: .zero) }

  package func send(_ signal: Int32) { _ = system_send_signal(descriptor, signal) }

  package func waitForExit(within limit: Duration) -> Bool {
    let deadline = ContinuousClock.now + limit
    while true {
      // Rounded up, so that the last wait is no loop of empty ones.
      let milliseconds = max(0, (deadline - .now) / .milliseconds(1)).rounded(.up)
      var end = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      let count = unsafe poll(&end, 1, Int32(min(milliseconds, 1_000_000)))
      if count > 0 { return true }
      if count == 0, ContinuousClock.now >= deadline { return false }
      guard count == 0 || errno == EINTR else { return false }
    }
  }
}

/// A process that this one may end.
///
/// Safe from any thread: [any-thread].
package protocol EndableProcess: Sendable {
  /// Its process id.
  var pid: Int32 { get }
  /// Whether it has not ended.
  var isRunning: Bool { get }
  /// Sends a signal, unless it has ended.
  func send(_ signal: Int32)
  /// Blocks until it has ended, at most for `limit`.
  ///
  /// - Returns: Whether it has ended.
  func waitForExit(within limit: Duration) -> Bool
}

extension ChildProcess: EndableProcess {}
