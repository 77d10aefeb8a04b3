// SPDX-License-Identifier: MIT

internal import Dispatch
internal import Synchronization

/// Writes the state to its file on a queue of its own, and says how long to collect changes before.
final class StateStore: Sendable {
  /// The shortest time for which changes are collected before they are written.
  static let delay = Duration.milliseconds(40)
  /// The share of time for writing during constant changes, as a divisor.
  private static let share = 4

  private struct Progress {
    /// Whether a change waits to be written.
    var isDue = false
    var saved: KeptState?
    /// The duration of the last writing.
    var cost = Duration.zero
  }

  private let file: StateFile
  private let complain: @Sendable (String) -> Void
  private let queue = DispatchQueue(label: "multiroute.state")
  private let progress = Mutex(Progress())

  /// Makes a store. [any-thread]
  ///
  /// - Parameters:
  ///   - file: The file to write.
  ///   - saved: The state that is in the file.
  ///   - complain: Receives the reason when a file could not be written; the next change tries again.
  init(file: StateFile, saved: KeptState?, complain: @escaping @Sendable (String) -> Void) {
    self.file = file
    self.complain = complain
    progress.withLock { $0.saved = saved }
  }

  /// Notes that the state has changed. [any-thread]
  ///
  /// - Returns: The time after which the caller has to ``write(_:)`` it; nil where a writing is due already.
  func noteChange() -> Duration? {
    progress.withLock { progress in
      defer { progress.isDue = true }
      return progress.isDue ? nil : max(Self.delay, progress.cost * Self.share)
    }
  }

  /// Writes the state that ``noteChange()`` has announced, behind what is being written. [any-thread]
  func write(_ state: KeptState) {
    progress.withLock { $0.isDue = false }
    queue.async { self.save(state) }
  }

  /// Writes the state now, after a writing that is in progress. [control-thread]
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
