// SPDX-License-Identifier: MIT

extension Duration {
  /// The duration in seconds.
  var seconds: Double {
    Double(components.seconds) + Double(components.attoseconds) * 1e-18
  }

  /// The duration in whole nanoseconds, 0 where it is negative.
  var nanoseconds: UInt64 { UInt64(max(0, seconds * 1e9)) }
}
