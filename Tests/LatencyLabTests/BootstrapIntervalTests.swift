// SPDX-License-Identifier: MIT

import LatencyLab
import Testing

@Suite struct BootstrapIntervalTests {
  @Test func refusesWhatItCannotUse() {
    #expect(BootstrapInterval.medianDifference(from: [], to: [1]) == nil)
    #expect(BootstrapInterval.medianDifference(from: [1], to: []) == nil)
    #expect(BootstrapInterval.medianDifference(from: [1], to: [1], confidence: 1) == nil)
    #expect(BootstrapInterval.medianDifference(from: [1], to: [1], replicates: 99) == nil)
  }

  @Test func givesTheSameIntervalForTheSameSeed() {
    let (a, b) = ([1.0, 2, 3, 4, 5], [2.0, 3, 4, 5, 9])
    let first = BootstrapInterval.medianDifference(from: a, to: b, seed: 3)
    #expect(first != nil)
    #expect(first == BootstrapInterval.medianDifference(from: a, to: b, seed: 3))
  }

  /// A 90 % interval holds the true difference in about nine of ten experiments.
  @Test func coversTheTruthAboutAsOftenAsItClaims() async throws {
    var random = TestRandom(11)
    var covered = 0
    for experiment in 0..<200 {
      await Task.yield()
      let a = (0..<25).map { _ in random.normal() }
      let b = (0..<25).map { _ in random.normal() + 1 }
      let interval = try #require(
        BootstrapInterval.medianDifference(
          from: a,
          to: b,
          confidence: 0.9,
          replicates: 200,
          seed: UInt64(experiment)
        )
      )
      if interval.lower <= 1, interval.upper >= 1 { covered += 1 }
    }
    #expect((168...198).contains(covered), "\(covered) of 200")
  }

  @Test func constantSamplesGiveAnIntervalWithoutWidth() throws {
    let interval = try #require(
      BootstrapInterval.medianDifference(from: [3, 3, 3], to: [5, 5, 5])
    )
    #expect(interval.difference == 2 && interval.lower == 2 && interval.upper == 2)
    #expect(interval.excludesZero)
  }
}
