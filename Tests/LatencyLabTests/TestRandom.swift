// SPDX-License-Identifier: MIT

import Glibc

/// A reproducible source of randomness (xorshift64*).
struct TestRandom: RandomNumberGenerator {
  private var state: UInt64

  init(_ seed: UInt64) { state = seed &* 0x9E37_79B9_7F4A_7C15 | 1 }

  mutating func next() -> UInt64 {
    state ^= state >> 12
    state ^= state << 25
    state ^= state >> 27
    return state &* 0x2545_F491_4F6C_DD1D
  }

  /// A value of the normal distribution.
  mutating func normal() -> Double {
    let radius = (-2 * log(Double.random(in: 1e-300...1, using: &self))).squareRoot()
    return radius * cos(2 * .pi * Double.random(in: 0..<1, using: &self))
  }
}
