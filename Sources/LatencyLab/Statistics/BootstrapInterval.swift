// SPDX-License-Identifier: MIT

/// A percentile-bootstrap interval of the difference of two medians.
///
/// With samples a₁…aₘ and b₁…bₙ: draw m and n of them with replacement, take
/// `median(b*) − median(a*)`, repeat `replicates` times, sort; the interval runs from the
/// (1 − c)/2 quantile to the (1 + c)/2 quantile of those differences for confidence c.
/// The same seed gives the same interval.
///
/// A plain value: [any-thread].
public struct BootstrapInterval: Equatable, Sendable, Codable {
  /// `b.median − a.median` of the samples themselves.
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
  ///   - replicates: The number of draws, at least 100.
  ///   - seed: Start of the pseudo-random sequence.
  /// - Returns: The interval; nil if a sample is missing or an argument is out of its range.
  public static func medianDifference(
    from a: [Double],
    to b: [Double],
    confidence: Double = 0.95,
    replicates: Int = 2000,
    seed: UInt64 = 1,
  ) -> BootstrapInterval? {
    guard confidence > 0, confidence < 1, replicates >= 100,
      let medianBefore = a.median, let medianAfter = b.median
    else { return nil }
    func draw(_ samples: [Double], _ random: inout SeededGenerator) -> Double {
      Bootstrap.drawn(samples.count, &random).map { samples[$0] }.median ?? 0
    }
    let ends = Bootstrap.ends(confidence: confidence, replicates: replicates, seed: seed) {
      draw(b, &$0) - draw(a, &$0)
    }
    return BootstrapInterval(
      difference: medianAfter - medianBefore,
      lower: ends.lower,
      upper: ends.upper,
      confidence: confidence,
    )
  }
}

/// Draws with replacement, for percentile intervals.
///
/// Pure functions: [any-thread].
enum Bootstrap {
  /// As many random indices as there are, each of them any number of times.
  static func drawn(_ count: Int, _ random: inout SeededGenerator) -> [Int] {
    (0..<count).map { _ in Int.random(in: 0..<count, using: &random) }
  }

  /// The quantiles (1 − c)/2 and (1 + c)/2 of a figure of random draws, for confidence c.
  ///
  /// - Parameters:
  ///   - confidence: Above 0 and below 1.
  ///   - replicates: The number of draws.
  ///   - seed: Start of the pseudo-random sequence.
  ///   - figure: The figure of one draw.
  /// - Returns: The two ends.
  static func ends(
    confidence: Double,
    replicates: Int,
    seed: UInt64,
    _ figure: (inout SeededGenerator) -> Double,
  ) -> (lower: Double, upper: Double) {
    var random = SeededGenerator(seed: seed)
    let figures = (0..<replicates).map { _ in figure(&random) }.sorted()
    func quantile(_ share: Double) -> Double {
      figures[Int((share * Double(replicates - 1)).rounded())]
    }
    return (quantile((1 - confidence) / 2), quantile((1 + confidence) / 2))
  }
}

/// A reproducible source of randomness (SplitMix64).
///
/// Pure value: [any-thread].
struct SeededGenerator: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}
