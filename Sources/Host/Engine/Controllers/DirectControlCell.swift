// SPDX-License-Identifier: MIT

internal import Surfaces
internal import Synchronization

/// The control of a controller that moves the crossfader on the audio thread.
///
/// Control arms it with one atomic word; the rest is the audio thread's.
struct DirectControlCell: ~Copyable {
  /// The control as ``word(of:)`` packs it; 0 while none is armed.
  private let armed = Atomic<UInt64>(0)
  /// The word that was read last.
  private var word: UInt64 = 0
  /// The control that was armed last, and its halves so far: they count on while none is armed.
  private var tracked: UInt64 = 0
  private var pairValue = FourteenBitValue()

  private static var cc: UInt64 { @_noLocks @_noAllocation get { 1 } }
  private static var pair: UInt64 { @_noLocks @_noAllocation get { 2 } }
  private static var bend: UInt64 { @_noLocks @_noAllocation get { 3 } }
  /// Kind, channel and number.
  private static var controlBits: UInt64 { @_noLocks @_noAllocation get { 0x7F3F } }

  /// Makes a cell without a control. [control-thread]
  init() {}

  /// Arms a control, or none. [any-thread]
  func arm(_ control: DirectControl?) {
    armed.store(control.map(Self.word(of:)) ?? 0, ordering: .releasing)
  }

  /// A control in 64 bits: kind, channel, number, the positions at its ends in steps of 1/32767, and the order of its halves.
  /// [any-thread]
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
    let order: UInt64 = control.isLowerFirst.map { $0 ? 2 : 1 } ?? 0
    return order << 48 | kind | UInt64(control.channel) << 2 | UInt64(number) << 8
      | end(control.lowest) << 16 | end(control.highest) << 32
  }

  /// The position that a message gives to the crossfader; nil for all other messages.
  ///
  /// A pair acts at the half with which it is whole (MID-1).
  ///
  /// [audio-thread] never waits, never allocates.
  @_noLocks @_noAllocation
  mutating func position(of bytes: UnsafeBufferPointer<UInt8>) -> Double? {
    let present = armed.load(ordering: .acquiring)
    if present != word {
      word = present
      if present != 0 { track(present) }
    }
    guard tracked != 0, bytes.count == 3 else { return nil }
    let status = unsafe Int(bytes[0])
    let first = unsafe Int(bytes[1] & 0x7F)
    let second = unsafe Int(bytes[2] & 0x7F)
    let number = Int(tracked >> 8 & 0x7F)
    guard status & 0xF == Int(tracked >> 2 & 0xF) else { return nil }
    switch (status & 0xF0, tracked & 3) {
    case (0xB0, Self.cc):
      return first == number && word != 0 ? position(at: MIDIShare.of7Bits(second)) : nil
    case (0xB0, Self.pair) where first == number:
      return position(atPair: pairValue.take(upper: UInt8(truncatingIfNeeded: second)))
    case (0xB0, Self.pair) where first == number + 32:
      return position(atPair: pairValue.take(lower: UInt8(truncatingIfNeeded: second)))
    case (0xE0, Self.bend) where word != 0:
      return position(at: MIDIShare.of14Bits(second << 7 | first))
    default: return nil
    }
  }

  /// Goes over to an armed control; the halves of the same one count on. [audio-thread]
  @_noLocks @_noAllocation
  private mutating func track(_ present: UInt64) {
    let control = present & Self.controlBits
    if control != tracked {
      tracked = control
      pairValue = FourteenBitValue()
    }
    let order = present >> 48 & 3
    if order != 0 { pairValue.know(isLowerFirst: order == 2) }
  }

  @_noLocks @_noAllocation
  private func position(atPair whole: Int?) -> Double? {
    guard let whole, word != 0 else { return nil }
    return position(at: MIDIShare.of14Bits(whole))
  }

  @_noLocks @_noAllocation
  private func position(at share: Double) -> Double {
    let lowest = Double(Int16(truncatingIfNeeded: word >> 16)) / 32_767
    let highest = Double(Int16(truncatingIfNeeded: word >> 32)) / 32_767
    return lowest + (highest - lowest) * share
  }
}
