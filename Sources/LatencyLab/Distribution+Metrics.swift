// SPDX-License-Identifier: MIT

extension Distribution {
  /// The percentiles as metrics: in microseconds, and in percent of the period.
  func metrics(named name: String, periodMicroseconds: Double) -> [String: Double] {
    let figures = [
      ("p50", p50Microseconds), ("p90", p90Microseconds), ("p99", p99Microseconds),
      ("p999", p999Microseconds), ("maximum", maximumMicroseconds),
    ]
    var metrics: [String: Double] = [:]
    for (figure, microseconds) in figures {
      metrics["\(name).\(figure).microseconds"] = microseconds
      guard periodMicroseconds > 0 else { continue }
      metrics["\(name).\(figure).percentOfPeriod"] = microseconds / periodMicroseconds * 100
    }
    return metrics
  }
}
