// SPDX-License-Identifier: MIT

internal import Dispatch
internal import Synchronization

/// Writes the state a moment after it has changed: many changes at once make one file.
final class StateStore: Sendable {
  /// How long changes are collected before they are written, at least.
  static let delay = Duration.milliseconds(40)
  /// The share of the time that writing may take while changes never end: one in so many.
  private static let share = 4

  private struct Progress {
    var isScheduled = false
    var saved: KeptState?
    /// How long the last writing took.
    var cost = Duration.zero
  }

  private let file: StateFile
  private let complain: @Sendable (String) -> Void
  private let queue = DispatchQueue(label: "multiroute.state")
  private let progress = Mutex(Progress())

  /// Makes a store.
  ///
  /// - Parameters:
  ///   - file: Where the state goes.
  ///   - saved: What is in it.
  ///   - complain: Told why a file could not be written; the next change tries again.
  init(file: StateFile, saved: KeptState?, complain: @escaping @Sendable (String) -> Void) {
    self.file = file
    self.complain = complain
    progress.withLock { $0.saved = saved }
  }

  /// Has the state written soon. [any-thread]
  ///
  /// - Parameter snapshot: Gives the state as it is when it is written.
  func changed(_ snapshot: @escaping @Sendable () async -> KeptState?) {
    let delay = progress.withLock { progress -> Duration? in
      defer { progress.isScheduled = true }
      return progress.isScheduled ? nil : max(Self.delay, progress.cost * Self.share)
    }
    guard let delay else { return }
    Task {
      try? await Task.sleep(for: delay)
      progress.withLock { $0.isScheduled = false }
      guard let state = await snapshot() else { return }
      queue.async { self.save(state) }
    }
  }

  /// Writes the state now, behind what is being written. [control-thread]
  func flush(_ state: KeptState) { queue.sync { save(state) } }

  private func save(_ state: KeptState) {
    guard progress.withLock({ $0.saved != state }) else { return }
    let start = ContinuousClock.now
    do throws(StateFile.Fault) {
      try file.save(state)
      progress.withLock { progress in
        progress.saved = state
        progress.cost = ContinuousClock.now - start
      }
    } catch {
      complain("the state cannot be kept: \(error)")
    }
  }
}
