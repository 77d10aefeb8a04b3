// SPDX-License-Identifier: MIT

import CoreMedia
import TestSupport
import Testing

/// Times are exact fractions, and say so where they are not.
@Suite struct CMTimeTests {
  /// Timescales that sources use.
  private static let scales: [CMTimeScale] = [1, 3, 24, 25, 600, 1_000, 44_100, 48_000, 90_000]

  private static func random(_ generator: inout some RandomNumberGenerator) -> CMTime {
    let value = CMTimeValue.random(in: -1_000_000_000...1_000_000_000, using: &generator)
    return CMTime(value: value, timescale: scales.randomElement(using: &generator) ?? 1)
  }

  /// `left` − `right` as an exact fraction.
  private static func difference(_ left: CMTime, _ right: CMTime) -> Int128 {
    Int128(left.value) * Int128(right.timescale) - Int128(right.value) * Int128(left.timescale)
  }

  @Test func `sums and differences are exact, and in order`() {
    var generator = TestSeed.random()
    for _ in 0..<20_000 {
      let (a, b) = (Self.random(&generator), Self.random(&generator))
      let sum = a + b
      let exact =
        Int128(a.value) * Int128(b.timescale) + Int128(b.value) * Int128(a.timescale)
      let scale = Int128(a.timescale) * Int128(b.timescale)
      #expect(Int128(sum.value) * scale == exact * Int128(sum.timescale), "\(a) + \(b)")
      #expect(sum - b == a, "\(a), \(b)")
      #expect((sum - b).hashValue == a.hashValue)
      #expect((a < b) == (Self.difference(a, b) < 0))
      #expect((a == b) == (Self.difference(a, b) == 0))
      #expect(!sum.hasBeenRounded)
    }
  }

  @Test func `a conversion is off by half a unit at most, and says so`() {
    var generator = TestSeed.random()
    for _ in 0..<20_000 {
      let time = Self.random(&generator)
      let scale = Self.scales.randomElement(using: &generator) ?? 1
      let converted = time.convertScale(scale)
      let exact = Int128(time.value) * Int128(scale)
      let fault = (Int128(converted.value) * Int128(time.timescale) - exact).magnitude
      #expect(2 * fault <= Int128(time.timescale).magnitude, "\(time) in \(scale)")
      #expect(converted.hasBeenRounded == (fault != 0))
      let down = time.convertScale(scale, method: .roundTowardNegativeInfinity)
      let up = time.convertScale(scale, method: .roundTowardPositiveInfinity)
      #expect(down <= time && time <= up)
      #expect(up.value - down.value == (fault == 0 ? 0 : 1))
    }
  }

  @Test func `seconds become the nearest unit`() {
    #expect(CMTime(seconds: 0.5, preferredTimescale: 600) == CMTimeMake(value: 1, timescale: 2))
    #expect(!CMTime(seconds: 0.5, preferredTimescale: 600).hasBeenRounded)
    #expect(CMTime(seconds: 0.1, preferredTimescale: 3).hasBeenRounded)
    #expect(CMTimeGetSeconds(CMTimeMakeWithSeconds(2.5, preferredTimescale: 1_000)) == 2.5)
    #expect(CMTime(seconds: 1e18, preferredTimescale: 48_000).seconds == 1e18)
    #expect(!CMTime(seconds: .nan, preferredTimescale: 600).isValid)
    #expect(!CMTime(seconds: 1, preferredTimescale: 0).isValid)
    #expect(CMTime(seconds: .infinity, preferredTimescale: 600).isPositiveInfinity)
    #expect(CMTime(seconds: -1e300, preferredTimescale: 1).isNegativeInfinity)
  }

  @Test func `times that are no numbers keep their order and their sums`() {
    let order = [
      .negativeInfinity, CMTime(value: -1, timescale: 1), .zero, .positiveInfinity, .indefinite,
      .invalid,
    ]
    for (index, time) in order.enumerated() {
      for (other, second) in order.enumerated() {
        #expect((time < second) == (index < other), "\(index) and \(other)")
        #expect((time == second) == (index == other), "\(index) and \(other)")
      }
    }
    #expect((CMTime.positiveInfinity + .zero).isPositiveInfinity)
    #expect((CMTime.zero - .positiveInfinity).isNegativeInfinity)
    #expect(!(CMTime.positiveInfinity - .positiveInfinity).isValid)
    #expect((CMTime.positiveInfinity - .negativeInfinity).isPositiveInfinity)
    #expect((CMTime.indefinite + .zero).isIndefinite)
    #expect(!(CMTime.invalid + .zero).isValid)
    let most = CMTime(value: .max, timescale: 1)
    #expect((most + most).isPositiveInfinity)
    #expect(CMTime.invalid.seconds.isNaN)
    #expect(!CMTime(value: 1, timescale: 0).isValid)
  }

  @Test func `a span contains its start and not its end`() {
    let span = CMTimeRange(start: .zero, end: CMTimeMake(value: 3, timescale: 2))
    #expect(span.containsTime(.zero))
    #expect(!span.containsTime(span.end))
    #expect(span.duration.seconds == 1.5)
    #expect(CMTimeMultiplyByFloat64(span.duration, multiplier: 2).seconds == 3)
    #expect(!CMTimeRange(start: span.end, end: .zero).isValid)
  }
}
