// SPDX-License-Identifier: MIT

internal import Realtime
internal import Surfaces

/// A part of a MIDI message in a queue: the whole of a short one, 24 bytes of a SysEx.
///
/// Pure value: [any-thread].
struct MIDISlot: BitwiseCopyable {
  /// The bytes of a message that a slot holds.
  static var payload: Int { @_noLocks @_noAllocation get { 24 } }

  /// The number of slots that a message of so many bytes takes.
  @_noLocks @_noAllocation
  static func count(forBytes bytes: Int) -> Int { (bytes + payload - 1) / payload }

  /// The frame at which the message came.
  var frame: UInt64 = 0
  /// The position that the message has given to the crossfader.
  var position = 0.0
  /// Whether the message has moved the crossfader.
  var hasPosition = false
  /// The plug that the message is for; see ``ControllerLine/plugIn()``.
  var plug: UInt32 = 0
  /// The bytes of the whole message.
  var byteCount = 0
  /// The bytes of this part.
  var bytes = InlineArray<24, UInt8>(repeating: 0)

  /// Makes an empty slot.
  @_noLocks @_noAllocation
  init() {}
}

extension SPSCQueue.Producer where Element == MIDISlot {
  /// Appends a message, in as many slots as it needs.
  ///
  /// - Parameters:
  ///   - bytes: The message.
  ///   - head: All other values of its slots.
  /// - Returns: Whether it fitted.
  ///
  /// [any-thread] but one at a time; never waits, never allocates.
  @_noLocks @_noAllocation
  func push(_ bytes: UnsafeBufferPointer<UInt8>, head: MIDISlot) -> Bool {
    guard freeCount >= MIDISlot.count(forBytes: bytes.count) else { return false }
    var slot = head
    slot.byteCount = bytes.count
    var done = 0
    while done < bytes.count {
      let length = min(MIDISlot.payload, bytes.count - done)
      for index in 0..<length { unsafe slot.bytes[index] = bytes[done + index] }
      _ = push(slot)
      done += length
    }
    return true
  }
}

extension SPSCQueue.Consumer where Element == MIDISlot {
  /// The first slot of a message that is there as a whole.
  ///
  /// [any-thread] but one at a time; never waits, never allocates.
  @_noLocks @_noAllocation
  func peekMessage() -> MIDISlot? {
    guard let slot = peek(), availableCount >= MIDISlot.count(forBytes: slot.byteCount) else {
      return nil
    }
    return slot
  }

  /// Takes the message that ``peekMessage()`` has found.
  ///
  /// - Parameters:
  ///   - message: Its first slot.
  ///   - bytes: Room for ``MIDIMessage/byteLimit`` bytes.
  ///
  /// [any-thread] but one at a time; never waits, never allocates.
  @_noLocks @_noAllocation
  func take(_ message: MIDISlot, into bytes: UnsafeMutablePointer<UInt8>) {
    var done = 0
    while done < message.byteCount, let slot = pop() {
      let length = min(MIDISlot.payload, message.byteCount - done)
      for index in 0..<length { unsafe bytes[done + index] = slot.bytes[index] }
      done += length
    }
  }
}
