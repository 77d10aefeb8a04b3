// SPDX-License-Identifier: MIT

import Testing

@testable import Host

struct MissHistoryTests {
  private static let second: UInt64 = 1_000_000_000

  @Test func `a miss is reported when it stays unexplained, and not again for a while`() {
    var history = MissHistory()
    history.note(count: 1, nowNanoseconds: 0)
    var reports = [MissHistory.doubtNanoseconds - 1, MissHistory.doubtNanoseconds].map {
      history.takeReport(nowNanoseconds: $0)
    }
    history.note(count: 2, nowNanoseconds: Self.second)
    reports.append(history.takeReport(nowNanoseconds: 2 * Self.second))
    history.note(count: 3, nowNanoseconds: 12 * Self.second)
    reports.append(history.takeReport(nowNanoseconds: 13 * Self.second))
    #expect(reports == [false, true, false, true])
  }

  @Test func `a miss that the end of a node explains is not reported`() {
    var history = MissHistory()
    history.note(count: 1, nowNanoseconds: 0)
    history.forgive(count: 2)
    history.note(count: 2, nowNanoseconds: Self.second)
    let isReported = history.takeReport(nowNanoseconds: 2 * Self.second)
    #expect(!isReported)
  }

  @Test func `twenty misses within ten seconds are too many, over a longer time they are not`() {
    for (milliseconds, isTooFrequent) in [(UInt64(400), true), (600, false)] {
      var history = MissHistory()
      var now: UInt64 = 0
      for count in 1...20 {
        history.note(count: count, nowNanoseconds: now)
        now += milliseconds * 1_000_000
      }
      now += MissHistory.doubtNanoseconds
      history.note(count: 20, nowNanoseconds: now)
      #expect(history.isTooFrequent(nowNanoseconds: now) == isTooFrequent)
    }
  }
}
