// SPDX-License-Identifier: MIT

/// What a capture of the probe says about the path it went through.
public struct RoundTripEstimate: Equatable, Sendable, Codable {
  /// Delay of the path; may have a fraction.
  public var delayFrames: Double
  /// Gain of the path in dB, the same whichever the polarity.
  public var levelDB: Double
  /// Whether the path turns the signal upside down.
  public var isInverted: Bool
  /// Bound of the error of `delayFrames`: five standard errors of the noise found, plus the pull
  /// of the strongest other arrival.
  public var errorBoundFrames: Double
  /// In-band ratio of the arrival to all that is not explained by it, in dB.
  public var signalToNoiseDB: Double
  /// Confidence 0…1: the error allowed over the error bound; 1 where the bound is within it.
  public var confidence: Double
}
