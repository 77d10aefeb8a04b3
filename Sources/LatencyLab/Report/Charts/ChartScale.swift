// SPDX-License-Identifier: MIT

import Glibc

/// The position of values along an axis.
///
/// Pure value: [any-thread].
struct ChartScale {
  /// A plain value: [any-thread].
  enum Kind {
    case linear
    case logarithmic
  }

  let kind: Kind
  let minimum: Double
  let maximum: Double

  /// A scale that holds all values, with its ends on round figures.
  init(kind: Kind, holding values: [Double], includesZero: Bool = false) {
    self.kind = kind
    let finite = values.filter { $0.isFinite && (kind == .linear || $0 > 0) }
    var low = finite.min() ?? 0
    var high = finite.max() ?? 1
    switch kind {
    case .linear:
      if includesZero { (low, high) = (min(low, 0), max(high, 0)) }
      if high == low { high = low + 1 }
      let step = Self.step(for: high - low)
      minimum = (low / step).rounded(.down) * step
      maximum = (high / step).rounded(.up) * step
    case .logarithmic:
      if low <= 0 { (low, high) = (1, 10) }
      let figures = Self.roundFigures(from: low, to: high)
      let lowest = figures.last { $0 <= low } ?? low
      minimum = lowest
      maximum = figures.first { $0 >= high && $0 > lowest } ?? high
    }
  }

  /// A scale with just these ends.
  init(kind: Kind, from minimum: Double, to maximum: Double) {
    self.kind = kind
    self.minimum = minimum
    self.maximum = maximum
  }

  /// Share of the axis, 0…1.
  func share(of value: Double) -> Double {
    switch kind {
    case .linear:
      return max(0, min(1, (value - minimum) / (maximum - minimum)))
    case .logarithmic:
      let clamped = max(minimum, min(maximum, value))
      return log(clamped / minimum) / log(maximum / minimum)
    }
  }

  /// The figures to write along the axis.
  var ticks: [Double] {
    switch kind {
    case .linear:
      let step = Self.step(for: maximum - minimum)
      let count = Int(((maximum - minimum) / step).rounded())
      return (0...max(1, count)).map { minimum + Double($0) * step }
    case .logarithmic:
      let figures = Self.roundFigures(from: minimum, to: maximum)
        .filter { $0 >= minimum * 0.999_999 && $0 <= maximum * 1.000_001 }
      guard maximum / minimum > Self.widestWithAllFigures else { return figures }
      return figures.filter { abs(log10($0) - log10($0).rounded()) < 1e-6 }
    }
  }

  /// 1, 2 and 5 times each power of ten from below one value to above another.
  private static func roundFigures(from low: Double, to high: Double) -> [Double] {
    let exponents = Int(log10(low).rounded(.down)) - 1...Int(log10(high).rounded(.up)) + 1
    return exponents.flatMap { exponent in [1.0, 2, 5].map { $0 * pow(10, Double(exponent)) } }
  }

  /// From three decades on only powers of ten have a tick.
  private static let widestWithAllFigures = 1000.0

  /// A step of 1, 2 or 5 times a power of ten that gives about five ticks.
  private static func step(for range: Double) -> Double {
    let raw = range / 5
    let power = pow(10, log10(raw).rounded(.down))
    let factor = [1.0, 2, 5, 10].first { $0 * power >= raw * 0.999 } ?? 10
    return factor * power
  }

  /// A tick's figure without needless decimals.
  static func label(_ value: Double) -> String {
    if abs(value) >= 1000, abs(value) < 1e6, value == value.rounded() { return "\(Int(value))" }
    let rounded = value.rounded(toPlaces: abs(value) < 1 ? 3 : 2)
    return rounded == rounded.rounded() ? "\(Int(rounded))" : "\(rounded)"
  }
}
