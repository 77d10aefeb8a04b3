// SPDX-License-Identifier: MIT

internal import CRealtime
internal import Dispatch
internal import JACK
internal import Synchronization

/// The thread that the host's actor, and what is on its way to it, runs on.
///
/// JACK's calls take milliseconds, and closing a client of a dead server can take seconds: they must
/// not hold up the thread pool that all tasks of the process share. And what is to fall silent must not wait
/// until a busy machine has nothing better to do: where the user may (rtprio), the thread has real-time
/// priority, below all of JACK's.
final class ControlThread: SerialExecutor, TaskExecutor {
  /// JACK's own default for clients is 5.
  static let priority: Int32 = 2

  private let jobs = Jobs()

  init() {
    let jobs = jobs
    let isStarted = BackgroundThread.start(name: "control") {
      Self.raisePriority()
      jobs.run()
    }
    // Without a thread of its own one of the system's has to do.
    if !isStarted { DispatchQueue.global().async { jobs.run() } }
  }

  deinit { jobs.end() }

  /// Gives the calling thread the priority of control, where that is allowed. [any-thread]
  static func raisePriority() {
    // Refused, it stays as it is: `multiroute doctor` tells why.
    _ = realtime_thread_raise(priority)
  }

  func enqueue(_ job: consuming ExecutorJob) { jobs.add(UnownedJob(job), of: self) }

  func asUnownedSerialExecutor() -> UnownedSerialExecutor {
    unsafe UnownedSerialExecutor(ordinary: self)
  }
}

/// What waits for the thread.
private final class Jobs: Sendable {
  private struct Waiting: Sendable {
    var entries: [(job: UnownedJob, executor: ControlThread)] = []
    var hasEnded = false
  }

  private let waiting = Mutex(Waiting())
  private let count = DispatchSemaphore(value: 0)

  func add(_ job: UnownedJob, of executor: ControlThread) {
    waiting.withLock { $0.entries.append((job, executor)) }
    count.signal()
  }

  /// Ends the thread after what is waiting.
  func end() {
    waiting.withLock { $0.hasEnded = true }
    count.signal()
  }

  /// Carries out what comes, until the end.
  func run() {
    while true {
      count.wait()
      let (entries, hasEnded) = waiting.withLock { waiting in
        defer { waiting.entries = [] }
        return (waiting.entries, waiting.hasEnded)
      }
      for (job, executor) in entries {
        unsafe job.runSynchronously(
          isolatedTo: executor.asUnownedSerialExecutor(),
          taskExecutor: executor.asUnownedTaskExecutor(),
        )
      }
      if hasEnded { return }
    }
  }
}
