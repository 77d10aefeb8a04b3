// SPDX-License-Identifier: MIT

import Dispatch
import Glibc
import TestSupport
import Testing

/// The check that says who blocks the threads that all tasks share, in processes that do.
struct PoolProbeTests {
  /// Waits as nobody may in a task.
  @inline(never)
  private static func blocks(until moment: ContinuousClock.Instant) {
    while ContinuousClock.now < moment { _ = DispatchSemaphore(value: 0).wait(timeout: .now() + 1) }
  }

  /// Has as many tasks as there are processors do something until a moment.
  private static func inAllThreads(
    for time: Duration,
    _ body: @escaping @Sendable (ContinuousClock.Instant) -> Void,
  ) async {
    // The probe begins half a second after its process.
    try? await Task.sleep(for: .milliseconds(600))
    let end = ContinuousClock.now + time
    await withTaskGroup { group in
      for _ in 0..<sysconf(Int32(_SC_NPROCESSORS_ONLN)) { group.addTask { body(end) } }
    }
  }

  @Test func `tasks that block all threads of the pool are found, with their stacks`() async throws
  {
    let result = try await #require(
      processExitsWith: .exitCode(7),
      observing: [\.standardErrorContent]
    ) {
      PoolProbe.onFinding { text in
        _ = unsafe text.withCString { unsafe write(STDERR_FILENO, $0, strlen($0)) }
        _exit(7)
      }
      await Self.inAllThreads(for: .seconds(60)) { Self.blocks(until: $0) }
    }
    let errors = String(decoding: result.standardErrorContent, as: UTF8.self)
    #expect(errors.contains("pool blocked for "), "\(errors)")
    // The function, and the line in which it waits.
    #expect(errors.contains("PoolProbeTests.(blocks "), "\(errors)")
    #expect(errors.contains("PoolProbeTests.swift:13"), "\(errors)")
  }

  @Test func `tasks that compute hold the pool up, and are no finding`() async {
    await #expect(processExitsWith: .success) {
      PoolProbe.onFinding { _ in _exit(7) }
      await Self.inAllThreads(for: .seconds(2)) { while ContinuousClock.now < $0 {} }
    }
  }

  @Test func `tasks that wait as they should are no finding`() async {
    await #expect(processExitsWith: .success) {
      PoolProbe.onFinding { _ in _exit(7) }
      await withTaskGroup { group in
        for _ in 0..<100 {
          // The time in which the probe looks some twenty times.
          group.addTask { try? await Task.sleep(for: .seconds(2)) }
          group.addTask { await onOwnThread { Self.blocks(until: .now + .seconds(2)) } }
        }
      }
    }
  }
}
