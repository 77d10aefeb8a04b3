// SPDX-License-Identifier: MIT

internal import Dispatch
internal import Synchronization

/// Writes the state to its files on a queue of its own, and says how long to collect changes before.
///
/// A state that could not be written, for instance to a full disk, is tried again by itself.
final class StateStore: Sendable {
  /// The shortest time for which changes are collected before they are written.
  static let delay = Duration.milliseconds(40)
  /// The pause before another try after a failure; it doubles with each failure.
  private static let firstPause = Duration.seconds(1)
  /// The longest pause between two tries.
  private static let longestPause = Duration.seconds(60)
  /// The share of time for writing during constant changes, as a divisor.
  private static let share = 4

  private struct Progress {
    /// Whether a change waits to be written.
    var isDue = false
    var saved: KeptState?
    /// The duration of the last writing.
    var cost = Duration.zero
    /// The newest state that could not be written.
    var unsaved: KeptState?
    /// The number of failures since the last success.
    var failures = 0
    /// Whether another try is planned.
    var isRetryPlanned = false
    /// Whether the program that runs the host knows of a user's change that is not written.
    var isReportedUnsaved = false
  }

  private let file: StateFile
  private let firstPause: Duration
  private let report: @Sendable (Bool) -> Void
  private let complain: @Sendable (String) -> Void
  private let queue = DispatchQueue(label: "multiroute.state")
  private let progress = Mutex(Progress())

  /// Makes a store. [any-thread]
  ///
  /// - Parameters:
  ///   - file: The files to write.
  ///   - saved: The state that is in the files.
  ///   - firstPause: The pause before another try after a failure; 1 s when left out.
  ///   - report: Receives whether there are unsaved changes of users, on change.
  ///   - complain: Receives the reason of the first of several failures, and that the state is kept again.
  init(
    file: StateFile,
    saved: KeptState?,
    firstPause: Duration = StateStore.firstPause,
    report: @escaping @Sendable (Bool) -> Void = { _ in },
    complain: @escaping @Sendable (String) -> Void,
  ) {
    self.file = file
    self.firstPause = firstPause
    self.report = report
    self.complain = complain
    progress.withLock { $0.saved = saved }
  }

  /// Notes that the state has changed. [any-thread]
  ///
  /// - Parameter isByUser: Whether the change counts as unsaved until it is written.
  /// - Returns: The time after which the caller has to ``write(_:)`` it; nil where a writing is due already.
  func noteChange(isByUser: Bool = true) -> Duration? {
    progress.withLock { progress in
      if isByUser, !progress.isReportedUnsaved {
        progress.isReportedUnsaved = true
        report(true)
      }
      defer { progress.isDue = true }
      return progress.isDue ? nil : max(Self.delay, progress.cost * Self.share)
    }
  }

  /// Writes the state that ``noteChange()`` has announced, behind what is being written. [any-thread]
  func write(_ state: KeptState) {
    progress.withLock { $0.isDue = false }
    queue.async { _ = self.save(state) }
  }

  /// Writes the state now, after a writing that is in progress. [control-thread]
  func flush(_ state: KeptState) { queue.sync { _ = save(state) } }

  /// Writes the state without holding up the caller, and waits for that. [any-thread]
  ///
  /// - Throws: The path and the system's reason; the state is then tried again by itself.
  func flushed(_ state: KeptState) async throws(KeptFile.Fault) {
    let fault = await withCheckedContinuation { done in
      queue.async { done.resume(returning: self.save(state)) }
    }
    if let fault { throw fault }
  }

  /// Writes a state that has changed; on the queue.
  private func save(_ state: KeptState) -> KeptFile.Fault? {
    let saved = progress.withLock { $0.saved }
    guard saved != state else {
      noteWritten { _ in }
      return nil
    }
    let start = ContinuousClock.now
    do throws(KeptFile.Fault) {
      try file.save(state, replacing: saved)
      var failures = 0
      noteWritten { progress in
        failures = progress.failures
        progress.failures = 0
        progress.saved = state
        progress.cost = ContinuousClock.now - start
      }
      if failures > 0 { complain("the state is kept again") }
      return nil
    } catch {
      let failures = progress.withLock { progress in
        // One of the files may have been replaced.
        progress.saved = nil
        progress.unsaved = state
        progress.failures += 1
        return progress.failures
      }
      if failures == 1 { complain("the state cannot be kept, and is tried again: \(error)") }
      planRetry(failures: failures)
      return error
    }
  }

  /// Notes that the newest known state is in the files.
  private func noteWritten(_ change: (inout Progress) -> Void) {
    progress.withLock { progress in
      change(&progress)
      progress.unsaved = nil
      guard !progress.isDue, progress.isReportedUnsaved else { return }
      progress.isReportedUnsaved = false
      report(false)
    }
  }

  /// Tries again after a pause, with the newest state that could not be written.
  private func planRetry(failures: Int) {
    let isPlanned = progress.withLock { progress in
      defer { progress.isRetryPlanned = true }
      return progress.isRetryPlanned
    }
    guard !isPlanned else { return }
    let pause = min(Self.longestPause, firstPause * (1 << min(failures - 1, 6)))
    queue.asyncAfter(deadline: .now() + .nanoseconds(Int(pause / .nanoseconds(1)))) { [weak self] in
      guard let self else { return }
      let unsaved = progress.withLock { progress in
        progress.isRetryPlanned = false
        return progress.unsaved
      }
      if let unsaved { _ = save(unsaved) }
    }
  }
}
