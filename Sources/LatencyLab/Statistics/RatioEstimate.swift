// SPDX-License-Identifier: MIT

/// The ratio of two quantities that are read in the same rounds, with its percentile-bootstrap interval.
///
/// Rounds are drawn with replacement, always with both of their readings, so that what slows a whole round is in both.
/// (Efron and Tibshirani, *An Introduction to the Bootstrap*, chapter 13.) The same seed gives the same interval.
///
/// A plain value: [any-thread].
public struct RatioEstimate: Equatable, Sendable {
  /// The ratio of all rounds.
  public let ratio: Double
  /// Lower end of the 95 % interval; not above 0 where the quantity itself can be zero.
  public let lower: Double
  /// Upper end of the 95 % interval; infinite where the other quantity can be zero.
  public let upper: Double
  /// The number of rounds.
  public let rounds: Int

  /// The fewest rounds that have an interval.
  public static let fewestRounds = 5

  /// The ratio of two quantities that can be lost in noise, such as the hops of two nodes: the ratio of their medians.
  ///
  /// Nil with fewer than ``fewestRounds`` rounds.
  ///
  /// - Parameters:
  ///   - own: One reading of each round.
  ///   - peer: The reading of the other quantity in the same round.
  ///   - seed: Start of the pseudo-random sequence.
  public init?(of own: [Double], to peer: [Double], seed: UInt64 = 1) {
    let readings = Array(zip(own, peer))
    self.init(rounds: readings.count, seed: seed) { rounds in
      Self.ratio(rounds.map { readings[$0].0 }, rounds.map { readings[$0].1 })
    }
  }

  /// The ratio of two positive times that were read one right after the other: the median of the rounds' quotients.
  ///
  /// Nil with fewer than ``fewestRounds`` rounds.
  ///
  /// - Parameters:
  ///   - quotients: The quotient of each round.
  ///   - seed: Start of the pseudo-random sequence.
  public init?(ofQuotients quotients: [Double], seed: UInt64 = 1) {
    self.init(rounds: quotients.count, seed: seed) { rounds in
      rounds.map { quotients[$0] }.median ?? .nan
    }
  }

  /// The ratio of two positive times of programs that only compute: the median quotient of the ``UndisturbedRounds``.
  ///
  /// Nil with fewer than ``fewestRounds`` rounds.
  ///
  /// - Parameters:
  ///   - own: The time of each round.
  ///   - peer: The other program's time in the same round.
  ///   - seed: Start of the pseudo-random sequence.
  init?(ofUndisturbed own: [Double], to peer: [Double], seed: UInt64 = 1) {
    let sorted = UndisturbedRounds(own, peer)
    let quotients = sorted.times.map { $0.own / $0.peer }
    self.init(rounds: quotients.count, seed: seed) { rounds in
      rounds.sorted().prefix(sorted.count).map { quotients[$0] }.median ?? .nan
    }
  }

  /// The ratio of two quantities that were read one after the other, in runs of their own: the ratio of their medians.
  ///
  /// The readings of each are drawn on their own, because no two of them belong together. So the interval is wider than that of
  /// rounds, and does not contain what changed between the two runs. Nil with fewer than ``fewestRounds`` readings of one of them.
  ///
  /// - Parameters:
  ///   - own: The readings of one run.
  ///   - peer: Those of the other quantity in its run.
  ///   - seed: Start of the pseudo-random sequence.
  init?(ofUnpaired own: [Double], to peer: [Double], seed: UInt64 = 1) {
    let fewest = min(own.count, peer.count)
    self.init(rounds: fewest, seed: seed, whole: Self.ratio(own, peer)) { random in
      Self.ratio(
        Bootstrap.drawn(own.count, &random).map { own[$0] },
        Bootstrap.drawn(peer.count, &random).map { peer[$0] },
      )
    }
  }

  private static func ratio(_ own: [Double], _ peer: [Double]) -> Double {
    let below = peer.median ?? .nan
    return below > 0 ? (own.median ?? .nan) / below : .infinity
  }

  private init?(rounds: Int, seed: UInt64, _ figure: ([Int]) -> Double) {
    self.init(rounds: rounds, seed: seed, whole: figure(Array(0..<rounds))) {
      figure(Bootstrap.drawn(rounds, &$0))
    }
  }

  private init?(
    rounds: Int,
    seed: UInt64,
    whole ratio: Double,
    drawn: (inout SeededGenerator) -> Double,
  ) {
    guard rounds >= Self.fewestRounds else { return nil }
    let ends = Bootstrap.ends(confidence: 0.95, replicates: 2000, seed: seed, drawn)
    guard ![ratio, ends.lower, ends.upper].contains(where: \.isNaN) else { return nil }
    self.ratio = ratio
    lower = ends.lower
    upper = ends.upper
    self.rounds = rounds
  }

  /// The ratio of the second quantity to the first, each end inverted.
  ///
  /// - Parameter factor: The factor of the inverted ratio, above 0.
  /// - Returns: The estimate; nil unless this one is measurable.
  func inverted(times factor: Double) -> RatioEstimate? {
    guard isMeasurable else { return nil }
    return RatioEstimate(
      ratio: factor / ratio,
      lower: factor / upper,
      upper: factor / lower,
      rounds: rounds,
    )
  }

  private init(ratio: Double, lower: Double, upper: Double, rounds: Int) {
    self.ratio = ratio
    self.lower = lower
    self.upper = upper
    self.rounds = rounds
  }

  /// Half the width of the interval.
  public var noise: Double { (upper - lower) / 2 }

  /// Whether there is a figure to tell: the interval contains neither zero nor infinity.
  public var isMeasurable: Bool { lower > 0 && upper.isFinite }

  /// Whether the interval is at most so wide to either side, as a share of the ratio.
  ///
  /// - Parameter share: Above 0, such as 0.1 for ± 10 %.
  /// - Returns: Whether it is; never for a ratio without a figure.
  public func isWithin(_ share: Double) -> Bool { isMeasurable && noise <= share * ratio }
}

/// How long a comparison is repeated: until its intervals are narrow enough, or its time is up.
///
/// A plain value: [any-thread].
public struct Repetition: Equatable, Sendable {
  /// The fewest rounds.
  public var leastRounds: Int
  /// The longest time in seconds.
  public var mostSeconds: Double
  /// The width of an interval to either side that is enough, as a share of the ratio.
  public var precision: Double

  /// Makes the limits of a repetition.
  ///
  /// - Parameters:
  ///   - leastRounds: At least 1.
  ///   - mostSeconds: After the fewest rounds the measurement ends when this is over.
  ///   - precision: Above 0, such as 0.1.
  public init(leastRounds: Int, mostSeconds: Double, precision: Double = 0.1) {
    self.leastRounds = leastRounds
    self.mostSeconds = mostSeconds
    self.precision = precision
  }

  /// Whether the measurement can end.
  ///
  /// - Parameters:
  ///   - rounds: The rounds so far.
  ///   - seconds: The seconds so far.
  ///   - estimates: The estimates so far; nil for one that has too few rounds.
  /// - Returns: Whether it can.
  public func isDone(rounds: Int, seconds: Double, _ estimates: [RatioEstimate?]) -> Bool {
    guard rounds >= leastRounds else { return false }
    return seconds >= mostSeconds || estimates.allSatisfy { $0?.isWithin(precision) == true }
  }
}
