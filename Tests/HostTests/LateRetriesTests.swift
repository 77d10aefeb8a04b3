// SPDX-License-Identifier: MIT

import GraphFiles
import Testing

@testable import Host

struct LateRetriesTests {
  private static let second: UInt64 = 1_000_000_000

  /// In how many seconds a node is tried again that is late again as soon as it is tried.
  private func waits(_ policy: GraphFile.NodeUse.Restart) -> [UInt64?] {
    var retries = LateRetries()
    var now: UInt64 = 0
    return (1...6).map { _ in
      let seconds = retries.noteLate(policy, nowNanoseconds: now)
      now += (seconds ?? 0) * Self.second
      _ = retries.isDue(nowNanoseconds: now)
      return seconds
    }
  }

  @Test func `a late node is tried again as its policy says, each time later`() {
    #expect(waits(.always) == [5, 10, 20, 40, 60, 60])
    #expect(waits(.once) == [5, nil, nil, nil, nil, nil])
    #expect(waits(.never).allSatisfy { $0 == nil })
  }

  @Test func `it is tried when its time has come, and not again`() {
    var retries = LateRetries()
    _ = retries.noteLate(.always, nowNanoseconds: 0)
    let due = [4, 5, 6].map { retries.isDue(nowNanoseconds: $0 * Self.second) }
    #expect(due == [false, true, false])
  }

  @Test func `a node that was in time for half a minute begins anew`() {
    var retries = LateRetries()
    for now: UInt64 in [0, 10] {
      _ = retries.noteLate(.always, nowNanoseconds: now * Self.second)
      _ = retries.isDue(nowNanoseconds: (now + 60) * Self.second)
    }
    let seconds = retries.noteLate(.always, nowNanoseconds: 110 * Self.second)
    #expect(seconds == 5)
  }
}
