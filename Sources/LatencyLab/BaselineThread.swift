// SPDX-License-Identifier: MIT

import CRealtime
import Glibc
import Realtime
import Synchronization

/// A thread that sleeps a period at a time and notes how late it wakes, as cyclictest does.
///
/// It says how well the machine can keep time, whatever JACK and its clients do.
final class BaselineThread: Sendable {
  /// One awakening.
  struct Sample: BitwiseCopyable, Sendable {
    /// The time slept for, on the monotonic clock.
    var dueNanoseconds: UInt64
    /// How late it was.
    var delayNanoseconds: Int64
  }

  /// What both threads see; the queue has one reader and one writer.
  private struct Shared: ~Copyable, @unchecked Sendable {
    let queue = SPSCQueue<Sample>(minimumCapacity: 1 << 15)
    let shouldStop = Atomic<Bool>(false)
    let priority = Atomic<Int>(0)
  }

  private let shared = Shared()

  /// Starts the thread.
  ///
  /// - Parameters:
  ///   - periodNanoseconds: How long to sleep each time.
  ///   - priority: SCHED_FIFO priority to ask for; 0 asks for none.
  init(periodNanoseconds: UInt64, priority: Int) {
    // The thread keeps this object until it ends, so nobody has to join it.
    DetachedThread.start { [self] in run(periodNanoseconds, priority) }
  }

  /// The SCHED_FIFO priority it got; 0 where none was granted.
  var priority: Int { shared.priority.load(ordering: .relaxed) }

  /// Takes the next sample. [control-thread]
  func next() -> Sample? { shared.queue.consumer.pop() }

  /// Has the thread end after the sleep it is in.
  func stop() { shared.shouldStop.store(true, ordering: .relaxed) }

  private func run(_ periodNanoseconds: UInt64, _ wantedPriority: Int) {
    unsafe "lab-baseline".withCString { unsafe realtime_thread_set_name($0) }
    if wantedPriority > 0, realtime_thread_set_fifo(Int32(wantedPriority)) == 0 {
      shared.priority.store(wantedPriority, ordering: .relaxed)
    }
    let producer = shared.queue.producer
    var due = realtime_now_nanoseconds()
    while !shared.shouldStop.load(ordering: .relaxed) {
      due += periodNanoseconds
      var time = timespec(
        tv_sec: Int(due / 1_000_000_000),
        tv_nsec: Int(due % 1_000_000_000),
      )
      while unsafe clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &time, nil) == EINTR {}
      let now = realtime_now_nanoseconds()
      _ = producer.push(Sample(dueNanoseconds: due, delayNanoseconds: Int64(now) - Int64(due)))
      // After a long stop go on from now, so that one fault is counted once.
      if now > due + periodNanoseconds { due = now }
    }
  }
}
