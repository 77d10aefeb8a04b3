// SPDX-License-Identifier: MIT

internal import ControlSocket
internal import Dispatch
internal import Glibc
internal import Synchronization
internal import SystemSupport

/// The thread of the host's actor and of the values on their way to it.
///
/// JACK's calls take milliseconds, and closing a client of a dead server can take seconds: they
/// must not hold up the thread pool that all tasks of the process share. A session that has to fall
/// silent must not wait until a busy machine becomes idle. So where the user may (rtprio), the
/// thread has real-time priority, below all of JACK's threads. Jobs of a high task priority, JACK's notifications, come
/// before all others that wait: however many requests there are, a capture is cut at once. [any-thread]
final class ControlThread: SerialExecutor, MeteredExecutor {
  /// Below 5, JACK's own default for clients.
  static let priority: Int32 = 2

  private let jobs = Jobs()

  init() {
    let jobs = jobs
    let isStarted = BackgroundThread.start(name: "control") {
      Self.raisePriority()
      jobs.run()
    }
    // When the thread cannot be started, a thread of the system's pool carries the jobs out.
    if !isStarted { DispatchQueue.global().async { jobs.run() } }
  }

  deinit { jobs.end() }

  /// Gives the calling thread the priority of control, where that is allowed. [any-thread]
  static func raisePriority() {
    // Where it is refused, the priority stays; `multiroute doctor` reports that.
    BackgroundThread.raisePriority(priority)
  }

  func enqueue(_ job: consuming ExecutorJob) {
    let isUrgent = job.priority.rawValue >= TaskPriority.high.rawValue
    jobs.add(.job(UnownedJob(job), self), isUrgent: isUrgent)
  }

  /// Runs `body` on the thread, after all that was handed to it before. [any-thread]
  func run(_ body: @escaping @Sendable () -> Void) { jobs.add(.closure(body), isUrgent: false) }

  func reportPresentJob(_ report: @escaping @Sendable (UInt64) -> Void) {
    jobs.reportPresent(report)
  }

  /// Stops the program unless the calling thread is this one. [any-thread]
  ///
  /// Swift calls this for code outside of tasks, such as the closures of ``run(_:)``.
  func checkIsolated() {
    precondition(jobs.isCurrent, "this belongs to the control thread")
  }

  func asUnownedSerialExecutor() -> UnownedSerialExecutor {
    unsafe UnownedSerialExecutor(ordinary: self)
  }
}

/// The jobs that wait for the thread.
private final class Jobs: Sendable {
  enum Entry: Sendable {
    case job(UnownedJob, ControlThread)
    case closure(@Sendable () -> Void)
  }

  private struct Waiting: Sendable {
    var urgent: [Entry] = []
    var entries: [Entry] = []
    var hasEnded = false
  }

  private let waiting = Mutex(Waiting())
  private let count = MonotonicSemaphore(value: 0)
  /// The thread that carries the jobs out; 0 before it runs.
  private let runner = Atomic<UInt>(0)

  /// To be called with the time of the present job.
  private let reports = Mutex<[@Sendable (UInt64) -> Void]>([])

  /// Whether the calling thread is the one that carries the jobs out. [any-thread]
  var isCurrent: Bool { runner.load(ordering: .relaxed) == UInt(pthread_self()) }

  func add(_ entry: Entry, isUrgent: Bool) {
    waiting.withLock { waiting in
      if isUrgent { waiting.urgent.append(entry) } else { waiting.entries.append(entry) }
    }
    count.signal()
  }

  /// Ends the thread after the waiting jobs.
  func end() {
    waiting.withLock { $0.hasEnded = true }
    count.signal()
  }

  /// Carries out jobs as they come, until the end; urgent ones before each of the others.
  func run() {
    runner.store(UInt(pthread_self()), ordering: .relaxed)
    while true {
      count.wait()
      let (entries, hasEnded) = waiting.withLock { waiting in
        defer { waiting.entries = [] }
        return (waiting.entries, waiting.hasEnded)
      }
      carryOutUrgent()
      for entry in entries {
        carryOut(entry)
        carryOutUrgent()
      }
      if hasEnded { return }
    }
  }

  private func carryOutUrgent() {
    let entries = waiting.withLock { waiting in
      defer { waiting.urgent = [] }
      return waiting.urgent
    }
    for entry in entries { carryOut(entry) }
  }

  /// Calls `report` with the time of the present job at its end.
  func reportPresent(_ report: @escaping @Sendable (UInt64) -> Void) {
    reports.withLock { $0.append(report) }
  }

  private func carryOut(_ entry: Entry) {
    let start = HostClock.nowNanoseconds()
    defer {
      let due = reports.withLock { reports in
        defer { reports = [] }
        return reports
      }
      let time = HostClock.nowNanoseconds() - start
      for report in due { report(time) }
    }
    switch entry {
    case .job(let job, let executor):
      unsafe job.runSynchronously(
        isolatedTo: executor.asUnownedSerialExecutor(),
        taskExecutor: executor.asUnownedTaskExecutor(),
      )
    case .closure(let body): body()
    }
  }
}
