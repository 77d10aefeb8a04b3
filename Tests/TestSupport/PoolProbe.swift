// SPDX-License-Identifier: MIT

internal import Glibc
internal import Synchronization
internal import SystemSupport
internal import Testing

/// Finds who blocks the threads that all tasks of the process share, the pool: one for each processor.
///
/// Every 100 ms a task is asked to run. It is a finding where it does not for 100 ms, while no thread of the pool
/// computes and one for each processor waits in code of a test or of the program. The finding is an issue of the
/// run, with the stacks of those threads. Threads that wait for a processor or a disk are the machine's affair and
/// no finding, and neither is what the testing library itself does. Each process with tests has a probe from its begin to its end. [any-thread]
package enum PoolProbe {
  /// The time between two tasks.
  private static let pauseMilliseconds = 100
  /// The time between two looks at the threads while a task has not run.
  private static let lookMilliseconds = 10
  /// So many looks in a row, each at a pool that waits, are a finding.
  private static let looks = 10

  private static let handler = Mutex<(@Sendable (String) -> Void)?>(nil)

  /// Has findings given to a function; they are no issues then.
  package static func onFinding(_ handle: @escaping @Sendable (String) -> Void) {
    handler.withLock { $0 = handle }
  }

  /// Starts the probe.
  fileprivate static func start() {
    _ = BackgroundThread.start(name: "pool probe") {
      // The time in which a process begins its first test.
      sleep(milliseconds: 500)
      while true { watch() }
    }
  }

  /// Has one task run, and looks on until it does.
  private static func watch() {
    let hasRun = Flag()
    let begin = ContinuousClock.now
    Task.detached { hasRun.set() }
    var (blocked, isReported) = (0, false)
    while !hasRun.isSet {
      let look = ContinuousClock.now
      sleep(milliseconds: lookMilliseconds)
      // A machine that has no time for this thread may have none for the one that the pool waits for.
      let isLate = ContinuousClock.now - look > .milliseconds(3 * lookMilliseconds)
      let isBlocked = !isLate && !hasRun.isSet && !PoolThreads.blocked.isEmpty
      blocked = isBlocked ? blocked + 1 : 0
      if isBlocked, blocked.isMultiple(of: looks), !isReported { isReported = report(since: begin) }
    }
    let rest = .milliseconds(pauseMilliseconds) - (ContinuousClock.now - begin)
    if rest > .zero { sleep(milliseconds: Int(rest / .milliseconds(1))) }
  }

  /// Tells who blocks the pool.
  ///
  /// - Returns: Whether there is something to tell.
  private static func report(since begin: ContinuousClock.Instant) -> Bool {
    let files = MappedFile.all
    let stacks = PoolThreads.blocked.map { thread in
      (thread: thread, addresses: ThreadStack.addresses(of: thread, in: files))
    }
    // A thread that a task has started has the name of its own; the testing library itself has two of them wait
    // in each test of a process's exit.
    .filter { stack in
      let libraries = stack.addresses.compactMap { address in
        files.first { $0.range.contains(address) }?.path
      }
      .filter { !$0.contains("/libc.so") }
      return libraries.last?.contains("/libdispatch.so") == true
        && libraries.first?.contains("/libTesting.so") == false
    }
    guard stacks.count >= PoolThreads.processors else { return false }
    let milliseconds = Int((ContinuousClock.now - begin) / .milliseconds(1))
    let symbols = StackSymbols(of: stacks.flatMap(\.addresses), in: files)
    let text =
      "pool blocked for \(milliseconds) ms: all its \(stacks.count) threads wait\n"
      + stacks.map { "thread \($0.thread):\n" + symbols.lines(of: $0.addresses) }.joined()
    if let handle = handler.withLock({ $0 }) {
      handle(text)
      return true
    }
    _ = unsafe text.withCString { unsafe write(STDERR_FILENO, $0, strlen($0)) }
    Issue.record("\(text)")
    return true
  }

  // The time between two probes.
  private static func sleep(milliseconds: Int) { usleep(UInt32(milliseconds) * 1_000) }

  /// Whether a task has run.
  private final class Flag: Sendable {
    private let value = Atomic(false)

    var isSet: Bool { value.load(ordering: .acquiring) }
    func set() { value.store(true, ordering: .releasing) }
  }
}

/// The loader calls it: no test can forget to.
@section(".init_array") @used
private let startPoolProbe: @convention(c) () -> Void = { PoolProbe.start() }
