// SPDX-License-Identifier: MIT

/// A MIDI message for a node, at a frame.
public struct ScheduledMIDI: BitwiseCopyable, Sendable {
  /// The JACK frame time at which it sounds; wraps at 2³².
  public var frame: UInt32
  /// The status byte.
  public var status: UInt8
  /// The first data byte.
  public var data1: UInt8
  /// The second data byte; without meaning for messages of two bytes.
  public var data2: UInt8

  /// Makes a message.
  public init(frame: UInt32, status: UInt8, data1: UInt8, data2: UInt8) {
    self.frame = frame
    self.status = status
    self.data1 = data1
    self.data2 = data2
  }

  /// How many bytes it has, 1 … 3; 0 for what is no message of its own: no status byte, parts of system exclusive
  /// messages, and what MIDI leaves undefined.
  public var byteCount: Int {
    @_noLocks @_noAllocation get {
      switch status {
      case 0..<0x80, 0xf0, 0xf4, 0xf5, 0xf7, 0xf9, 0xfd: 0
      case 0xc0..<0xe0, 0xf1, 0xf3: 2
      case 0xf6, 0xf8...: 1
      default: 3
      }
    }
  }
}
