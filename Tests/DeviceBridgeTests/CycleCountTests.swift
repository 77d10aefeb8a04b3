// SPDX-License-Identifier: MIT

import DeviceBridge
import Testing

struct CycleCountTests {
  /// Calls with these frame times, 256 frames each.
  private func lost(_ times: [UInt32], _ count: inout CycleCount) -> [Int] {
    times.map { time in
      let lost = count.begin(frameTime: time)
      count.end(frames: 256)
      return lost
    }
  }

  @Test func `one call for each cycle loses no frame, and the count wraps`() {
    var count = CycleCount()
    let start = UInt32.max - 600
    #expect(lost((0..<6).map { start &+ 256 * $0 }, &count) == [0, 0, 0, 0, 0, 0])
    #expect(count.clockFrames == 5 * 256)
    #expect(count.audioFrames == 6 * 256)
  }

  @Test func `a call that is late, with the next one right behind it, loses no frame`() {
    var count = CycleCount()
    #expect(lost([0, 512], &count) == [0, 0])
    // The clock is at the cycle that runs, the audio at the one that was called for.
    #expect(count.clockFrames == 512)
    #expect(count.audioFrames == 512)
    #expect(lost([512], &count) == [0])
    #expect(!count.hasMoved)
    #expect(lost([768], &count) == [0])
    #expect(count.hasMoved)
    #expect(count.audioFrames == 1024)
  }

  @Test func `a cycle without a call is reported with the next one`() {
    var count = CycleCount()
    #expect(lost([0, 512, 768, 1024], &count) == [0, 0, 256, 0])
    #expect(count.audioFrames == 1280)
    // Three cycles went by, and the call of one of them came late.
    #expect(lost([2048, 2048, 2304, 2560], &count) == [0, 0, 512, 0])
    #expect(count.audioFrames == 2816)
  }

  @Test func `after a stop the audio belongs to where JACK is`() {
    var count = CycleCount()
    #expect(lost([0, 256], &count) == [0, 0])
    #expect(count.begin(frameTime: 100_000) == 0)
    count.align()
    count.end(frames: 512)
    #expect(count.audioFrames == 100_512)
    #expect(lost([100_512, 100_768], &count) == [0, 0])
  }
}
