// SPDX-License-Identifier: MIT

/// A way by which a change reaches the host.
///
/// A plain value: [any-thread].
public enum ControlFace: String, CaseIterable, Sendable {
  /// The method `setGain` of the control socket. The other faces are compared with it.
  case setGain
  /// The method `set` of the control socket, with the path of the same gain.
  case set
  /// An OSC message to the address of the same gain, by UDP.
  case osc
}

extension ControlFace {
  /// The beginning of the names of its metrics.
  var metric: String { "control.\(rawValue)" }

  /// The bar for its 99th percentile: two periods and a millisecond.
  ///
  /// - Parameter periodMicroseconds: The length of a period.
  /// - Returns: The bar.
  func bar(periodMicroseconds: Double) -> BenchBar {
    let limit = 2 * periodMicroseconds + 1_000
    return BenchBar("\(metric).p99.microseconds", .atMost, limit.rounded())
  }
}
