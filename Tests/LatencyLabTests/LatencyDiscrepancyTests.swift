// SPDX-License-Identifier: MIT

import LatencyLab
import Testing

@Suite struct LatencyDiscrepancyTests {
  private static let claim = LatencyClaim(
    basis: .hardwareLoop,
    minimumFrames: 128,
    maximumFrames: 192
  )

  @Test(arguments: [
    (128.0, LatencyDiscrepancy.agrees), (127.6, .agrees), (192.4, .agrees),
    (100, .overreported(frames: 28)), (200, .unreported(frames: 8)),
    (256, .unreportedPeriods(count: 1)), (320.3, .unreportedPeriods(count: 2)),
  ])
  func namesTheDifference(frames: Double, expected: LatencyDiscrepancy) {
    let found = LatencyDiscrepancy(measuredFrames: frames, claim: Self.claim, bufferFrames: 64)
    #expect(found == expected)
    #expect(!found.description.isEmpty)
  }
}
