// SPDX-License-Identifier: MIT

import FoundationEssentials

/// A reading of a captured probe: delay, gain and polarity of the path.
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

/// Why the estimator gives no reading.
public struct RoundTripRefusal: Error, Equatable, Sendable, CustomStringConvertible {
  /// The reasons there are.
  public enum Reason: String, Sendable, Codable {
    /// The capture is shorter than the probe.
    case tooShort
    /// The capture holds no sound, or values that are not numbers.
    case silence
    /// There is sound, but the probe is not in it.
    case notFound
    /// The probe arrived later than the longest delay asked for.
    case beyondRange
    /// Two arrivals of the probe are too alike in level to say which one is the path.
    case ambiguous
    /// The path is not one delay (filter, echo, drift, dropout), so that one figure would be wrong.
    case notPureDelay
    /// The noise allows no reading as exact as asked for.
    case noisy
  }

  /// The reason.
  public let reason: Reason
  /// The best guess, where there is one; not to be taken for a reading.
  public let candidate: RoundTripEstimate?
  /// The reason in one sentence, with figures.
  public let description: String
}
