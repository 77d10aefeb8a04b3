// SPDX-License-Identifier: MIT

internal import CRealtime
internal import Glibc
internal import Synchronization

/// A thread for blocking work, such as that on a disk: it runs a round when woken or when its pause is over.
///
/// A read or write may block for seconds; in a task it would take a thread from the pool that all tasks share.
/// Safe from any thread: [any-thread].
package final class WorkerThread: Sendable {
  /// State shared by the thread and its owner.
  private final class Shared: Sendable {
    let round: @Sendable () -> Int
    let name: String
    let isStopping = Atomic(false)
    let wakeUp = MonotonicSemaphore(value: 0)

    init(name: String, round: @escaping @Sendable () -> Int) {
      self.name = name
      self.round = round
    }

    func run() {
      while !isStopping.load(ordering: .acquiring) {
        let milliseconds = round()
        if milliseconds > 0 {
          _ = wakeUp.wait(within: .milliseconds(milliseconds))
        }
      }
    }
  }

  private let shared: Shared
  private let thread: pthread_t

  /// Starts the thread; nil if the system refuses it.
  ///
  /// - Parameters:
  ///   - name: Shown by `ps -L` and debuggers, up to 15 bytes.
  ///   - round: The work; returns the milliseconds to pause, 0 to go on at once.
  package init?(name: String, round: @escaping @Sendable () -> Int) {
    shared = Shared(name: String(name.prefix(15)), round: round)
    let context = unsafe Unmanaged.passRetained(shared)
    var thread = pthread_t()
    let fault = unsafe pthread_create(
      &thread,
      nil,
      { context in
        guard let context = unsafe context else { return nil }
        let shared = unsafe Unmanaged<Shared>.fromOpaque(context).takeRetainedValue()
        unsafe realtime_thread_set_name(shared.name)
        shared.run()
        return nil
      },
      context.toOpaque(),
    )
    self.thread = thread
    guard fault == 0 else {
      unsafe context.release()
      return nil
    }
  }

  deinit {
    shared.isStopping.store(true, ordering: .releasing)
    wake()
    // The last reference may end inside of the thread's own work, where joining would wait for ever.
    if pthread_equal(pthread_self(), thread) != 0 {
      pthread_detach(thread)
    } else {
      pthread_join(thread, nil)
    }
  }

  /// Makes the next round begin now, or right after the one that runs.
  package func wake() {
    shared.wakeUp.signal()
  }
}
