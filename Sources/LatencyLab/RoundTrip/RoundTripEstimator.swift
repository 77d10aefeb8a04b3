// SPDX-License-Identifier: MIT

/// Finds the delay of a path from the recorded return of a band-limited probe.
///
/// The capture is correlated with the probe within the probe's band. The highest value of the correlation is
/// the arrival. Its position between two frames is the zero of the correlation's slope, evaluated from the
/// spectrum (exact for band-limited signals, without interpolation). The part of the capture that one delayed
/// copy of the probe does not explain gives the error bound, and so the refusals.
///
/// A plain value: [any-thread].
public struct RoundTripEstimator: Sendable {
  /// The probe, and the accuracy a reading must have.
  public struct Options: Equatable, Sendable {
    /// Length of the probe in frames, 256…1,048,576.
    public var probeFrames = 16384
    /// Longest delay looked for in frames, 0…1,048,576.
    public var maximumDelayFrames = 16384
    /// Peak of the probe as linear amplitude, above 0 and up to 1.
    public var peakLinear: Float = 0.5
    /// Lower edge of the probe's band in cycles per frame, at least 0.001.
    public var lowestFrequency = 0.01
    /// Upper edge of the probe's band in cycles per frame, at most 0.45.
    public var highestFrequency = 0.375
    /// Largest error bound that is still a reading, in frames.
    public var maximumErrorFrames = 0.01
    /// Seed of the probe's pseudo-random phases.
    public var seed: UInt64 = 1

    /// The defaults: a third of a second at 48 kHz, 480 Hz to 18 kHz, readings within 0.01 frame.
    public init() {}
  }

  /// The options it was made with.
  public let options: Options

  /// The samples to play, once, starting at frame 0 of the capture.
  public let probe: [Float]

  /// Frames a capture needs so that a path of the longest delay is heard to its end.
  public var captureFrames: Int { options.probeFrames + options.maximumDelayFrames }

  let transform: FourierTransform
  let band: ClosedRange<Int>
  /// Spectrum of the probe, and its power by bin.
  let probeSpectrum: Spectrum
  let probePower: [Double]
  /// Sum of the power within the band, and the same weighted with the square of the frequency in
  /// radians per frame.
  let probeEnergy: Double
  let probeCurvature: Double
  /// Largest error of the reading from another arrival of the same level, by its distance in frames.
  let pullFrames: [Double]

  /// Makes the probe and its spectrum.
  ///
  /// - Parameter options: The probe, and the requirements for a reading.
  /// - Throws: ``LabError`` with `badOption` if an option is out of its range.
  public init(options: Options = Options()) throws(LabError) {
    try Self.validate(options)
    self.options = options
    probe = Self.makeProbe(options)
    transform = FourierTransform(minimumCount: options.probeFrames + options.maximumDelayFrames)
    band = Self.band(options, in: transform)
    probeSpectrum = transform.forward(probe)

    let radiansPerBin = 2 * Double.pi / Double(transform.count)
    var power = [Double](repeating: 0, count: transform.count)
    var slope = Spectrum(count: transform.count)
    var (energy, curvature) = (0.0, 0.0)
    for bin in band {
      let frequency = radiansPerBin * Double(bin)
      power[bin] = probeSpectrum.power(at: bin)
      slope.imaginary[bin] = frequency * power[bin]
      energy += power[bin]
      curvature += frequency * frequency * power[bin]
    }
    probePower = power
    probeEnergy = energy
    probeCurvature = curvature
    let slopes = transform.backward(slope)
    pullFrames = (0..<transform.count).map { slopes.power(at: $0).squareRoot() / curvature }
  }

  /// The same estimator with another probe, which does not correlate with this one's.
  ///
  /// - Returns: The estimator.
  /// - Throws: Nothing for options that were valid before.
  public func next() throws(LabError) -> RoundTripEstimator {
    var options = options
    options.seed &+= 1
    return try RoundTripEstimator(options: options)
  }

  /// Reads the delay out of a capture.
  ///
  /// - Parameter capture: The recorded return, from the frame at which the probe's first frame was played; at
  ///   least as long as the probe, best ``captureFrames``.
  /// - Returns: A reading whose error is bound by `maximumErrorFrames`.
  /// - Throws: ``RoundTripRefusal`` where there is no such reading.
  public func estimate(_ capture: [Float]) throws(RoundTripRefusal) -> RoundTripEstimate {
    guard capture.count >= options.probeFrames else {
      throw RoundTripRefusal(
        reason: .tooShort,
        candidate: nil,
        description: "the capture has \(capture.count) frames, the probe \(options.probeFrames)",
      )
    }
    let heard = capture.prefix(captureFrames)
    guard heard.allSatisfy(\.isFinite) else {
      throw RoundTripRefusal(
        reason: .silence,
        candidate: nil,
        description: "the capture holds values that are not finite numbers",
      )
    }
    guard heard.contains(where: { abs($0) > Self.silenceLinear }) else {
      throw RoundTripRefusal(
        reason: .silence,
        candidate: nil,
        description: "the capture is silent (below -140 dB)",
      )
    }
    let correlation = crossSpectrum(of: transform.forward(heard))
    return try judge(findArrival(in: correlation), in: correlation)
  }

  /// Below this peak (-140 dB) a capture is silence.
  private static let silenceLinear: Float = 1e-7
}
