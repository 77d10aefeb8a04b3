// SPDX-License-Identifier: MIT

internal import Glibc

/// Turns white noise into pink: one-pole, one-zero sections spaced evenly in octaves.
///
/// Each section falls by 6 dB per octave between its pole and its zero and is flat elsewhere; with
/// poles two octaves apart and zeros half way between them the sum falls by 3 dB per octave, with less
/// than 0.4 dB of ripple from 10 Hz to half the sample rate.
///
/// Pure value: [any-thread].
struct PinkFilter: BitwiseCopyable {
  static let sections = 7

  private var poles = InlineArray<7, Double>(repeating: 0)
  private var zeros = InlineArray<7, Double>(repeating: 0)
  private var inputs = InlineArray<7, Double>(repeating: 0)
  private var outputs = InlineArray<7, Double>(repeating: 0)
  /// Brings the RMS value to 1 for white noise of RMS value 1.
  private var gain = 1.0

  /// Designs the filter.
  ///
  /// Allocation-free, but slow: some milliseconds.
  init(sampleRateHz: Double) {
    for section in 0..<Self.sections {
      let poleHz = 10 * pow(4, Double(section))
      poles[section] = Self.root(poleHz, sampleRateHz)
      zeros[section] = Self.root(poleHz * 2, sampleRateHz)
    }
    // The power gain is the energy of the impulse response, which is over after some time constants
    // of the lowest pole.
    let length = Int(sampleRateHz / (2 * .pi * 10) * 20)
    var energy = 0.0
    for frame in 0..<length {
      let sample = next(frame == 0 ? 1 : 0)
      energy += sample * sample
    }
    gain = 1 / energy.squareRoot()
    inputs = InlineArray(repeating: 0)
    outputs = InlineArray(repeating: 0)
  }

  /// The next sample of pink noise for one of white noise.
  /// [audio-thread]
  @_noLocks @_noAllocation
  mutating func next(_ white: Double) -> Double {
    var sample = white
    for section in 0..<Self.sections {
      let output = sample - zeros[section] * inputs[section] + poles[section] * outputs[section]
      inputs[section] = sample
      outputs[section] = output
      sample = output
    }
    return sample * gain
  }

  /// The place of a corner on the real axis; corners above half the rate fall together near −1 and
  /// cancel.
  private static func root(_ frequencyHz: Double, _ sampleRateHz: Double) -> Double {
    let angle = Double.pi * min(frequencyHz / sampleRateHz, 0.499)
    let tangent = sin(angle) / cos(angle)
    return (1 - tangent) / (1 + tangent)
  }
}
