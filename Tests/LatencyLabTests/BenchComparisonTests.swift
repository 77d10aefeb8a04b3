// SPDX-License-Identifier: MIT

import LatencyLab
import Testing

@Suite struct BenchComparisonTests {
  private static func report(shiftMicroseconds: Double, seed: UInt64) -> BenchReport {
    var random = TestRandom(seed)
    return BenchReport(
      machine: SampleReport.machine,
      records: [64, 128].map { frames in
        SampleReport.record(
          rate: 48000,
          frames: frames,
          isSynchronous: true,
          shiftMicroseconds: frames == 64 ? shiftMicroseconds : 0,
          random: &random,
        )
      },
    )
  }

  @Test func findsAChangeAndOnlyThat() {
    let before = Self.report(shiftMicroseconds: 0, seed: 1)
    let after = Self.report(shiftMicroseconds: 10, seed: 2)
    let comparison = BenchComparison(before: before, after: after)
    #expect(comparison.rows.map(\.verdict) == [.higher, .withinNoise])
    #expect(comparison.changes.map(\.subject) == [comparison.rows[0].subject])
    #expect(
      BenchComparison(before: after, after: before).rows.map(\.verdict) == [.lower, .withinNoise]
    )
    #expect(comparison.table.contains("higher"))
  }

  @Test func equalReportsDifferInNothing() {
    let report = SampleReport.report
    let comparison = BenchComparison(before: report, after: report)
    #expect(comparison.rows.count == 36)
    #expect(comparison.rows.allSatisfy { $0.verdict == .withinNoise })
  }

  @Test func namesWhatCannotBeCompared() {
    let before = Self.report(shiftMicroseconds: 0, seed: 1)
    var after = before
    after.records[0].samples = ["wakeUp.p50.microseconds": [1, 2]]
    after.records[1].configuration.bufferFrames = 999
    after.machine.governor = "powersave"
    let comparison = BenchComparison(before: before, after: after)
    #expect(comparison.rows.map(\.verdict) == [.tooFewSamples])
    #expect(comparison.unmatched.count == 2)
    #expect(comparison.machineDifferences == ["governor was performance, is powersave"])
  }
}
