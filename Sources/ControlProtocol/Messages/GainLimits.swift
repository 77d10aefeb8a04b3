// SPDX-License-Identifier: MIT

/// The gains that the protocol takes.
///
/// Gains are decibels of amplitude, 0 is unity. Silence is minus infinity in Swift and the string
/// `"-inf"` in JSON, which has no infinity of its own; `null` would read as "unknown".
public enum GainLimits {
  /// The highest gain that can be set, in dB.
  public static let highestDB = 24.0
}
