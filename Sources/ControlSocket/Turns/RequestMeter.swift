// SPDX-License-Identifier: MIT

import Synchronization

/// An executor of one thread that can say how long it was busy with the present job.
///
/// Safe from any thread: [any-thread].
public protocol MeteredExecutor: TaskExecutor {
  /// Calls a closure with the time that the present job has taken, in nanoseconds, when it ends or begins to wait.
  ///
  /// Call it from a job of this executor.
  func reportPresentJob(_ report: @escaping @Sendable (_ nanoseconds: UInt64) -> Void)
}

/// Measures the time that a request takes on the thread of its executor.
///
/// A request that waits for something leaves the thread and comes back. The stretch until it first waits and the one that
/// writes its answer are measured; most requests are one stretch.
///
/// Safe from any thread: [any-thread].
final class RequestMeter: Sendable {
  private let executor: (any MeteredExecutor)?
  private let hasLeft = Atomic(false)
  private let report: @Sendable (_ nanoseconds: UInt64, _ isFirst: Bool) -> Void

  /// Makes a meter; without an executor the first stretch is reported as 0 at its beginning.
  ///
  /// - Parameters:
  ///   - executor: The executor that runs the request.
  ///   - report: Called at the end of the first stretch, and of the last one if that is another.
  init(
    executor: (any MeteredExecutor)?,
    report: @escaping @Sendable (_ nanoseconds: UInt64, _ isFirst: Bool) -> Void,
  ) {
    self.executor = executor
    self.report = report
  }

  /// Measures the first stretch; call it at the beginning of the request.
  func begin() {
    guard let executor else { return report(0, true) }
    executor.reportPresentJob { time in
      self.hasLeft.store(true, ordering: .relaxed)
      self.report(time, true)
    }
  }

  /// Measures the last stretch; call it when the answer is written.
  ///
  /// - Parameter deliver: Called after all reports.
  func end(_ deliver: @escaping @Sendable () -> Void) {
    guard let executor else { return deliver() }
    let isOtherStretch = hasLeft.load(ordering: .relaxed)
    executor.reportPresentJob { time in
      if isOtherStretch { self.report(time, false) }
      deliver()
    }
  }
}
