// SPDX-License-Identifier: MIT

/// The travel of faders: four straight pieces, finer towards the top, with 0 dB at three quarters.
///
/// The law is that of the X32 and X-Air mixers (Maillot, "Unofficial X32/M32 OSC Remote Protocol"). Its top is +10 dB: a gain
/// above that stands at the top, and only a number sets it. Pure functions: [any-thread].
public enum FaderTaper {
  /// The gain at the top in dB.
  public static let highestDB = 10.0

  /// The gain at a position of a fader.
  ///
  /// - Parameter position: 0, the bottom, to 1, the top; others are clamped.
  /// - Returns: The gain in dB, −∞ to +10.
  public static func gainDB(atPosition position: Double) -> Double {
    switch position {
    case 1...: highestDB
    case 0.5...: 40 * position - 30
    case 0.25...: 80 * position - 50
    case 0.0625...: 160 * position - 70
    case let low where low > 0: 480 * low - 90
    default: -.infinity
    }
  }

  /// The position of a fader for a gain.
  ///
  /// - Parameter gainDB: The gain in dB, −∞ to 24.
  /// - Returns: 0 to 1; gains from −90 dB down are at the bottom.
  public static func position(ofGainDB gainDB: Double) -> Double {
    switch gainDB {
    case highestDB...: 1
    case (-10.0)...: (gainDB + 30) / 40
    case -30 ..< -10: (gainDB + 50) / 80
    case -60 ..< -30: (gainDB + 70) / 160
    case -90 ..< -60: (gainDB + 90) / 480
    default: 0
    }
  }
}
