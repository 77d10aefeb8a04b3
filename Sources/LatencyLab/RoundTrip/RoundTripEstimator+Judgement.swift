// SPDX-License-Identifier: MIT

import FoundationEssentials
import Glibc

extension RoundTripEstimator {
  /// Makes a reading of an arrival, or refuses it.
  func judge(
    _ arrival: Arrival,
    in cross: CrossSpectrum,
  ) throws(RoundTripRefusal) -> RoundTripEstimate {
    let residual = residual(of: cross, without: arrival)
    let noiseFrames = Self.standardErrors * residual.standardErrorFrames
    let bound = max(noiseFrames + residual.pullFrames, Self.arithmeticErrorFrames)
    let estimate = RoundTripEstimate(
      delayFrames: arrival.delayFrames,
      levelDB: 20 * log10(abs(arrival.gainLinear)),
      isInverted: arrival.gainLinear < 0,
      errorBoundFrames: bound,
      signalToNoiseDB: min(Self.highestRatioDB, 10 * log10(residual.signalToNoise)),
      confidence: min(1, options.maximumErrorFrames / bound),
    )
    func refuse(_ reason: RoundTripRefusal.Reason, _ text: String) -> RoundTripRefusal {
      var candidate = estimate
      candidate.confidence = min(candidate.confidence, Self.refusedConfidence)
      let guess = reason == .notFound ? nil : candidate
      return RoundTripRefusal(reason: reason, candidate: guess, description: text)
    }
    let ratio = estimate.signalToNoiseDB.rounded(toPlaces: 1)
    let otherDB = (20 * log10(residual.otherLevel)).rounded(toPlaces: 1)

    guard residual.peakToNoise >= Self.detectionRatio else {
      throw refuse(
        .notFound,
        "the probe is not in the capture: the highest correlation is "
          + "\(residual.peakToNoise.rounded(toPlaces: 1)) standard deviations of the noise, "
          + "needed are \(Self.detectionRatio)",
      )
    }
    guard residual.otherLevel < Self.ambiguousLevel else {
      throw refuse(
        .ambiguous,
        "two arrivals are too alike: \(arrival.delayFrames.rounded(toPlaces: 1)) frames, and "
          + "\(residual.otherDelayFrames) frames at \(otherDB) dB of it",
      )
    }
    guard (-0.5...Double(options.maximumDelayFrames) + 0.5).contains(arrival.delayFrames) else {
      throw refuse(
        .beyondRange,
        "the probe arrived after \(arrival.delayFrames.rounded(toPlaces: 1)) frames, looked for "
          + "were 0 to \(options.maximumDelayFrames)",
      )
    }
    guard bound <= options.maximumErrorFrames else {
      let isNoise = residual.otherLevel * residual.peakToNoise < Self.detectionRatio
      throw refuse(
        isNoise ? .noisy : .notPureDelay,
        isNoise
          ? "the noise is too strong (\(ratio) dB): the error may be "
            + "\(bound.rounded(toPlaces: 3)) frames, allowed are \(options.maximumErrorFrames)"
          : "the path is not one delay: another arrival at \(residual.otherDelayFrames) frames, "
            + "\(otherDB) dB of the first, may pull the reading by "
            + "\(residual.pullFrames.rounded(toPlaces: 3)) frames, allowed are "
            + "\(options.maximumErrorFrames)",
      )
    }
    return estimate
  }

  /// Standard errors in the bound: by chance one reading in 1.7 million lies outside of it.
  private static let standardErrors = 5.0
  /// Least ratio of the peak to the noise; the highest of 65,536 values of pure noise is 4.7.
  private static let detectionRatio = 8.0
  /// From this level on (-6 dB) another arrival may be the path as well.
  private static let ambiguousLevel = 0.5
  /// The precision of single-precision samples limits the bound.
  private static let arithmeticErrorFrames = 1e-5
  /// Ratios are given up to this one, the limit of the samples' precision.
  private static let highestRatioDB = 200.0
  /// A refused candidate is never given more confidence than this.
  private static let refusedConfidence = 0.5
}
