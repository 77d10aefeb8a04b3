// SPDX-License-Identifier: MIT

/// The number of times that the host may restore a hardware value before it gives way (HW-2), so that two
/// programs never fight for ever.
///
/// Pure value: [any-thread].
struct EnforcementBudget: Sendable {
  /// The number within `windowNanoseconds`.
  let limit: Int
  /// The length of the window that counts.
  let windowNanoseconds: UInt64
  private var spentAt: [UInt64] = []

  /// Makes a budget; the default is three times a minute.
  init(limit: Int = 3, windowNanoseconds: UInt64 = 60_000_000_000) {
    self.limit = limit
    self.windowNanoseconds = windowNanoseconds
  }

  /// Takes one change out of the budget.
  ///
  /// - Parameter nowNanoseconds: The time on any clock that never goes back.
  /// - Returns: Whether the change may be made.
  mutating func spend(nowNanoseconds: UInt64) -> Bool {
    spentAt.removeAll { nowNanoseconds &- $0 >= windowNanoseconds }
    guard spentAt.count < limit else { return false }
    spentAt.append(nowNanoseconds)
    return true
  }
}
