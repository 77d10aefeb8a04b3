// SPDX-License-Identifier: MIT

import Glibc

/// What may be wrong with a path, besides noise.
enum Fault: CaseIterable {
  case none
  /// A second path of any level, earlier or later, near or far.
  case echo
  /// A stretch of the capture is missing: what follows comes too early.
  case dropout
  /// A stretch of the capture is silent.
  case mutedStretch
  /// Overdriven.
  case clipping
  /// A hum of the mains and a tone within the band.
  case tones

  func apply(
    to capture: inout [Float],
    path: DelayPath,
    probeFrames: Int,
    using random: inout TestRandom,
  ) {
    switch self {
    case .none:
      break
    case .echo:
      let distance = Double.random(in: 1...200, using: &random)
      let level = Double.random(in: -0.95...0.95, using: &random)
      // The echo of the capture, so that it lies at the distance from the path's own delay.
      let dry = capture
      DelayPath(delayFrames: distance, gainLinear: level).add(dry, to: &capture)
    case .dropout:
      // Within the arrival: before it nothing would tell it from a shorter delay.
      let arrival = Int(path.delayFrames) + probeFrames / 16
      let start = arrival + Int.random(in: 0..<probeFrames * 7 / 8, using: &random)
      let length = Int.random(in: 1...256, using: &random)
      capture.removeSubrange(start..<min(start + length, capture.count))
      capture += [Float](repeating: 0, count: length)
    case .mutedStretch:
      let start = Int.random(in: 0..<capture.count - 512, using: &random)
      for frame in start..<start + 512 { capture[frame] = 0 }
    case .clipping:
      let limit = Float(abs(path.gainLinear)) * 0.2
      for frame in capture.indices { capture[frame] = max(-limit, min(limit, capture[frame])) }
    case .tones:
      let level = Float(abs(path.gainLinear)) * 0.05
      for frame in capture.indices {
        let time = Double(frame)
        capture[frame] += level * (Self.sine(time * 0.001) + Self.sine(time * 0.0817))
      }
    }
  }

  private static func sine(_ turns: Double) -> Float { Float(sin(2 * .pi * turns)) }
}
