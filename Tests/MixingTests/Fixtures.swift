// SPDX-License-Identifier: MIT

import Mixing
import TestSupport

/// Samples of a constant.
func constant(_ value: Float, _ frames: Int) -> [Float] {
  Array(repeating: value, count: frames)
}

/// Samples of noise, the same for the same seed, −1…1.
func noise(_ seed: UInt64, _ frames: Int) -> [Float] {
  var random = SeededRandom(seed: seed)
  return (0..<frames).map { _ in Float.random(in: -1...1, using: &random) }
}

/// The largest difference between neighbours, the first one's predecessor being `before`.
func largestStep(_ samples: [Float], before: Float? = nil) -> Float {
  var last = before ?? samples.first ?? 0
  var largest: Float = 0
  for sample in samples {
    largest = max(largest, abs(sample - last))
    last = sample
  }
  return largest
}

/// The largest difference between two runs of samples.
func largestDifference(_ first: [[Float]], _ second: [[Float]]) -> Float {
  zip(first, second).reduce(0) { largest, pair in
    zip(pair.0, pair.1).reduce(largest) { max($0, abs($1.0 - $1.1)) }
  }
}

/// One strip into one route, both of so many channels, at 0 dB.
func oneToOne(channels: Int = 1) -> MixSpec {
  MixSpec(
    strips: [StripSpec(id: "in", channels: channels)],
    routes: [RouteSpec(id: "out", channels: channels)],
    sends: [SendSpec(strip: "in", route: "out")],
  )
}
