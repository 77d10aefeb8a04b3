// SPDX-License-Identifier: MIT

internal import CRealtime
internal import Dispatch
internal import Glibc
internal import Synchronization

/// A thread for work on the disk: it does its rounds when woken or when its pause is over.
///
/// A plain thread and not a task, because a read or write may block for seconds, which would take a
/// thread of the cooperative pool away from everybody else.
final class WorkerThread: Sendable {
  /// What the thread and its owner share.
  private final class Shared: Sendable {
    let round: @Sendable () -> Int
    let name: String
    let isStopping = Atomic(false)
    let wakeUp = DispatchSemaphore(value: 0)

    init(name: String, round: @escaping @Sendable () -> Int) {
      self.name = name
      self.round = round
    }

    func run() {
      while !isStopping.load(ordering: .acquiring) {
        let milliseconds = round()
        if milliseconds > 0 {
          _ = wakeUp.wait(timeout: .now() + .milliseconds(milliseconds))
        }
      }
    }
  }

  private let shared: Shared
  private let thread: pthread_t

  /// Starts the thread, or returns nil where the system gives none.
  ///
  /// - Parameters:
  ///   - name: Shown by tools, up to 15 bytes.
  ///   - round: The work; returns the milliseconds to pause, 0 to go on at once.
  init?(name: String, round: @escaping @Sendable () -> Int) {
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
    // The last owner may let go inside of the thread's own work, where waiting would be for ever.
    if pthread_equal(pthread_self(), thread) != 0 {
      pthread_detach(thread)
    } else {
      pthread_join(thread, nil)
    }
  }

  /// Makes the next round begin now, or right after the one that runs.
  func wake() {
    shared.wakeUp.signal()
  }
}
