// SPDX-License-Identifier: MIT

/// A reproducible source of random numbers (SplitMix64).
struct Dice {
  private var seed: UInt64

  init(seed: UInt64) {
    self.seed = seed
  }

  /// A number in 0..<`bound`.
  mutating func roll(_ bound: Int) -> Int {
    seed &+= 0x9E37_79B9_7F4A_7C15
    var bits = seed
    bits = (bits ^ (bits >> 30)) &* 0xBF58_476D_1CE4_E5B9
    bits = (bits ^ (bits >> 27)) &* 0x94D0_49BB_1331_11EB
    bits ^= bits >> 31
    return Int(bits >> 33) % bound
  }

  /// True once in `bound` times.
  mutating func once(in bound: Int) -> Bool { roll(bound) == 0 }

  /// One of a list.
  mutating func pick<Element>(_ list: [Element]) -> Element { list[roll(list.count)] }
}
