// SPDX-License-Identifier: MIT

import Testing

@testable import LatencyLab

@Suite struct MoveReadingTests {
  private func read(_ parts: (level: Float, frames: Int)...) -> MoveReading? {
    MoveReading(
      parts.flatMap { [Float](repeating: $0.level, count: $0.frames) },
      levelLinear: 0.5,
      stripGainLinear: 0.5,
    )
  }

  @Test func `a clean move has only a direct part`() throws {
    let reading = try #require(read((0, 10), (0.5, 300), (0.25, 100)))
    #expect(reading.start == 10)
    #expect(reading.directFrames == 300)
    #expect(reading.longestGapFrames == 0)
    #expect(reading.doubledFrames == 0)
    #expect(reading.isMoved)
  }

  @Test func `gaps, doubled samples and a move back are reported`() throws {
    let reading = try #require(
      read((0.5, 64), (0, 12), (0.75, 5), (0.25, 20), (0.5, 3), (0, 8), (0.25, 1))
    )
    #expect(reading.directFrames == 104)
    #expect(reading.longestGapFrames == 12)
    #expect(reading.doubledFrames == 5)
    #expect(reading.isMoved)
  }

  @Test func `a client that is never moved, or never heard, is reported`() throws {
    #expect(try #require(read((0.5, 64))).isMoved == false)
    #expect(read((0, 64)) == nil)
  }
}
