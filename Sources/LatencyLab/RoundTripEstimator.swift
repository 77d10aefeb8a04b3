// SPDX-License-Identifier: MIT

/// Finds the delay of a path from what came back of a band-limited probe.
public struct RoundTripEstimator: Sendable {
  /// How the probe is made and what is asked of a reading.
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

  /// Makes the probe and its spectrum.
  ///
  /// - Parameter options: The probe and what is asked of a reading.
  /// - Throws: ``LabError`` with `badOption` where an option is out of its range.
  public init(options: Options = Options()) throws(LabError) {
    fatalError("unwritten")
  }

  /// Reads the delay out of a capture.
  ///
  /// - Parameter capture: What came back, from the frame at which the probe's first frame was
  ///   played; at least as long as the probe, best ``captureFrames``.
  /// - Returns: A reading whose error is bound by `maximumErrorFrames`.
  /// - Throws: ``RoundTripRefusal`` where there is no such reading.
  public func estimate(_ capture: [Float]) throws(RoundTripRefusal) -> RoundTripEstimate {
    fatalError("unwritten")
  }
}
