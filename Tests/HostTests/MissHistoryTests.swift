// SPDX-License-Identifier: MIT

import Testing

@testable import Host

struct MissHistoryTests {
  private static let second: UInt64 = 1_000_000_000

  @Test func `a miss is told of once nothing has explained it, and not again for a while`() {
    var history = MissHistory()
    history.note(count: 1, nowNanoseconds: 0)
    var told = [MissHistory.doubtNanoseconds - 1, MissHistory.doubtNanoseconds].map {
      history.tell(nowNanoseconds: $0)
    }
    history.note(count: 2, nowNanoseconds: Self.second)
    told.append(history.tell(nowNanoseconds: 2 * Self.second))
    history.note(count: 3, nowNanoseconds: 12 * Self.second)
    told.append(history.tell(nowNanoseconds: 13 * Self.second))
    #expect(told == [false, true, false, true])
  }

  @Test func `what the end of a node explains is not told of`() {
    var history = MissHistory()
    history.note(count: 1, nowNanoseconds: 0)
    history.forgive(count: 2)
    history.note(count: 2, nowNanoseconds: Self.second)
    let isTold = history.tell(nowNanoseconds: 2 * Self.second)
    #expect(!isTold)
  }

  @Test func `twenty within ten seconds are a habit, over a longer time they are none`() {
    for (milliseconds, isHabit) in [(UInt64(400), true), (600, false)] {
      var history = MissHistory()
      var now: UInt64 = 0
      for count in 1...20 {
        history.note(count: count, nowNanoseconds: now)
        now += milliseconds * 1_000_000
      }
      now += MissHistory.doubtNanoseconds
      history.note(count: 20, nowNanoseconds: now)
      #expect(history.isHabit(nowNanoseconds: now) == isHabit)
    }
  }
}
