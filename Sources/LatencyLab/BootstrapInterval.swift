// SPDX-License-Identifier: MIT

/// A percentile-bootstrap interval of the difference of two medians.
///
/// With samples a₁…aₘ and b₁…bₙ: draw m and n of them with replacement, take
/// `median(b*) − median(a*)`, repeat `replicates` times, sort; the interval runs from the
/// (1 − c)/2 quantile to the (1 + c)/2 quantile of those differences for confidence c.
/// The same seed gives the same interval.
public struct BootstrapInterval: Equatable, Sendable, Codable {
  /// `median(b) − median(a)` of the samples themselves.
  public var difference: Double
  /// Lower end of the interval.
  public var lower: Double
  /// Upper end of the interval.
  public var upper: Double
  /// Confidence of the interval, such as 0.95.
  public var confidence: Double

  /// Whether zero lies outside of the interval.
  public var excludesZero: Bool { lower > 0 || upper < 0 }

  /// Computes the interval.
  ///
  /// - Parameters:
  ///   - a: The samples before, at least one.
  ///   - b: The samples after, at least one.
  ///   - confidence: Above 0 and below 1.
  ///   - replicates: How often to draw, at least 100.
  ///   - seed: Start of the pseudo-random sequence.
  /// - Returns: The interval; nil where a sample is missing or an argument is out of its range.
  public static func medianDifference(
    from a: [Double],
    to b: [Double],
    confidence: Double = 0.95,
    replicates: Int = 2000,
    seed: UInt64 = 1,
  ) -> BootstrapInterval? {
    guard confidence > 0, confidence < 1, replicates >= 100,
      let medianBefore = median(a), let medianAfter = median(b)
    else { return nil }
    var generator = SeededGenerator(seed: seed)
    func draw(_ samples: [Double]) -> Double {
      let drawn = samples.indices.map { _ in
        samples[Int.random(in: samples.indices, using: &generator)]
      }
      return median(drawn) ?? 0
    }
    let differences = (0..<replicates).map { _ in draw(b) - draw(a) }.sorted()
    func quantile(_ share: Double) -> Double {
      differences[Int((share * Double(replicates - 1)).rounded())]
    }
    return BootstrapInterval(
      difference: medianAfter - medianBefore,
      lower: quantile((1 - confidence) / 2),
      upper: quantile((1 + confidence) / 2),
      confidence: confidence,
    )
  }
}
