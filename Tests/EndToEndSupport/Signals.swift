// SPDX-License-Identifier: MIT

import AudioFiles
import Glibc
import TestSupport

/// Test signals, and analysis of recorded ones.
enum Signals {
  /// Noise that never repeats, each sample a multiple of 2⁻¹⁵ and so the same in a file of 16 bits.
  static func noise(_ frames: Int, seed: UInt64, amplitude: Float = 0.5) -> [Float] {
    var state = seed &* 2 &+ 1
    return (0..<frames).map { _ in
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      let unit = Float(Int32(truncatingIfNeeded: state >> 32)) / Float(1 << 31)
      return (unit * amplitude * 32_768).rounded() / 32_768
    }
  }

  /// A sine of one length in seconds at 48 kHz.
  static func sine(_ frequencyHz: Double, seconds: Double, amplitude: Float = 0.5) -> [Float] {
    (0..<Int(seconds * 48_000)).map {
      amplitude * Float(sin(2 * .pi * frequencyHz * Double($0) / 48_000))
    }
  }

  /// The root mean square in dB of full scale.
  static func rmsDB(_ samples: some Collection<Float>) -> Double {
    let sum = samples.reduce(0.0) { $0 + Double($1) * Double($1) }
    return 10 * log10(sum / Double(max(1, samples.count)))
  }

  /// The largest magnitude.
  static func peak(_ samples: some Collection<Float>) -> Float {
    samples.reduce(0) { max($0, abs($1)) }
  }

  /// The lengths of all runs of exact silence.
  static func silentRuns(_ samples: [Float]) -> [Range<Int>] {
    var runs: [Range<Int>] = []
    var start: Int?
    for (index, sample) in samples.enumerated() {
      if sample == 0 {
        start = start ?? index
      } else if let first = start {
        runs.append(first..<index)
        start = nil
      }
    }
    if let start { runs.append(start..<samples.count) }
    return runs
  }

  /// Where a recording goes along with a loop, sample by sample.
  struct Match {
    /// The place in the loop.
    let position: Int
    /// For how long every sample is equal.
    let frames: Int
  }

  /// The longest match of a recording from `start` on with a loop of `reference`.
  ///
  /// Music repeats itself, so there may be several. Nil where not even 64 samples are equal.
  static func longestMatch(
    of samples: [Float],
    from start: Int,
    inLoop reference: [Float],
  ) -> Match? {
    let probe = samples[start...].prefix(64)
    return reference.indices.lazy
      .filter { position in
        probe.indices.allSatisfy {
          reference[(position + $0 - start) % reference.count] == probe[$0]
        }
      }
      .map { position in
        let recorded = samples[start...]
        let frames = recorded.indices.prefix {
          recorded[$0] == reference[(position + $0 - start) % reference.count]
        }
        return Match(position: position, frames: frames.count)
      }
      .max { $0.frames < $1.frames }
  }

  /// All samples of a sound file, channel by channel.
  static func read(_ path: String) throws -> [[Float]] {
    let reader = try AudioFileReader(path: path)
    let channels = reader.info.channels
    var result = Array(repeating: [Float](), count: channels)
    var buffer = [Float](repeating: 0, count: 4096 * channels)
    while true {
      var span = buffer.mutableSpan
      let frames = reader.read(into: &span)
      guard frames > 0 else { return result }
      for frame in 0..<frames {
        for channel in 0..<channels { result[channel].append(buffer[frame * channels + channel]) }
      }
    }
  }
}

extension Signals {
  /// The amplitude of one frequency in dB of full scale, by correlation over whole cycles.
  static func amplitudeDB(_ samples: [Float], ofFrequencyHz frequencyHz: Double) -> Double {
    var (real, imaginary) = (0.0, 0.0)
    for (index, sample) in samples.enumerated() {
      let phase = 2 * .pi * frequencyHz * Double(index) / 48_000
      real += Double(sample) * cos(phase)
      imaginary += Double(sample) * sin(phase)
    }
    return 20 * log10(2 * hypot(real, imaginary) / Double(max(1, samples.count)))
  }
}
