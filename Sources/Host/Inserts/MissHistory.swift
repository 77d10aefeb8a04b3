// SPDX-License-Identifier: MIT

/// When the sound of a strip's nodes has been missing of late, though they run.
///
/// A miss counts once nothing has explained it for a while: JACK tells of a client's end only after some
/// periods.
struct MissHistory: Sendable {
  /// How long a miss waits for what explains it.
  static let doubtNanoseconds: UInt64 = 300_000_000
  /// So many within `ageNanoseconds` are a habit.
  static let habitCount = 20
  /// How long a miss is remembered, and the least time between two that are told.
  static let ageNanoseconds: UInt64 = 10_000_000_000

  private var seen = 0
  private var nanoseconds: [UInt64] = []
  private var toldNanoseconds: UInt64?

  /// Takes in how many there have been.
  mutating func note(count: Int, nowNanoseconds: UInt64) {
    nanoseconds.removeAll { nowNanoseconds &- $0 > Self.ageNanoseconds }
    if count != seen { nanoseconds.append(nowNanoseconds) }
    seen = count
  }

  /// Lets those so far be.
  mutating func forgive(count: Int) {
    nanoseconds.removeAll()
    seen = count
  }

  /// Whether nodes are late again and again.
  func isHabit(nowNanoseconds now: UInt64) -> Bool { unexplained(now) >= Self.habitCount }

  /// Whether somebody is to be told now; then not again for a while.
  mutating func tell(nowNanoseconds now: UInt64) -> Bool {
    guard unexplained(now) > 0, toldNanoseconds.map({ now &- $0 >= Self.ageNanoseconds }) ?? true
    else { return false }
    toldNanoseconds = now
    return true
  }

  private func unexplained(_ now: UInt64) -> Int {
    nanoseconds.count { now &- $0 >= Self.doubtNanoseconds }
  }
}
