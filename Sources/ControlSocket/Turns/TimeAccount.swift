// SPDX-License-Identifier: MIT

/// The time of the host that a connection, or a process, has used.
///
/// Time that is used at a higher rate than its share becomes a debt. The smaller debt is served first, so a client that asks
/// now and then comes before all that ask without a pause. A debt is forgiven after a second at most.
///
/// The caller passes the time, in nanoseconds of any steady clock.
///
/// Pure value: [any-thread].
struct TimeAccount {
  /// The longest time until a debt is forgiven.
  static let longestDebtNanoseconds: UInt64 = 1_000_000_000

  /// The share of the time that leads to no debt, up to 1.
  private let share: Double
  /// When there will be no more debt.
  private var clearNanoseconds: UInt64 = 0

  /// Makes the account of one that has used nothing.
  init(share: Double) { self.share = share }

  /// Adds used time.
  mutating func charge(_ usedNanoseconds: UInt64, nowNanoseconds: UInt64) {
    let debt = UInt64(Double(usedNanoseconds) / share)
    let clear = max(clearNanoseconds, nowNanoseconds) + debt
    clearNanoseconds = min(clear, nowNanoseconds + Self.longestDebtNanoseconds)
  }

  /// When there will be no more debt; 0 without a debt.
  func clear(nowNanoseconds: UInt64) -> UInt64 {
    clearNanoseconds > nowNanoseconds ? clearNanoseconds : 0
  }
}
