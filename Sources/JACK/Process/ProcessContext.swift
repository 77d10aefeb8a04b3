// SPDX-License-Identifier: MIT

internal import Synchronization

/// Argument of the process callback: the client, its counters, and the user's pointer.
///
/// Lives from opening to closing at one address. The audio thread alone writes the counters, and
/// `reset` asks it to clear the maxima, so that no update is ever lost.
@safe
struct ProcessContext: ~Copyable {
  var client: OpaquePointer?
  var userContext: UnsafeMutableRawPointer?
  /// The time that this callback has waited for other clients so far, which is not part of its own
  /// cost.
  var waitedNanoseconds: UInt64 = 0

  let cycles = Atomic<UInt64>(0)
  let lastNanoseconds = Atomic<UInt64>(0)
  let maxNanoseconds = Atomic<UInt64>(0)
  let totalNanoseconds = Atomic<UInt64>(0)
  let lastStartDelayNanoseconds = Atomic<UInt64>(0)
  let maxStartDelayNanoseconds = Atomic<UInt64>(0)
  let shouldReset = Atomic<Bool>(false)
  /// Whether JACK freewheels.
  let isFreewheeling = Atomic<Bool>(false)

  /// Adds one callback. [audio-thread]
  @_noLocks @_noAllocation
  func record(nanoseconds: UInt64, startDelayNanoseconds: UInt64) {
    if shouldReset.load(ordering: .relaxed) {
      shouldReset.store(false, ordering: .relaxed)
      cycles.store(0, ordering: .relaxed)
      totalNanoseconds.store(0, ordering: .relaxed)
      maxNanoseconds.store(0, ordering: .relaxed)
      maxStartDelayNanoseconds.store(0, ordering: .relaxed)
    }
    lastNanoseconds.store(nanoseconds, ordering: .relaxed)
    lastStartDelayNanoseconds.store(startDelayNanoseconds, ordering: .relaxed)
    let longest = maxNanoseconds.load(ordering: .relaxed)
    maxNanoseconds.store(max(longest, nanoseconds), ordering: .relaxed)
    let latest = maxStartDelayNanoseconds.load(ordering: .relaxed)
    maxStartDelayNanoseconds.store(max(latest, startDelayNanoseconds), ordering: .relaxed)
    let total = totalNanoseconds.load(ordering: .relaxed)
    totalNanoseconds.store(total &+ nanoseconds, ordering: .relaxed)
    cycles.store(cycles.load(ordering: .relaxed) &+ 1, ordering: .releasing)
  }

  /// The counters now. [any-thread]
  var statistics: ProcessStatistics {
    ProcessStatistics(
      cycles: cycles.load(ordering: .acquiring),
      lastNanoseconds: lastNanoseconds.load(ordering: .relaxed),
      maxNanoseconds: maxNanoseconds.load(ordering: .relaxed),
      totalNanoseconds: totalNanoseconds.load(ordering: .relaxed),
      lastStartDelayNanoseconds: lastStartDelayNanoseconds.load(ordering: .relaxed),
      maxStartDelayNanoseconds: maxStartDelayNanoseconds.load(ordering: .relaxed),
    )
  }
}

/// Cost of a client's process callback so far.
public struct ProcessStatistics: Equatable, Sendable {
  /// Callbacks since activation.
  public let cycles: UInt64
  /// Duration of the last callback.
  public let lastNanoseconds: UInt64
  /// Duration of the longest callback.
  public let maxNanoseconds: UInt64
  /// Duration of all callbacks together.
  public let totalNanoseconds: UInt64
  /// The time from the start of the last cycle to the start of its callback.
  public let lastStartDelayNanoseconds: UInt64
  /// The longest of these delays.
  public let maxStartDelayNanoseconds: UInt64

  /// The mean duration; 0 before the first callback.
  public var meanNanoseconds: UInt64 {
    cycles == 0 ? 0 : totalNanoseconds / cycles
  }
}
