// SPDX-License-Identifier: MIT

/// Figures of small samples of any sign and unit, which a histogram of times cannot hold.
///
/// Percentiles of times come from ``JitterStatistics``. Pure values: [any-thread].
extension [Double] {
  /// The sample median: the middle value, or the mean of the two middle ones; nil without values.
  var median: Double? {
    guard !isEmpty else { return nil }
    let sorted = sorted()
    let middle = sorted.count / 2
    return sorted.count.isMultiple(of: 2)
      ? (sorted[middle - 1] + sorted[middle]) / 2 : sorted[middle]
  }

  /// The square root of the mean of the squares; nil without values.
  var rootMeanSquare: Double? {
    isEmpty ? nil : (reduce(0) { $0 + $1 * $1 } / Double(count)).squareRoot()
  }

  /// The arithmetic mean; nil without values.
  var mean: Double? { isEmpty ? nil : reduce(0, +) / Double(count) }

  /// Equally spaced values minus their least-squares line.
  ///
  /// With t = i − (n−1)/2 the line is mean + t · Σ t·y / Σ t² (Draper and Smith, *Applied Regression Analysis*, chapter 1).
  var deviationsFromLine: [Double] {
    guard let mean else { return [] }
    let middle = Double(count - 1) / 2
    var (slope, spread) = (0.0, 0.0)
    for (index, value) in enumerated() {
      let place = Double(index) - middle
      slope += place * (value - mean)
      spread += place * place
    }
    slope = spread > 0 ? slope / spread : 0
    return enumerated().map { index, value in value - mean - slope * (Double(index) - middle) }
  }
}
