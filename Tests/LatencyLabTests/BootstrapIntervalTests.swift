// SPDX-License-Identifier: MIT

import LatencyLab
import Testing

@Suite struct BootstrapIntervalTests {
  @Test func emptySamplesGiveNoInterval() {
    #expect(BootstrapInterval.medianDifference(from: [], to: [1]) == nil)
  }
}
