// SPDX-License-Identifier: MIT

internal import CJACK

/// One MIDI message in a cycle.
///
/// Pure value: [any-thread].
@safe
public struct MIDIEvent: BitwiseCopyable {
  /// The frame within the cycle, 0 ..< the cycle's frames.
  public let frameOffset: UInt32
  /// The raw bytes, without running status.
  ///
  /// Valid until the callback returns.
  public let bytes: UnsafeBufferPointer<UInt8>

  @_noLocks @_noAllocation
  init(frameOffset: UInt32, bytes: UnsafeBufferPointer<UInt8>) {
    self.frameOffset = frameOffset
    unsafe self.bytes = unsafe bytes
  }
}

/// Events of an input port in this cycle.
///
/// Valid until the callback returns. [audio-thread & active]
@safe
public struct MIDIInputEvents: BitwiseCopyable {
  private let buffer: UnsafeMutableRawPointer?
  /// The number of events.
  public let count: Int
  /// Events that were lost because a buffer was full.
  public let lostCount: Int

  @_noLocks @_noAllocation
  init(buffer: UnsafeMutableRawPointer?) {
    unsafe self.buffer = unsafe buffer
    if let buffer = unsafe buffer {
      self.count = unsafe Int(jack_midi_get_event_count(buffer))
      self.lostCount = unsafe Int(jack_midi_get_lost_event_count(buffer))
    } else {
      self.count = 0
      self.lostCount = 0
    }
  }

  /// The event at `index`, 0 ..< `count`; an empty one outside. [audio-thread & active]
  public subscript(index: Int) -> MIDIEvent {
    @_noLocks @_noAllocation get {
      var event = unsafe jack_midi_event_t()
      guard let buffer = unsafe buffer, index >= 0, index < count,
        unsafe jack_midi_event_get(&event, buffer, UInt32(truncatingIfNeeded: index)) == 0
      else {
        return unsafe MIDIEvent(
          frameOffset: 0,
          bytes: UnsafeBufferPointer(start: nil, count: 0),
        )
      }
      return unsafe MIDIEvent(
        frameOffset: event.time,
        bytes: UnsafeBufferPointer(start: event.buffer, count: event.size),
      )
    }
  }
}

/// Writer of the events of an output port for this cycle.
///
/// Valid until the callback returns. [audio-thread & active]
@safe
public struct MIDIOutputEvents: BitwiseCopyable {
  private let buffer: UnsafeMutableRawPointer?
  private let frames: UInt32

  @_noLocks @_noAllocation
  init(clearing buffer: UnsafeMutableRawPointer?, frames: UInt32) {
    unsafe self.buffer = unsafe buffer
    self.frames = frames
    if let buffer = unsafe buffer {
      unsafe jack_midi_clear_buffer(buffer)
    }
  }

  /// The longest message that still fits, in bytes. [audio-thread & active]
  public var freeBytes: Int {
    @_noLocks @_noAllocation get {
      guard let buffer = unsafe buffer else { return 0 }
      return unsafe jack_midi_max_event_size(buffer)
    }
  }

  /// Adds a message.
  ///
  /// - Parameters:
  ///   - bytes: One complete message, without running status.
  ///   - frameOffset: The frame within the cycle; never smaller than that of the message before.
  /// - Returns: Whether it was written; false if it does not fit or is out of order.
  ///
  /// [audio-thread & active]
  @_noLocks @_noAllocation
  public func write(_ bytes: UnsafeBufferPointer<UInt8>, at frameOffset: UInt32) -> Bool {
    guard let buffer = unsafe buffer, let start = bytes.baseAddress,
      accepts(byteCount: bytes.count, at: frameOffset)
    else { return false }
    return unsafe jack_midi_event_write(buffer, frameOffset, start, bytes.count) == 0
  }

  /// Adds a message of three bytes, such as a note or a controller.
  ///
  /// - Parameters:
  ///   - status: The status byte.
  ///   - data1: The first data byte.
  ///   - data2: The second data byte.
  ///   - frameOffset: The frame within the cycle; never smaller than that of the message before.
  /// - Returns: Whether it was written; false if it does not fit or is out of order.
  ///
  /// [audio-thread & active]
  @_noLocks @_noAllocation
  public func write(
    _ status: UInt8,
    _ data1: UInt8,
    _ data2: UInt8,
    at frameOffset: UInt32,
  ) -> Bool {
    var message = (status, data1, data2)
    return unsafe withUnsafeBytes(of: &message) { bytes in
      let start = unsafe bytes.baseAddress?.assumingMemoryBound(to: UInt8.self)
      return unsafe write(UnsafeBufferPointer(start: start, count: bytes.count), at: frameOffset)
    }
  }

  /// Asked before libjack is: its refusal logs, and that wakes another thread.
  @_noLocks @_noAllocation
  private func accepts(byteCount: Int, at frameOffset: UInt32) -> Bool {
    guard let buffer = unsafe buffer, byteCount > 0, frameOffset < frames,
      byteCount <= freeBytes
    else { return false }
    let count = unsafe jack_midi_get_event_count(buffer)
    guard count > 0 else { return true }
    var last = unsafe jack_midi_event_t()
    guard unsafe jack_midi_event_get(&last, buffer, count - 1) == 0 else { return false }
    return unsafe last.time <= frameOffset
  }
}
