// SPDX-License-Identifier: MIT

internal import GraphFiles

/// The misses of a place in the last seconds while its nodes ran.
///
/// A miss counts if it stays unexplained for `doubtNanoseconds`, because JACK reports a client's end only after
/// some periods. Pure value: [any-thread].
struct MissHistory: Sendable {
  /// The time in which the end of a client can explain a miss.
  static let doubtNanoseconds: UInt64 = 300_000_000
  /// The number of misses within `ageNanoseconds` that makes a node late.
  static let limitCount = 20
  /// The time for which a miss counts, and the shortest time between two reports.
  static let ageNanoseconds: UInt64 = 10_000_000_000

  private var seen = 0
  private var nanoseconds: [UInt64] = []
  private var reportedNanoseconds: UInt64?

  /// Notes the number of misses so far.
  mutating func note(count: Int, nowNanoseconds: UInt64) {
    nanoseconds.removeAll { nowNanoseconds &- $0 > Self.ageNanoseconds }
    if count != seen { nanoseconds.append(nowNanoseconds) }
    seen = count
  }

  /// Forgets the misses so far, because something explains them.
  mutating func forgive(count: Int) {
    nanoseconds.removeAll()
    seen = count
  }

  /// Whether there are too many misses.
  func isTooFrequent(nowNanoseconds now: UInt64) -> Bool { unexplained(now) >= Self.limitCount }

  /// Whether a report is due now; false for `ageNanoseconds` after that.
  mutating func takeReport(nowNanoseconds now: UInt64) -> Bool {
    let isRecent = reportedNanoseconds.map { now &- $0 < Self.ageNanoseconds } ?? false
    guard unexplained(now) > 0, !isRecent else { return false }
    reportedNanoseconds = now
    return true
  }

  private func unexplained(_ now: UInt64) -> Int {
    nanoseconds.count { now &- $0 >= Self.doubtNanoseconds }
  }
}

/// The times at which a node that was bypassed as late is tried again: after 5 s, 10 s … 60 s.
///
/// Pure value: [any-thread].
struct LateRetries: Sendable {
  private static let firstWaitSeconds: UInt64 = 5
  private static let longestWaitSeconds: UInt64 = 60

  private var count = 0
  private var dueNanoseconds: UInt64?
  private var triedNanoseconds: UInt64?

  /// Whether another try is planned.
  var isWaiting: Bool { dueNanoseconds != nil }

  /// Notes that the node was late, and plans the next try.
  ///
  /// - Parameters:
  ///   - policy: `never` plans no try, `once` plans one, `always` plans all. After `UsedNode.steadyNanoseconds`
  ///     without a fault the count begins anew.
  ///   - now: The time on the host's clock.
  /// - Returns: The time in seconds until the next try; nil without one.
  mutating func noteLate(
    _ policy: GraphFile.NodeUse.Restart,
    nowNanoseconds now: UInt64,
  ) -> UInt64? {
    let tried = triedNanoseconds.map { now &- $0 } ?? 0
    if policy == .always, tried >= UsedNode.steadyNanoseconds { count = 0 }
    let isTriedAgain =
      switch policy {
      case .never: false
      case .once: count == 0
      case .always: true
      }
    guard isTriedAgain else {
      dueNanoseconds = nil
      return nil
    }
    let seconds = min(Self.longestWaitSeconds, Self.firstWaitSeconds << UInt64(min(count, 4)))
    count += 1
    dueNanoseconds = now &+ seconds * 1_000_000_000
    return seconds
  }

  /// Whether a try is due; true only once.
  mutating func isDue(nowNanoseconds now: UInt64) -> Bool {
    guard let due = dueNanoseconds, now >= due else { return false }
    dueNanoseconds = nil
    triedNanoseconds = now
    return true
  }
}
