// SPDX-License-Identifier: MIT

import Testing

@testable import Host

struct EnforcementBudgetTests {
  private static let second: UInt64 = 1_000_000_000

  @Test func `three times a minute, and again when a minute has passed`() {
    var budget = EnforcementBudget()
    let attempts = [10, 20, 30, 40, 69, 70, 71, 80].filter {
      budget.spend(nowNanoseconds: $0 * Self.second)
    }
    #expect(attempts == [10, 20, 30, 70, 80])
  }

  @Test func `in any window of a minute there are three changes at most`() {
    var budget = EnforcementBudget()
    var changes: [UInt64] = []
    for time in stride(from: UInt64(0), to: 600 * Self.second, by: 700_000_000)
    where budget.spend(nowNanoseconds: time) {
      changes.append(time)
    }
    #expect(changes.count > 20)
    for (first, fourth) in zip(changes, changes.dropFirst(3)) {
      #expect(fourth - first >= 60 * Self.second)
    }
  }
}
