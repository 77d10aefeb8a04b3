// SPDX-License-Identifier: MIT

import Glibc

/// A metric that tables show, in the order they show it.
///
/// Pure value: [any-thread].
struct ReportColumn {
  var metric: String
  var heading: String
  var decimals: Int

  /// The columns of results that are many, such as those of a sweep.
  static let all = [
    ReportColumn(metric: "roundTrip.delay.frames", heading: "trip frames", decimals: 3),
    ReportColumn(metric: "roundTrip.claimed.maximum.frames", heading: "claimed", decimals: 0),
    ReportColumn(metric: "system.claimedRoundTrip.milliseconds", heading: "system ms", decimals: 2),
    ReportColumn(metric: "wakeUp.p50.microseconds", heading: "wake p50 µs", decimals: 1),
    ReportColumn(metric: "wakeUp.p99.microseconds", heading: "p99", decimals: 1),
    ReportColumn(metric: "wakeUp.p999.microseconds", heading: "p99.9", decimals: 1),
    ReportColumn(metric: "wakeUp.maximum.microseconds", heading: "max", decimals: 1),
    ReportColumn(metric: "wakeUp.p99.percentOfPeriod", heading: "p99 %", decimals: 1),
    ReportColumn(metric: "interval.p99.microseconds", heading: "interval p99", decimals: 1),
    ReportColumn(metric: "graph.p99.microseconds", heading: "graph p99", decimals: 1),
    ReportColumn(metric: "baseline.p99.microseconds", heading: "base p99", decimals: 1),
    ReportColumn(metric: "baseline.maximum.microseconds", heading: "base max", decimals: 1),
    ReportColumn(metric: "callback.p99.microseconds", heading: "own p99", decimals: 1),
    ReportColumn(metric: "load.percent", heading: "load %", decimals: 1),
    ReportColumn(metric: "xruns.count", heading: "xruns", decimals: 0),
  ]

  /// A figure with three decimals, or without decimals if it is whole.
  static func text(_ value: Double) -> String {
    text(value, decimals: value == value.rounded() ? 0 : 3)
  }

  /// A figure with so many decimals.
  static func text(_ value: Double, decimals: Int) -> String {
    guard value.isFinite else { return "\(value)" }
    let factor = [1.0, 10, 100, 1000, 10_000][max(0, min(4, decimals))]
    let scaled = (abs(value) * factor).rounded()
    guard scaled < 1e15 else { return "\(value)" }
    let digits = String(Int(scaled))
    let sign = value < 0 && scaled > 0 ? "-" : ""
    guard decimals > 0 else { return sign + digits }
    let padded = String(repeating: "0", count: max(0, decimals + 1 - digits.count)) + digits
    return sign + padded.dropLast(decimals) + "." + padded.suffix(decimals)
  }
}

extension Double {
  /// The value with so many decimal places, for texts. [any-thread]
  func rounded(toPlaces places: Int) -> Double {
    let factor = pow(10, Double(places))
    return (self * factor).rounded() / factor
  }
}
