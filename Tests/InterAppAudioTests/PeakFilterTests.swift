// SPDX-License-Identifier: MIT

import Foundation
import TestSupport
import Testing

@testable import NodeKit

/// The equalizer's filter: the cookbook's curve, and no step when its values change.
struct PeakFilterTests {
  private static let rate = 48_000.0

  /// Filters both channels in parts of 16 frames.
  private func filtered(
    _ samples: [Float],
    _ filter: inout PeakFilter,
    change: (Int, inout PeakFilter) -> Void = { _, _ in },
  ) -> [Float] {
    let left = UnsafeMutableBufferPointer<Float>.allocate(capacity: 16)
    let right = UnsafeMutableBufferPointer<Float>.allocate(capacity: 16)
    defer {
      unsafe left.deallocate()
      unsafe right.deallocate()
    }
    var heard: [Float] = []
    for start in stride(from: 0, to: samples.count, by: 16) {
      for index in 0..<16 {
        unsafe left[index] = samples[start + index]
        unsafe right[index] = -samples[start + index]
      }
      change(start, &filter)
      unsafe filter.render(left, right, from: 0, to: 16)
      for index in 0..<16 {
        unsafe heard.append(left[index])
        #expect(unsafe right[index] == -left[index])
      }
    }
    return heard
  }

  private func sine(_ frequencyHz: Double, seconds: Double = 1) -> [Float] {
    (0..<Int(seconds * Self.rate)).map {
      Float(0.25 * sin(2 * Double.pi * frequencyHz * Double($0) / Self.rate))
    }
  }

  /// The gain of Robert Bristow-Johnson's peaking filter at a frequency.
  private func cookbook(_ band: ParametricEqualizer.Band, at frequencyHz: Double) -> Double {
    let amplitude = pow(10, band.gainDB / 40)
    let omega = 2 * Double.pi * band.frequencyHz / Self.rate
    let alpha = sin(omega) / (2 * band.quality)
    let w = 2 * Double.pi * frequencyHz / Self.rate
    func squared(_ b0: Double, _ b1: Double, _ b2: Double) -> Double {
      let real = b0 + b1 * cos(w) + b2 * cos(2 * w)
      let imaginary = b1 * sin(w) + b2 * sin(2 * w)
      return real * real + imaginary * imaginary
    }
    let above = squared(1 + alpha * amplitude, -2 * cos(omega), 1 - alpha * amplitude)
    let below = squared(1 + alpha / amplitude, -2 * cos(omega), 1 - alpha / amplitude)
    return (above / below).squareRoot()
  }

  @Test(arguments: [
    (100.0, 12.0, 1.0), (1_000, -18, 0.5), (1_000, 24, 8), (8_000, 6, 2), (15_000, -9, 1),
  ])
  func `the filter has the curve of the cookbook`(hz: Double, gainDB: Double, quality: Double) {
    let band = ParametricEqualizer.Band(frequencyHz: hz, gainDB: gainDB, quality: quality)
    for frequency in [50.0, 100, 400, 1_000, 1_500, 8_000, 15_000] {
      var filter = PeakFilter(band, sampleRateHz: Self.rate)
      let heard = filtered(sine(frequency), &filter).suffix(24_000)
      let loudness = (heard.reduce(0.0) { $0 + Double($1 * $1) } / 24_000).squareRoot()
      let gain = loudness / (0.25 / 2.0.squareRoot())
      let wanted = cookbook(band, at: frequency)
      #expect(abs(gain / wanted - 1) < 0.002, "\(frequency) Hz: \(gain), not \(wanted)")
    }
  }

  @Test func `a band of 0 dB leaves each sample as it is`() {
    var filter = PeakFilter(.init(frequencyHz: 1_000, gainDB: 0), sampleRateHz: Self.rate)
    var random = TestSeed.random()
    let noise = (0..<4_800).map { _ in Float.random(in: -1...1, using: &random) }
    #expect(filtered(noise, &filter) == noise)
  }

  @Test func `nothing is heard of a change itself`() {
    // A low sine has small second differences; each step in the sound would be a large one.
    let quiet = ParametricEqualizer.Band(frequencyHz: 1_000, gainDB: 0)
    var filter = PeakFilter(quiet, sampleRateHz: Self.rate)
    var generator = TestSeed.random()
    let heard = filtered(sine(100, seconds: 4), &filter) { frame, filter in
      // Every 21 ms a jump from one end of the ranges to another.
      guard frame % 1_008 == 0 else { return }
      filter.head(
        frequencyHz: Double.random(in: 40...10_000, using: &generator),
        gainDB: Double.random(in: -24...12, using: &generator),
        quality: Double.random(in: 0.3...4, using: &generator),
      )
    }
    var largest: Float = 0
    for index in 2..<heard.count {
      largest = max(largest, abs(heard[index] - 2 * heard[index - 1] + heard[index - 2]))
    }
    // The sine itself at +12 dB has 0.00017; a step of the gain by 1 dB would make 0.03.
    #expect(largest < 0.01, "\(largest)")
    #expect(heard.allSatisfy { abs($0) < 4 })
  }

  @Test func `a change of the gain arrives after 20 ms, exactly`() {
    let band = ParametricEqualizer.Band(frequencyHz: 1_000, gainDB: 12)
    var filter = PeakFilter(band, sampleRateHz: Self.rate)
    var random = TestSeed.random()
    let noise = (0..<4_800).map { _ in Float.random(in: -1...1, using: &random) }
    let heard = filtered(noise, &filter) { _, filter in
      filter.head(frequencyHz: 1_000, gainDB: 0, quality: 1)
    }
    #expect(heard[900] != noise[900])
    #expect(Array(heard[960...]) == Array(noise[960...]))
  }
}
