// SPDX-License-Identifier: MIT

import Glibc
import Testing

@testable import LatencyLab

@Suite struct CrowdReadingTests {
  private static let level: Float = 1 / 256
  private static let gain = Float(pow(10, -4.18 / 20))

  /// A recording of stretches: the clients on both paths, and the length of the stretch in frames.
  private func read(
    clients: Int,
    _ stretches: (direct: Int, strip: Int, frames: Int)...,
  ) -> CrowdReading {
    let samples = stretches.flatMap { stretch -> [Float] in
      var sum: Float = 0
      for _ in 0..<stretch.direct { sum += Self.level }
      for _ in 0..<stretch.strip { sum += Self.level * Self.gain }
      return [Float](repeating: sum, count: stretch.frames)
    }
    return CrowdReading(
      samples,
      clients: clients,
      levelLinear: Self.level,
      stripGainLinear: Self.gain,
    )
  }

  @Test func `a crowd that moves client by client has no gap`() {
    let reading = read(
      clients: 3,
      (0, 0, 10),
      (1, 0, 5),
      (1, 1, 5),
      (0, 2, 5),
      (1, 2, 5),
      (0, 3, 9)
    )
    #expect(reading.gapFrames == 0)
    #expect(reading.longestGapFrames == 0)
    #expect(reading.doubledFrames == 0)
    #expect(reading.unreadableFrames == 0)
    #expect(reading.stripClients == 3)
  }

  @Test func `missing clients count frame by frame`() {
    let reading = read(
      clients: 3,
      (3, 0, 10),
      (1, 0, 4),
      (2, 0, 2),
      (0, 3, 5),
      (0, 2, 3),
      (0, 3, 1)
    )
    #expect(reading.gapFrames == 2 * 4 + 2 + 3)
    #expect(reading.longestGapFrames == 6)
    #expect(reading.stripClients == 3)
  }

  @Test func `a client that is heard on both paths is doubled`() {
    let reading = read(clients: 2, (2, 0, 10), (2, 1, 7), (0, 2, 10))
    #expect(reading.doubledFrames == 7)
    #expect(reading.gapFrames == 0)
  }

  /// Every pair of counts must have a sum of its own, in the precision of the recording.
  @Test(arguments: [(100, 0), (0, 100), (37, 63), (50, 50), (1, 99), (99, 1)])
  func `a hundred clients are counted on both paths`(direct: Int, strip: Int) {
    let reading = read(clients: 100, (direct, strip, 3))
    #expect(reading.unreadableFrames == 0)
    #expect(reading.stripClients == strip)
    #expect(reading.gapFrames == 0)
  }

  @Test func `a level between the steps is unreadable`() {
    let reading = CrowdReading(
      [Self.level * 0.3],
      clients: 1,
      levelLinear: Self.level,
      stripGainLinear: Self.gain,
    )
    #expect(reading.unreadableFrames == 1)
  }
}
