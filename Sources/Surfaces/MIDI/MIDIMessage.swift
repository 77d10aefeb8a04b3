// SPDX-License-Identifier: MIT

/// A MIDI message of a controller.
///
/// Pure value: [any-thread].
public struct MIDIMessage: Equatable, Sendable {
  /// The longest message that is passed on, a SysEx with its first and last byte.
  public static var byteLimit: Int { @_noLocks @_noAllocation get { 512 } }

  /// The message with its status byte: 1 to 3 bytes, or a whole SysEx of up to ``byteLimit``.
  public let bytes: [UInt8]
  /// The frame at which the message came, in frame times of the server, unwrapped to 64 bits.
  public let frame: UInt64
  /// The position that the message has given to the crossfader already, -1 to 1; nil for all others.
  ///
  /// The audio thread sets it for an armed ``DirectControl``. Such a message must not set the parameter again.
  public let crossfaderPosition: Double?

  /// Makes a message.
  public init(bytes: [UInt8], frame: UInt64, crossfaderPosition: Double? = nil) {
    self.bytes = bytes
    self.frame = frame
    self.crossfaderPosition = crossfaderPosition
  }
}
