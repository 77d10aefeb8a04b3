// SPDX-License-Identifier: MIT

internal import JACK

/// What a MIDI message means to a node that plays or counts notes.
enum NoteMessage: BitwiseCopyable {
  case on(UInt8, velocity: UInt8)
  case off(UInt8)
  /// All notes off or all sound off, or one of the mode messages that imply it.
  case allOff

  /// Reads a message; nil where it is about no note. [audio-thread]
  @_noLocks @_noAllocation
  init?(_ event: MIDIEvent) {
    guard unsafe event.bytes.count == 3 else { return nil }
    let (status, first, second) = unsafe (
      event.bytes[0] & 0xf0, event.bytes[1] & 0x7f, event.bytes[2]
    )
    switch status {
    case 0x90 where second > 0: self = .on(first, velocity: second)
    case 0x80, 0x90: self = .off(first)
    case 0xb0 where first == 120 || first >= 123: self = .allOff
    default: return nil
    }
  }
}
