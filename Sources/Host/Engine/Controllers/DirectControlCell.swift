// SPDX-License-Identifier: MIT

internal import Surfaces
internal import Synchronization

/// The control of a controller that moves the crossfader on the audio thread.
///
/// Control arms it with one atomic word; the rest is the audio thread's.
struct DirectControlCell: ~Copyable {
  /// The control as ``word(of:)`` packs it; 0 while none is armed.
  private let armed = Atomic<UInt64>(0)
  /// The word that the state below belongs to.
  private var word: UInt64 = 0
  private var upperBits = 0
  private var hasLowerBits = false

  private static var cc: UInt64 { @_noLocks @_noAllocation get { 1 } }
  private static var pair: UInt64 { @_noLocks @_noAllocation get { 2 } }
  private static var bend: UInt64 { @_noLocks @_noAllocation get { 3 } }

  /// Makes a cell without a control. [control-thread]
  init() {}

  /// Arms a control, or none. [any-thread]
  func arm(_ control: DirectControl?) {
    armed.store(control.map(Self.word(of:)) ?? 0, ordering: .releasing)
  }

  /// A control in 64 bits: kind, channel, number, and the positions at its ends in steps of 1/32767. [any-thread]
  private static func word(of control: DirectControl) -> UInt64 {
    let (kind, number): (UInt64, UInt8) =
      switch control.kind {
      case .controlChange(let number): (cc, number & 0x7F)
      case .controlChangePair(let number): (pair, number & 0x1F)
      case .pitchBend: (bend, 0)
      }
    func end(_ position: Double) -> UInt64 {
      UInt64(UInt16(bitPattern: Int16((position * 32_767).rounded())))
    }
    return kind | UInt64(control.channel) << 2 | UInt64(number) << 8
      | end(control.lowest) << 16 | end(control.highest) << 32
  }

  /// The position that a message gives to the crossfader; nil for all other messages.
  ///
  /// A pair acts at its lower bits as soon as these have come once, and at the upper ones until then (MID-1).
  ///
  /// [audio-thread] never waits, never allocates.
  @_noLocks @_noAllocation
  mutating func position(of bytes: UnsafeBufferPointer<UInt8>) -> Double? {
    let present = armed.load(ordering: .acquiring)
    if present != word {
      word = present
      upperBits = 0
      hasLowerBits = false
    }
    guard word != 0, bytes.count == 3 else { return nil }
    let status = unsafe Int(bytes[0])
    let first = unsafe Int(bytes[1] & 0x7F)
    let second = unsafe Int(bytes[2] & 0x7F)
    let number = Int(word >> 8 & 0x7F)
    guard status & 0xF == Int(word >> 2 & 0xF) else { return nil }
    switch (status & 0xF0, word & 3) {
    case (0xB0, Self.cc):
      return first == number ? position(at: MIDIShare.of7Bits(second)) : nil
    case (0xB0, Self.pair) where first == number:
      upperBits = second
      return hasLowerBits ? nil : position(at: MIDIShare.of7Bits(second))
    case (0xB0, Self.pair) where first == number + 32:
      hasLowerBits = true
      return position(at: MIDIShare.of14Bits(upperBits << 7 | second))
    case (0xE0, Self.bend):
      return position(at: MIDIShare.of14Bits(second << 7 | first))
    default: return nil
    }
  }

  @_noLocks @_noAllocation
  private func position(at share: Double) -> Double {
    let lowest = Double(Int16(truncatingIfNeeded: word >> 16)) / 32_767
    let highest = Double(Int16(truncatingIfNeeded: word >> 32)) / 32_767
    return lowest + (highest - lowest) * share
  }
}
