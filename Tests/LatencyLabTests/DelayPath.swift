// SPDX-License-Identifier: MIT

import Glibc

/// A path with a known delay, by an ideal band-limited interpolator that shares no code with the
/// estimator: a Kaiser-windowed sinc of 128 taps, exact to -120 dB up to 0.45 cycles per frame.
struct DelayPath {
  var delayFrames: Double
  var gainLinear: Double

  /// Adds the delayed signal to the output.
  func add(_ signal: [Float], to output: inout [Float]) {
    let whole = Int(delayFrames.rounded(.down))
    let fraction = delayFrames - Double(whole)
    let taps = Self.taps(fraction: fraction).map { Float($0 * gainLinear) }
    for (frame, sample) in signal.enumerated() {
      let start = frame + whole - Self.halfWidth + 1
      for (tap, weight) in taps.enumerated() where output.indices.contains(start + tap) {
        output[start + tap] += sample * weight
      }
    }
  }

  /// The impulse response at whole frames, `halfWidth - 1` frames early.
  static func taps(fraction: Double) -> [Double] {
    if fraction == 0 {
      return (0..<2 * halfWidth).map { $0 == halfWidth - 1 ? 1 : 0 }
    }
    return (0..<2 * halfWidth).map { tap in
      let time = Double(tap - halfWidth + 1) - fraction
      let position = time / Double(halfWidth)
      guard abs(position) < 1 else { return 0 }
      let sinc = sin(.pi * time) / (.pi * time)
      return sinc * bessel(beta * (1 - position * position).squareRoot()) / bessel(beta)
    }
  }

  static let halfWidth = 64
  private static let beta = 12.0

  /// The modified Bessel function of order zero.
  private static func bessel(_ x: Double) -> Double {
    var (term, sum, k) = (1.0, 1.0, 1.0)
    while term > sum * 1e-15 {
      term *= (x / (2 * k)) * (x / (2 * k))
      sum += term
      k += 1
    }
    return sum
  }
}
