// SPDX-License-Identifier: MIT

internal import Dispatch

extension BackgroundThread {
  /// Runs `body`, which may block, on a new thread, and waits for what it returns without blocking one. [any-thread]
  ///
  /// A detached task must not block: all tasks share one thread for each processor, and two slow disks or programs
  /// would hold up a whole host. If the system has no thread, one of its pool does the work.
  ///
  /// - Parameters:
  ///   - name: Shown by `ps -L` and debuggers, cut to 15 bytes.
  ///   - body: The work; the thread ends with it.
  /// - Returns: The value of the body.
  package static func value<Value: Sendable>(
    name: String,
    _ body: @escaping @Sendable () -> Value,
  ) async -> Value {
    await withCheckedContinuation { continuation in
      let run: @Sendable () -> Void = { continuation.resume(returning: body()) }
      if !start(name: name, run) { DispatchQueue.global().async(execute: run) }
    }
  }
}
