// SPDX-License-Identifier: MIT

internal import JACK
internal import Synchronization

/// The outcome of a cycle of a place's nodes.
enum ReturnOutcome: BitwiseCopyable {
  /// The sound has returned in time.
  case here
  /// The sound has not returned in time, or is not trusted yet.
  case missing
  /// The sound is not to be heard.
  case unwanted
}

/// Takes the sound that the nodes of a strip or route return, cycle by cycle, and does without it
/// where it is late.
///
/// After a miss the taker waits again only once the sound has come for `holdSeconds` without a gap.
/// So a node that is dead or stopped delays the host's other strips only once (IAA-6). Made and
/// freed by the control thread.
@safe
struct ReturnTaker: ~Copyable {
  static let holdSeconds = 0.1

  let handover: CycleHandover
  private let holdFrames: Int
  private var leftFrames = 0
  private let missed = Atomic<Int>(0)
  private let missedCycles = Atomic<Int>(0)

  /// Makes a taker of the sound that comes through `handover`. [control-thread]
  init(handover: CycleHandover, sampleRateHz: Double) {
    self.handover = handover
    holdFrames = Int(sampleRateHz * Self.holdSeconds)
  }

  /// The number of times that the sound began to be missing. [control-thread]
  var missCount: Int { missed.load(ordering: .relaxed) }

  /// The number of cycles in which wanted sound was missing. [control-thread]
  var missedCycleCount: Int { missedCycles.load(ordering: .relaxed) }

  /// Determines the outcome of this cycle; waits until the deadline at most.
  ///
  /// - Parameters:
  ///   - isWanted: Whether the sound is to be heard; if not, the taker does not wait.
  ///   - deadlineNanoseconds: On CLOCK_MONOTONIC.
  ///   - scope: The cycle.
  /// - Returns: The outcome.
  ///
  /// [audio-thread]
  @_noLocks @_noAllocation
  mutating func take(
    isWanted: Bool,
    until deadlineNanoseconds: UInt64,
    _ scope: borrowing ProcessScope,
  ) -> ReturnOutcome {
    guard leftFrames > 0 else {
      guard isWanted else { return .unwanted }
      if handover.take(scope, until: deadlineNanoseconds) { return .here }
      Self.increment(missed)
      Self.increment(missedCycles)
      leftFrames = holdFrames
      return .missing
    }
    leftFrames = handover.isAlive(scope) ? leftFrames - Int(scope.frames) : holdFrames
    guard isWanted else { return .unwanted }
    Self.increment(missedCycles)
    return .missing
  }

  /// Adds one; only this thread writes. [audio-thread]
  @_noLocks @_noAllocation
  private static func increment(_ count: borrowing Atomic<Int>) {
    count.store(count.load(ordering: .relaxed) &+ 1, ordering: .relaxed)
  }
}
