// SPDX-License-Identifier: MIT

internal import JACK
internal import Synchronization

/// What became of a cycle of a place's nodes.
enum ReturnOutcome: BitwiseCopyable {
  /// It has come back.
  case here
  /// It has not come back in time, or is not trusted yet.
  case missing
  /// Nothing of it is to be heard.
  case unwanted
}

/// Takes what comes back from the nodes of a strip or route, cycle by cycle, and does without where it does not come
/// in time.
///
/// After a cycle without, it is not waited for again until it has come for `holdSeconds` without a gap: a node
/// that is dead or stopped costs the host's other strips nothing but one wait (IAA-6). Made and freed by the
/// control thread.
@safe
struct ReturnTaker: ~Copyable {
  static let holdSeconds = 0.1

  let handover: CycleHandover
  private let holdFrames: Int
  private var leftFrames = 0
  private let missed = Atomic<Int>(0)
  private let missedCycles = Atomic<Int>(0)

  init(handover: CycleHandover, sampleRateHz: Double) {
    self.handover = handover
    holdFrames = Int(sampleRateHz * Self.holdSeconds)
  }

  /// How often it has begun to do without. [control-thread]
  var missCount: Int { missed.load(ordering: .relaxed) }

  /// How many cycles it has done without, though they were wanted. [control-thread]
  var missedCycleCount: Int { missedCycles.load(ordering: .relaxed) }

  /// What has become of this cycle, which may take until the deadline to know.
  ///
  /// - Parameters:
  ///   - isWanted: Whether anything of it is to be heard; otherwise nothing is waited for.
  ///   - deadlineNanoseconds: On CLOCK_MONOTONIC.
  ///   - scope: The cycle.
  /// - Returns: What has become of it.
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

  /// Counts one more; nobody else writes. [audio-thread]
  @_noLocks @_noAllocation
  private static func increment(_ count: borrowing Atomic<Int>) {
    count.store(count.load(ordering: .relaxed) &+ 1, ordering: .relaxed)
  }
}
