// SPDX-License-Identifier: MIT

import Glibc

extension RoundTripEstimator {
  /// Makes the probe: every frequency of the band at the same level with a random phase, faded in
  /// and out so that it stays within the band.
  static func makeProbe(_ options: Options) -> [Float] {
    let transform = FourierTransform(minimumCount: options.probeFrames)
    var spectrum = Spectrum(count: transform.count)
    var generator = SeededGenerator(seed: options.seed)
    for bin in band(options, in: transform) {
      let phase = Double.random(in: 0..<2 * .pi, using: &generator)
      spectrum.real[bin] = cos(phase)
      spectrum.imaginary[bin] = sin(phase)
    }
    var samples = Array(transform.backward(spectrum).real.prefix(options.probeFrames))
    let fadeFrames = max(1, options.probeFrames / 16)
    for frame in 0..<fadeFrames {
      let gain = 0.5 - 0.5 * cos(.pi * (Double(frame) + 0.5) / Double(fadeFrames))
      samples[frame] *= gain
      samples[options.probeFrames - 1 - frame] *= gain
    }
    let peak = samples.reduce(0) { max($0, abs($1)) }
    return samples.map { Float($0 / peak) * options.peakLinear }
  }

  /// The bins of the probe's band.
  static func band(_ options: Options, in transform: FourierTransform) -> ClosedRange<Int> {
    let count = Double(transform.count)
    let first = Int((options.lowestFrequency * count).rounded(.up))
    return first...max(first, Int(options.highestFrequency * count))
  }

  /// Refuses options outside of their ranges.
  static func validate(_ options: Options) throws(LabError) {
    func require(_ isFine: Bool, _ message: String) throws(LabError) {
      guard isFine else { throw LabError(.badOption, "round-trip probe: \(message)") }
    }
    try require(
      (256...1_048_576).contains(options.probeFrames),
      "probeFrames is \(options.probeFrames), allowed is 256 to 1048576",
    )
    try require(
      (0...1_048_576).contains(options.maximumDelayFrames),
      "maximumDelayFrames is \(options.maximumDelayFrames), allowed is 0 to 1048576",
    )
    try require(
      options.peakLinear > 0 && options.peakLinear <= 1,
      "peakLinear is \(options.peakLinear), allowed is above 0 to 1",
    )
    try require(
      options.lowestFrequency >= 0.001 && options.highestFrequency <= 0.45
        && options.highestFrequency >= options.lowestFrequency + 0.05,
      "the band is \(options.lowestFrequency) to \(options.highestFrequency), allowed is 0.001 to "
        + "0.45 cycles per frame and at least 0.05 wide",
    )
    try require(
      options.maximumErrorFrames > 0 && options.maximumErrorFrames <= 1,
      "maximumErrorFrames is \(options.maximumErrorFrames), allowed is above 0 to 1",
    )
  }
}
