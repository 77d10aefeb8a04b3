// SPDX-License-Identifier: MIT

import ControlProtocol
import TestSupport
import Testing

@testable import ControlSocket

@Suite struct MetersTests {
  private func meters(_ id: String, peak: Float, rms: Float, tap: MeterTap = .post) -> Meters {
    let strip = StripLevels(
      id: id,
      peak: [peak, 0],
      rms: [rms, 0],
      prePeak: [peak / 2, 0],
      preRMS: [rms / 2, 0],
      tap: tap,
    )
    return Meters(time: time, strips: [strip], routes: [strip.levels(at: .post)])
  }

  @Test func peaksAreTheHighestAndPowersTheMean() throws {
    var accumulator = MetersAccumulator()
    accumulator.add(meters("a", peak: 0.5, rms: 0.3))
    accumulator.add(meters("a", peak: 0.8, rms: 0.4))
    accumulator.add(meters("a", peak: 0.1, rms: 0.5))
    let taken = accumulator.take()
    let merged = try #require(taken)
    let expected = ((0.09 + 0.16 + 0.25) / 3 as Float).squareRoot()
    for reading in merged.strips.map({ $0.levels(at: .post) }) + merged.routes {
      #expect(reading.peak == [0.8, 0])
      #expect(abs(reading.rms[0] - expected) < 1e-6 && reading.rms[1] == 0)
    }
    let pre = merged.strips[0].levels(at: .pre)
    #expect(pre.peak == [0.4, 0])
    #expect(abs(pre.rms[0] - expected / 2) < 1e-6 && pre.rms[1] == 0)
    let nothing = accumulator.take()
    #expect(nothing == nil)
  }

  @Test func anotherLayoutStartsAnew() {
    var accumulator = MetersAccumulator()
    accumulator.add(meters("a", peak: 1, rms: 1))
    accumulator.add(meters("b", peak: 0.5, rms: 0.5))
    let taken = accumulator.take()
    #expect(taken == meters("b", peak: 0.5, rms: 0.5))
    accumulator.add(meters("b", peak: 1, rms: 1))
    accumulator.add(meters("b", peak: 0.5, rms: 0.5, tap: .pre))
    let moved = accumulator.take()
    #expect(moved == meters("b", peak: 0.5, rms: 0.5, tap: .pre))
  }

  @Test func theRateIsWhatWasAskedAlsoWithJitter() {
    var generator = TestSeed.random()
    for interval in [20, 50, 1000] {
      var group = MetersGroup(intervalMilliseconds: interval)
      var sent = 0
      for tick in 0..<5000 {
        let jitter = UInt64.random(in: 0..<8_000_000, using: &generator)
        let now = 1_000_000_000_000 + UInt64(tick) * 20_000_000 + jitter
        if group.add(meters("a", peak: 0, rms: 0), nowNanoseconds: now) != nil { sent += 1 }
      }
      #expect(abs(sent - 100_000 / interval) <= 1, "\(interval) ms")
    }
  }
}
