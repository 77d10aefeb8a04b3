// SPDX-License-Identifier: MIT

import CRealtime
import Glibc
import Realtime
import Synchronization
import SystemSupport

/// A thread that sleeps a period at a time and notes how late it wakes, as cyclictest does.
///
/// It shows how well the machine keeps time without JACK and its clients.
///
/// Belongs to the control thread.
final class BaselineThread: Sendable {
  /// One awakening.
  struct Sample: BitwiseCopyable, Sendable {
    /// The time slept for, on the monotonic clock.
    var dueNanoseconds: UInt64
    /// The delay of the awakening.
    var delayNanoseconds: Int64
  }

  /// The part that both threads share; the queue has one reader and one writer.
  private struct Shared: ~Copyable, @unchecked Sendable {
    let queue = SPSCQueue<Sample>(minimumCapacity: 1 << 15)
    let shouldStop = Atomic<Bool>(false)
    let priority = Atomic<Int>(0)
  }

  private let shared = Shared()

  /// Starts the thread.
  ///
  /// - Parameters:
  ///   - periodNanoseconds: The duration of each sleep.
  ///   - priority: The requested SCHED_FIFO priority; 0 for ordinary priority.
  /// - Throws: ``LabError`` `tool` when the system has no thread.
  init(periodNanoseconds: UInt64, priority: Int) throws(LabError) {
    // The thread keeps this object until it ends, so it needs no join.
    guard
      BackgroundThread.start(
        name: "lab-baseline",
        { [self] in run(periodNanoseconds, priority) },
      )
    else { throw LabError(.tool, "the system has no thread for the baseline") }
  }

  /// The SCHED_FIFO priority that it has; 0 for ordinary priority.
  var priority: Int { shared.priority.load(ordering: .relaxed) }

  /// Takes the next sample. [control-thread]
  func next() -> Sample? { shared.queue.consumer.pop() }

  /// Has the thread end after the sleep it is in.
  func stop() { shared.shouldStop.store(true, ordering: .relaxed) }

  private func run(_ periodNanoseconds: UInt64, _ wantedPriority: Int) {
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
