// SPDX-License-Identifier: MIT

extension Duration {
  /// The duration in nanoseconds, exact below some months.
  var nanoseconds: Double {
    let (seconds, attoseconds) = components
    return Double(seconds) * 1e9 + Double(attoseconds) / 1e9
  }

  /// The duration as a graph file would write it, in the largest unit that gives at least 1.
  var graphText: String {
    let value = nanoseconds
    let (symbol, size): (String, Double) =
      switch value {
      case 3_600e9...: ("h", 3_600e9)
      case 1e9...: ("s", 1e9)
      case 1e6...: ("ms", 1e6)
      case 1e3...: ("µs", 1e3)
      case 0: ("ms", 1e6)
      default: ("ns", 1)
      }
    return "\((value / size).graphText) \(symbol)"
  }
}

extension Double {
  /// The number without a needless `.0`.
  var graphText: String {
    guard isFinite, abs(self) < 1e15, rounded() == self else { return "\(self)" }
    return "\(Int(self))"
  }
}
