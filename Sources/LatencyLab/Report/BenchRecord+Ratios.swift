// SPDX-License-Identifier: MIT

extension BenchRecord {
  /// Tells a ratio with its interval: the metric itself only where there is a figure to tell.
  ///
  /// `NAMELower.UNIT` and `NAMEUpper.UNIT` are the ends of the 95 % interval. A ratio that is lost in the noise has
  /// these alone, where they are finite, and a note in its place.
  ///
  /// - Parameters:
  ///   - metric: The name of the metric with its unit, such as `mix.callbackRatioToJackMixBox.ratio`.
  ///   - estimate: The estimate; nil with too few rounds.
  mutating func tell(_ metric: String, _ estimate: RatioEstimate?) {
    guard let estimate else {
      notes.append("\(metric): takes \(RatioEstimate.fewestRounds) rounds")
      return
    }
    for (end, value) in [("Lower", estimate.lower), ("Upper", estimate.upper)]
    where value.isFinite {
      metrics[Self.name(metric, end)] = value
    }
    if estimate.isMeasurable {
      metrics[metric] = estimate.ratio
    } else {
      notes.append("\(metric): \(Self.noise(estimate.lower, estimate.upper))")
    }
  }

  /// The interval of a metric, where the record has one; an end that is missing is infinite.
  func interval(of metric: String) -> ClosedRange<Double>? {
    let lower = metrics[Self.name(metric, "Lower")]
    let upper = metrics[Self.name(metric, "Upper")]
    guard lower != nil || upper != nil else { return nil }
    let ends = (lower ?? -.infinity, upper ?? .infinity)
    return ends.0 <= ends.1 ? ends.0...ends.1 : nil
  }

  /// The words in place of a figure that is lost in the noise.
  static func noise(_ lower: Double, _ upper: Double) -> String {
    let ends =
      [lower, upper].map { $0.isFinite ? ReportColumn.text($0, decimals: 3) : "∞" }
      .joined(separator: " … ")
    guard upper.isFinite else {
      return "not measurable here: the peer is lost in the noise (\(ends))"
    }
    let noise = ReportColumn.text((upper - lower) / 2, decimals: 3)
    return "not measurable here: noise of \(noise) (\(ends))"
  }

  /// `mix.ratio.ratio` and `Lower` give `mix.ratioLower.ratio`.
  private static func name(_ metric: String, _ end: String) -> String {
    guard let dot = metric.lastIndex(of: ".") else { return metric + end }
    return metric[..<dot] + end + metric[dot...]
  }
}
