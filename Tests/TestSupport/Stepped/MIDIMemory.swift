// SPDX-License-Identifier: MIT

internal import CJACKNet

/// A buffer of a MIDI port outside of JACK, as `jack_net_master_send` and `jack_net_master_recv` take them.
///
/// JACK makes such buffers for ports only. So the three words that its own functions do not write are written here: the mark that it
/// is one, its size, and the length of the period. All else is left to JACK's functions.
@safe
final class MIDIMemory {
  private static let mark: UInt32 = 0x900D_F00D
  private static let size: Int32 = 32_768
  /// The size of jackd's header.
  ///
  /// netjack takes it for the unit of a distance in bytes, and writes so far away: that is memory too.
  private static let headerBytes = 40

  /// The longest message that netjack brings unharmed.
  static let messageBytes = 4

  let memory: UnsafeMutableRawPointer
  private let frames: Int

  init(frames: Int) {
    self.frames = frames
    let bytes = (Self.headerBytes + 1) * Int(Self.size)
    unsafe memory = UnsafeMutableRawPointer.allocate(byteCount: bytes, alignment: 16)
    unsafe memory.initializeMemory(as: UInt8.self, repeating: 0, count: bytes)
    clear()
  }

  deinit { unsafe memory.deallocate() }

  /// How many messages fit into a cycle; netjack writes more than these beyond its memory.
  var capacity: Int { (frames * MemoryLayout<Float>.size - Self.headerBytes) / 12 }

  /// Takes all messages away.
  func clear() {
    unsafe memory.storeBytes(of: Self.mark, as: UInt32.self)
    unsafe memory.storeBytes(of: Self.size, toByteOffset: 4, as: Int32.self)
    unsafe memory.storeBytes(of: UInt32(frames), toByteOffset: 8, as: UInt32.self)
    unsafe jack_midi_clear_buffer(memory)
  }

  /// Writes a message; false if JACK refuses it.
  func write(_ bytes: [UInt8], at offset: Int) -> Bool {
    unsafe jack_midi_event_write(memory, UInt32(offset), bytes, bytes.count) == 0
  }

  /// The messages, with their offsets in the cycle; nil for the bytes of one that netjack has harmed.
  var messages: [(offset: Int, bytes: [UInt8]?)] {
    let count = unsafe jack_midi_get_event_count(memory)
    return (0..<count).compactMap { index in
      var event = unsafe jack_midi_event_t()
      guard unsafe jack_midi_event_get(&event, memory, index) == 0 else { return nil }
      let bytes = unsafe UnsafeBufferPointer(start: event.buffer, count: event.size)
      let isUnharmed = unsafe event.size <= Self.messageBytes
      return unsafe (Int(event.time), isUnharmed ? Array(bytes) : nil)
    }
  }
}
