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

  /// How many bytes it has.
  var byteCount: Int {
    @_noLocks @_noAllocation get {
      switch status & 0xf0 {
      case 0xc0, 0xd0: 2
      case 0xf0: status >= 0xf8 ? 1 : 3
      default: 3
      }
    }
  }
}
