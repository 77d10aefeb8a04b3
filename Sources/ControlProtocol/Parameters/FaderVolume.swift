// SPDX-License-Identifier: MIT

internal import Glibc

/// The volume of a fader as apps and their users see it: an amplitude, 0 to 1 (VOL-1, VOL-4).
///
/// Pure functions: [any-thread].
public enum FaderVolume {
  /// The volume of a fader.
  ///
  /// - Parameters:
  ///   - gainDB: The fader in dB; gains above 0 dB count as 1.
  ///   - isMuted: Whether it is muted, which counts as 0.
  /// - Returns: 0 to 1.
  public static func volume(gainDB: Double, isMuted: Bool) -> Double {
    isMuted ? 0 : min(1, pow(10, gainDB / 20))
  }

  /// The gain for a volume.
  ///
  /// - Parameter volume: 0 to 1; others are clamped.
  /// - Returns: The gain in dB, −∞ to 0.
  public static func gainDB(ofVolume volume: Double) -> Double {
    volume > 0 ? 20 * log10(min(1, volume)) : -.infinity
  }
}
