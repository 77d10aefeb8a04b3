// SPDX-License-Identifier: MIT

internal import GraphFiles

/// When a node that was bypassed because it came too late is tried again: after 5 s, 10 s … 60 s.
struct LateRetries: Sendable {
  private static let firstWaitSeconds: UInt64 = 5
  private static let longestWaitSeconds: UInt64 = 60

  private var count = 0
  private var dueNanoseconds: UInt64?
  private var triedNanoseconds: UInt64?

  /// Whether it is going to be tried.
  var isWaiting: Bool { dueNanoseconds != nil }

  /// Takes in that the node has come too late, again and again.
  ///
  /// - Parameters:
  ///   - policy: `never` tries nothing, `once` tries once, `always` goes on; after `NodeKeeper.steadyNanoseconds`
  ///     without a fault as if for the first time.
  ///   - now: On the host's clock.
  /// - Returns: In how many seconds it is tried again; nil where it is not.
  mutating func noteLate(
    _ policy: GraphFile.NodeUse.Restart,
    nowNanoseconds now: UInt64,
  ) -> UInt64? {
    let tried = triedNanoseconds.map { now &- $0 } ?? 0
    if policy == .always, tried >= NodeKeeper.steadyNanoseconds { count = 0 }
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

  /// Whether it is time to try it; then not again.
  mutating func isDue(nowNanoseconds now: UInt64) -> Bool {
    guard let due = dueNanoseconds, now >= due else { return false }
    dueNanoseconds = nil
    triedNanoseconds = now
    return true
  }
}
