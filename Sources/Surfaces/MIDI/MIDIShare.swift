// SPDX-License-Identifier: MIT

/// The travel of a control that sends 7 or 14 bits, as a share from 0 to 1.
///
/// The middle value of MIDI, 64 or 8192, is exactly 0.5, so that a fader with a detent rests in the middle (MID-3).
/// Pure functions: [any-thread], never wait, never allocate.
public enum MIDIShare {
  /// The share of a value of 7 bits, 0…127.
  @_noLocks @_noAllocation
  public static func of7Bits(_ value: Int) -> Double { share(value, centre: 64) }

  /// The share of a value of 14 bits, 0…16383.
  @_noLocks @_noAllocation
  public static func of14Bits(_ value: Int) -> Double { share(value, centre: 8_192) }

  @_noLocks @_noAllocation
  private static func share(_ value: Int, centre: Int) -> Double {
    let value = min(max(value, 0), 2 * centre - 1)
    return value <= centre
      ? Double(value) / Double(2 * centre)
      : 0.5 + Double(value - centre) / Double(2 * (centre - 1))
  }
}
