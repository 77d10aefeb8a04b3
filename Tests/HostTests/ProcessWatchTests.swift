// SPDX-License-Identifier: MIT

import Testing

@testable import Host

struct ProcessWatchTests {
  /// Looks every 20 ms at two clients on a server of 64 frames at 48 kHz, until a stall is noticed.
  private func millisecondsUntilStall(
    within limit: Int,
    firstFrame: UInt32 = 0,
    counts: (_ milliseconds: Int) -> [UInt64],
    frames: (_ milliseconds: Int) -> Int,
  ) -> Int? {
    var watch = ProcessWatch()
    return stride(from: 0, through: limit, by: 20).first { time in
      watch.isStalled(
        cycles: counts(time),
        frame: firstFrame &+ UInt32(frames(time)),
        periodFrames: 64,
        nowNanoseconds: UInt64(time) * 1_000_000,
      )
    }
  }

  @Test func `clients that are called are not stalled, whatever the frame time`() {
    let stall = millisecondsUntilStall(
      within: 10_000,
      firstFrame: .max - 1000,
      counts: { [UInt64($0), UInt64($0 / 2)] },
      frames: { $0 * 48 },
    )
    #expect(stall == nil)
  }

  @Test func `one client without callbacks is noticed within half a second`() throws {
    let stall = millisecondsUntilStall(
      within: 10_000,
      firstFrame: .max - 48 * 1100,
      counts: { [UInt64($0), UInt64(min($0, 1000))] },
      frames: { $0 * 48 },
    )
    #expect((1400...1500).contains(try #require(stall)))
  }

  @Test func `clients that were never called are noticed too`() throws {
    let stall = millisecondsUntilStall(
      within: 10_000,
      counts: { _ in [0, 0] },
      frames: { $0 * 48 },
    )
    #expect((400...500).contains(try #require(stall)))
  }

  @Test func `a server that stands still itself is none of the host's stalls`() {
    let stall = millisecondsUntilStall(
      within: 10_000,
      counts: { [UInt64(min($0, 1000))] },
      frames: { min($0, 1000) * 48 },
    )
    #expect(stall == nil)
  }
}
