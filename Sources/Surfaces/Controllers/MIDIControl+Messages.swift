// SPDX-License-Identifier: MIT

internal import GraphFiles

/// The bytes of a control's messages. [any-thread]
extension MIDIControl {
  /// The messages that show a value on the control.
  ///
  /// - Parameter value: 0 to ``highestValue``; others are clamped. Encoders have a ring that takes control changes.
  /// - Returns: Whole messages in their order; none for a program change.
  func messages(showing value: Int) -> [[UInt8]] {
    let value = min(max(value, 0), highestValue)
    let (upper, lower) = (UInt8(value >> 7 & 0x7F), UInt8(value & 0x7F))
    func change(_ control: UInt8, _ value: UInt8) -> [UInt8] { [0xB0 | channel, control, value] }
    func parameter(_ number: UInt16, _ upperControl: UInt8) -> [[UInt8]] {
      // The null number at the end keeps later data away from this parameter (MID-2).
      [
        change(upperControl, UInt8(number >> 7)), change(upperControl - 1, UInt8(number & 0x7F)),
        change(6, upper), change(38, lower), change(101, 127), change(100, 127),
      ]
    }
    return switch kind {
    case .controlChange(let number), .relative(let number, _): [change(number, lower)]
    case .controlChangePair(let number): [change(number, upper), change(number + 32, lower)]
    case .registered(let number): parameter(number, 101)
    case .nonRegistered(let number): parameter(number, 99)
    case .note(let number): [[0x90 | channel, number, lower]]
    case .pitchBend: [[0xE0 | channel, lower, upper]]
    case .program: []
    }
  }

  /// Whether a move is one of this control.
  func takes(_ move: ControllerMove) -> Bool {
    guard move.control.channel == channel else { return false }
    if case .relative(let number, _) = kind { return move.control.kind == .controlChange(number) }
    return move.control.kind == kind
  }

  /// Whether some of the moves of a message are of this control.
  func isMoved(by moves: [ControllerMove]) -> Bool { moves.contains(where: takes) }
}

extension MIDIControl.RelativeEncoding {
  /// The steps of a value, negative for down (MID-10). [any-thread]
  ///
  /// - Parameter value: The value of the control change, 0…127.
  /// - Returns: −64…63.
  func steps(_ value: Int) -> Int {
    switch self {
    case .twosComplement: value < 64 ? value : value - 128
    case .binaryOffset: value - 64
    case .signMagnitude: value < 64 ? value : 64 - value
    }
  }
}
