// SPDX-License-Identifier: MIT

import Explorer

/// Threads that share something, and what must hold.
///
/// [main] all of it, except for the bodies of the threads.
struct Model {
  let name: String
  /// The work of the threads, and its amount.
  let bounds: String
  /// Makes new memory for an execution.
  let makeRun: () -> Run
}

/// One execution.
struct Run {
  /// The bodies of the threads; each allocates nothing that it does not free.
  let threads: [() -> Void]
  /// Checks what is left, and frees the memory.
  let finish: () -> Void
}

/// The bodies of the present execution; the explorer's callback has no room for them.
nonisolated(unsafe) private var current: [() -> Void] = []

/// Ends the execution as failed if the condition does not hold.
func require(_ holds: Bool, _ what: StaticString) {
  if !holds {
    unsafe explorer_require(
      false,
      UnsafeRawPointer(what.utf8Start).assumingMemoryBound(to: CChar.self)
    )
  }
}

/// The end of an exploration.
enum Outcome {
  case holds(ExplorerStatistics)
  /// The shortest failure is kept for `explorer_print_failure`.
  case fails
}

extension Model {
  /// Runs one execution.
  private func runOnce() -> ExplorerEnd {
    let run = makeRun()
    unsafe current = run.threads
    let end = unsafe explorer_run(
      Int32(run.threads.count),
      { _, thread in unsafe current[Int(thread)]() },
      nil,
    )
    // Its checks count only where all threads have ended.
    run.finish()
    guard end == EXPLORER_COMPLETE else { return end }
    return unsafe explorer_failure() == nil ? end : EXPLORER_FAILED
  }

  /// Runs all executions.
  ///
  /// After one that fails, only shorter ones count, so that the last failure is the shortest.
  func explore() -> Outcome {
    explorer_begin()
    var failures = 0
    repeat {
      if runOnce() == EXPLORER_FAILED {
        failures += 1
        explorer_keep_failure()
      }
    } while explorer_next()
    return failures == 0 ? .holds(explorer_statistics()) : .fails
  }
}
