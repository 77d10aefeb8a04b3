// SPDX-License-Identifier: MIT

import LatencyLab
import Testing

@Suite struct JitterStatisticsTests {
  @Test func percentilesOfKnownTimes() {
    var statistics = JitterStatistics()
    for microseconds in 1...1000 { statistics.record(nanoseconds: Int64(microseconds) * 1000) }
    let distribution = statistics.distribution
    #expect(distribution.count == 1000)
    // Three significant digits: within 0.1 %.
    let figures = [
      (distribution.p50Microseconds, 500.0), (distribution.p90Microseconds, 900),
      (distribution.p99Microseconds, 990), (distribution.p999Microseconds, 999),
      (distribution.maximumMicroseconds, 1000), (distribution.minimumMicroseconds, 1),
      (distribution.meanMicroseconds, 500.5),
    ]
    for (found, expected) in figures { #expect(abs(found - expected) <= expected * 0.001) }
    #expect(distribution.buckets.map(\.count).reduce(0, +) == 1000)
    #expect(
      distribution.buckets.map(\.microseconds) == distribution.buckets.map(\.microseconds).sorted()
    )
  }

  @Test func clampsWhatIsOutOfRange() {
    var statistics = JitterStatistics()
    statistics.record(nanoseconds: -5)
    statistics.record(nanoseconds: .max)
    #expect(statistics.clampedCount == 1)
    #expect(statistics.distribution.minimumMicroseconds == 0)
    #expect(abs(statistics.distribution.maximumMicroseconds - 10_000_000) < 10_000)
  }

  @Test func anEmptyOneIsAllZero() {
    let distribution = JitterStatistics().distribution
    #expect(distribution.count == 0)
    #expect(distribution.maximumMicroseconds == 0)
    #expect(distribution.buckets.isEmpty)
  }

  @Test func mergesCounts() {
    var a = JitterStatistics()
    var b = JitterStatistics()
    a.record(nanoseconds: 1000)
    b.record(nanoseconds: 9000)
    b.record(nanoseconds: -1)
    a.merge(b)
    #expect(a.count == 3)
    #expect(a.clampedCount == 1)
  }
}
