// SPDX-License-Identifier: MIT

internal import CSystemSupport
internal import Glibc

/// A counting semaphore whose limits of time no change of the machine's clock moves.
///
/// A DispatchSemaphore waits on Linux until a moment of the wall clock (sem_timedwait of POSIX), so a limit of 50 ms
/// becomes hours when that clock is set back. This one waits by CLOCK_MONOTONIC (sem_clockwait of glibc).
///
/// Safe from any thread: [any-thread].
@safe
package final class MonotonicSemaphore: Sendable {
  /// Longer waits have no end: about 30 years.
  private static let longestSeconds: Int64 = 1_000_000_000

  private nonisolated(unsafe) let semaphore: UnsafeMutablePointer<sem_t>

  /// A semaphore with a number of signals that nobody has waited for yet.
  package init(value: UInt32 = 0) {
    unsafe semaphore = .allocate(capacity: 1)
    unsafe sem_init(semaphore, 0, value)
  }

  deinit {
    unsafe sem_destroy(semaphore)
    unsafe semaphore.deallocate()
  }

  /// Wakes one waiting thread, or the next that waits.
  package func signal() { _ = unsafe sem_post(semaphore) }

  /// Blocks until a signal.
  package func wait() {
    while unsafe sem_wait(semaphore) != 0 {}
  }

  /// Blocks until a signal, at most for so long.
  ///
  /// - Parameter limit: The longest wait; a negative one is none.
  /// - Returns: Whether a signal came.
  package func wait(within limit: Duration) -> Bool {
    let (seconds, attoseconds) = max(limit, .zero).components
    guard seconds < Self.longestSeconds else {
      wait()
      return true
    }
    var end = timespec()
    unsafe clock_gettime(CLOCK_MONOTONIC, &end)
    let nanoseconds = end.tv_nsec + Int(attoseconds / 1_000_000_000)
    end.tv_sec += Int(seconds) + nanoseconds / 1_000_000_000
    end.tv_nsec = nanoseconds % 1_000_000_000
    while unsafe system_semaphore_wait(semaphore, &end) != 0 {
      // A handler of a signal ends the call early.
      guard errno == EINTR else { return false }
    }
    return true
  }

  /// Blocks until a signal, at most until a moment.
  ///
  /// - Parameter deadline: The end of the wait.
  /// - Returns: Whether a signal came.
  package func wait(until deadline: ContinuousClock.Instant) -> Bool {
    wait(within: deadline - .now)
  }
}
