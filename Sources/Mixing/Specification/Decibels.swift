// SPDX-License-Identifier: MIT

#if canImport(Glibc)
  import Glibc
#endif

/// Conversions between decibels and linear gain.
///
/// Pure functions: [any-thread].
public enum Decibels {
  /// The highest gain that anything here may have, in dB.
  public static let maximumGainDB: Double = 24

  /// The linear gain of a level in decibels; −∞ is silence.
  public static func linear(fromDB decibels: Double) -> Float {
    // Exact where it matters: 0 dB must leave every bit alone.
    decibels == 0 ? 1 : Float(pow(10, decibels / 20))
  }

  /// The level in decibels of a linear gain; 0 and below is −∞.
  public static func decibels(fromLinear linear: Float) -> Double {
    linear > 0 ? 20 * log10(Double(linear)) : -.infinity
  }
}
