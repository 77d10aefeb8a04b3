// SPDX-License-Identifier: MIT

import TestSupport
import Testing

@testable import LatencyLab

@Suite struct SettingCostTests {
  @Test func saysWhatASettingCosts() {
    var cost = SettingCost(
      subject: "JACK's mode",
      words: "with -S against without",
      goodMicroseconds: 20,
      badMicroseconds: 50,
      lowerMicroseconds: 25,
      upperMicroseconds: 34,
      addedLatencyMicroseconds: 1333.33,
    )
    #expect(cost.line.contains("costs 30.0 µs, and 1333.3 µs from input to output"))
    cost.lowerMicroseconds = -5
    #expect(cost.line.contains("no difference beyond the noise"))
    cost.upperMicroseconds = -1
    #expect(cost.line.contains("saves -30.0 µs"))
  }

  @Test func saysWhyASettingCannotBeTried() {
    let trials = SettingCosts().trials()
    #expect(trials.possible.contains { $0.subject == "real-time priority" && $0.isUnderLoad })
    #expect(trials.impossible.contains { $0.subject == "kernel preemption" })
    for cost in trials.impossible {
      #expect(cost.line.hasPrefix("\(cost.subject): cannot be tried here: "))
    }
  }
}

extension JACKSuites {
  @Suite struct SettingCostTrials {
    @Test(.aloneWithJACK)
    func triesBothWays() async throws {
      var costs = SettingCosts()
      costs.rounds = 3
      costs.seconds = 0.5
      let found = try await costs.measure()
      let mode = try #require(found.first { $0.subject == "JACK's mode" })
      // One period of 64 frames at 48 kHz.
      #expect(abs((mode.addedLatencyMicroseconds ?? 0) - 1333.3) < 1)
      let lower = try #require(mode.lowerMicroseconds)
      let upper = try #require(mode.upperMicroseconds)
      #expect(lower <= upper)
    }
  }
}
