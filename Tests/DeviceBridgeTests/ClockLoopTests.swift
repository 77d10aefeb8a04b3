// SPDX-License-Identifier: MIT

import DeviceBridge
import Testing

struct ClockLoopTests {
  /// Stamps every period of 256 frames, `latenessSeconds` after they were due.
  private func feed(
    _ loop: inout ClockLoop,
    periods: Range<Int>,
    rateHz: Double,
    stepSeconds: Double = 0,
    lateness: (Int) -> Double = { _ in 0 },
  ) {
    for period in periods {
      let due = Double(period * 256) / rateHz + stepSeconds
      loop.add(frames: Int64(period * 256), nanoseconds: Int64((due + lateness(period)) * 1e9))
    }
  }

  @Test(arguments: [48_000.0, 48_010, 47_952, 48_048])
  func `stamps on time give the clock's rate and place to a tenth of a frame`(rateHz: Double) {
    var loop = ClockLoop(nominalRateHz: 48_000)
    feed(&loop, periods: 0..<2000, rateHz: rateHz)
    #expect(loop.isRateKnown)
    #expect(abs(loop.rateHz / rateHz - 1) < 0.5e-6)
    #expect(abs(loop.frames(atNanoseconds: 11e9) - 11 * rateHz) < 0.1)
    #expect(abs(loop.nanoseconds(atFrames: 11 * rateHz) - 11e9) < 2_100)
  }

  @Test func `late stamps have no weight next to those on time`() {
    var loop = ClockLoop(nominalRateHz: 48_000)
    // Seven of eight are between 1 and 4 ms late.
    feed(&loop, periods: 0..<2000, rateHz: 48_010) { period in
      period % 8 == 0 ? 0 : 1e-3 * Double(1 + period * 7 % 4)
    }
    #expect(abs(loop.rateHz / 48_010 - 1) < 1e-6)
    #expect(abs(loop.frames(atNanoseconds: 10e9) - 480_100) < 1)
  }

  @Test func `a loop that has seen little says so`() {
    var loop = ClockLoop(nominalRateHz: 48_000)
    feed(&loop, periods: 0..<20, rateHz: 48_000)
    #expect(!loop.isSettled)
    #expect(!loop.isRateKnown)
    feed(&loop, periods: 20..<80, rateHz: 48_000)
    #expect(loop.isSettled)
  }

  @Test(arguments: [0.0005, -0.0005, 0.02, 1])
  func `a step of the clock is followed, and the rate kept`(stepSeconds: Double) {
    var loop = ClockLoop(nominalRateHz: 48_000)
    feed(&loop, periods: 0..<2000, rateHz: 48_010)
    feed(&loop, periods: 2000..<2250, rateHz: 48_010, stepSeconds: stepSeconds)
    #expect(loop.steps == 1)
    let expected = (12 - stepSeconds) * 48_010
    #expect(abs(loop.frames(atNanoseconds: 12e9) - expected) < 1)
    #expect(abs(loop.rateHz / 48_010 - 1) < 1e-6)
  }

  @Test(arguments: [0.002, 0.005, 0.02, 0.1], [2, 8, 20, 40, 60])
  func `steps while little is known spoil the rate for a moment only`(
    stepSeconds: Double,
    period: Int,
  ) {
    var loop = ClockLoop(nominalRateHz: 48_000)
    feed(&loop, periods: 0..<period, rateHz: 48_010)
    feed(&loop, periods: period..<(period + 15), rateHz: 48_010, stepSeconds: stepSeconds)
    feed(&loop, periods: (period + 15)..<1600, rateHz: 48_010, stepSeconds: 2 * stepSeconds)
    #expect(abs(loop.rateHz / 48_010 - 1) < 20e-6)
    let expected = (8.5 - 2 * stepSeconds) * 48_010
    #expect(abs(loop.frames(atNanoseconds: 8.5e9) - expected) < 4)
    #expect(loop.steps <= 8)
  }

  @Test func `a clock that is off by half a hundredth is followed, and through a step`() {
    var loop = ClockLoop(nominalRateHz: 48_000)
    feed(&loop, periods: 0..<1000, rateHz: 48_240)
    #expect(abs(loop.rateHz / 48_240 - 1) < 20e-6)
    feed(&loop, periods: 1000..<1400, rateHz: 48_240, stepSeconds: 0.02)
    #expect(abs(loop.rateHz / 48_240 - 1) < 20e-6)
    #expect(loop.steps == 1)
  }

  @Test func `one stray stamp has no effect`() {
    var loop = ClockLoop(nominalRateHz: 48_000)
    feed(&loop, periods: 0..<2000, rateHz: 48_000) { $0 == 1990 ? 0.05 : 0 }
    #expect(loop.steps == 0)
    #expect(abs(loop.frames(atNanoseconds: 11e9) - 528_000) < 0.01)
  }

  @Test func `after a restart the rate is known from before`() {
    var loop = ClockLoop(nominalRateHz: 48_000)
    feed(&loop, periods: 0..<2000, rateHz: 48_040)
    loop.restart()
    #expect(!loop.isSettled)
    feed(&loop, periods: 5000..<5080, rateHz: 48_040)
    #expect(loop.isSettled)
    #expect(abs(loop.rateHz / 48_040 - 1) < 0.5e-6)
    #expect(abs(loop.frames(atNanoseconds: 27e9) - 27 * 48_040) < 0.1)
  }
}
