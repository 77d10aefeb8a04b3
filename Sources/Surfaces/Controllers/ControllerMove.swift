// SPDX-License-Identifier: MIT

public import GraphFiles

/// The move of a control: a value for one kind of message.
///
/// Pure value: [any-thread].
public struct ControllerMove: Hashable, Sendable {
  /// The control, never a relative one: that is a control change here.
  public let control: MIDIControl
  /// The value, 0 to the control's highest; 0 for a note that is off.
  public let value: Int

  init(_ kind: MIDIControl.Kind, channel: UInt8, value: Int) {
    control = MIDIControl(kind, channel: channel)
    self.value = value
  }
}

/// Reads the messages of one controller as moves of its controls.
///
/// One message can be several moves: a control change alone, and as half of a 14-bit pair or of a parameter number. The
/// mapping chooses. Pure value: [any-thread].
public struct ControllerParser: Sendable {
  /// The number of messages that were broken.
  public private(set) var brokenMessages = 0

  private var channels = Array(repeating: Channel(), count: 16)
  private var runningStatus: UInt8?

  /// Starts without knowledge of the controller.
  public init() {}

  /// Reads a message.
  ///
  /// - Parameter bytes: One message; without its status byte it has that of the message before.
  /// - Returns: The moves, the plainest first; none for messages that no control sends.
  public mutating func moves(in bytes: [UInt8]) -> [ControllerMove] {
    guard let first = bytes.first else { return broken() }
    let status: UInt8
    let data: ArraySlice<UInt8>
    if first < 0x80 {
      guard let running = runningStatus else { return broken() }
      (status, data) = (running, bytes[...])
    } else {
      (status, data) = (first, bytes.dropFirst())
    }
    guard status < 0xF0 else {
      // A SysEx or common message ends the running status; a real-time message does not (MIDI 1.0, "Running status").
      if status < 0xF8 { runningStatus = nil }
      return []
    }
    let length = status & 0xE0 == 0xC0 ? 1 : 2
    guard data.count == length, data.allSatisfy({ $0 < 0x80 }) else { return broken() }
    runningStatus = status
    let one = data[data.startIndex]
    let two = data[data.endIndex - 1]
    let channel = status & 0xF
    return switch status & 0xF0 {
    case 0x80: [ControllerMove(.note(one), channel: channel, value: 0)]
    case 0x90: [ControllerMove(.note(one), channel: channel, value: Int(two))]
    case 0xB0: channels[Int(channel)].moves(of: one, value: two, channel: channel)
    case 0xC0: [ControllerMove(.program(one), channel: channel, value: 127)]
    case 0xE0:
      [ControllerMove(.pitchBend, channel: channel, value: Int(two) << 7 | Int(one))]
    default: []
    }
  }

  /// Whether a control sends the lower bits of a pair first; nil while that is not known.
  func isLowerFirst(pair number: UInt8, channel: UInt8) -> Bool? {
    channels[Int(channel & 0xF)].isLowerFirst(number)
  }

  private mutating func broken() -> [ControllerMove] {
    brokenMessages += 1
    return []
  }
}

/// The state of one channel: its values of 14 bits so far.
///
/// Pure value: [any-thread].
private struct Channel: Sendable {
  /// The pairs of control changes, by the number of the upper bits.
  private var pairs: [UInt8: FourteenBitValue] = [:]
  /// The number that was chosen with control changes 98…101.
  private var number: (isRegistered: Bool, upper: UInt8?, lower: UInt8?)?
  private var values: [MIDIControl.Kind: FourteenBitValue] = [:]

  /// The most parameter numbers whose values are kept.
  private static let valueLimit = 1_024

  mutating func moves(of control: UInt8, value: UInt8, channel: UInt8) -> [ControllerMove] {
    var moves = [ControllerMove(.controlChange(control), channel: channel, value: Int(value))]
    if let (number, value) = pair(control, value) {
      moves.append(ControllerMove(.controlChangePair(number), channel: channel, value: value))
    }
    if let (kind, value) = parameter(control, value) {
      moves.append(ControllerMove(kind, channel: channel, value: value))
    }
    return moves
  }

  /// The value of a 14-bit pair that is whole with this control change (MID-1).
  private mutating func pair(_ control: UInt8, _ value: UInt8) -> (UInt8, Int)? {
    switch control {
    case 0..<32:
      pairs[control, default: FourteenBitValue()].take(upper: value).map { (control, $0) }
    case 32..<64:
      pairs[control - 32, default: FourteenBitValue()].take(lower: value).map { (control - 32, $0) }
    default: nil
    }
  }

  func isLowerFirst(_ number: UInt8) -> Bool? { pairs[number]?.isLowerFirst }

  /// The value of a parameter number that is whole with this control change (MID-2).
  private mutating func parameter(_ control: UInt8, _ value: UInt8) -> (MIDIControl.Kind, Int)? {
    switch control {
    case 98, 100: choose(isRegistered: control == 100, lower: value)
    case 99, 101: choose(isRegistered: control == 101, upper: value)
    case 6, 38, 96, 97:
      guard let kind, values.count < Self.valueLimit || values[kind] != nil else { return nil }
      var known = values[kind] ?? FourteenBitValue()
      defer { values[kind] = known }
      let whole =
        switch control {
        case 6: known.take(upper: value)
        case 38: known.take(lower: value)
        default: known.step(control == 96 ? 1 : -1)
        }
      return whole.map { (kind, $0) }
    default: break
    }
    return nil
  }

  private mutating func choose(isRegistered: Bool, upper: UInt8? = nil, lower: UInt8? = nil) {
    let known = number.flatMap { $0.isRegistered == isRegistered ? $0 : nil }
    number = (isRegistered, upper ?? known?.upper, lower ?? known?.lower)
  }

  /// The chosen number as a control; nil without one, and for the null number 127, 127.
  private var kind: MIDIControl.Kind? {
    guard let number, let upper = number.upper, let lower = number.lower,
      (upper, lower) != (127, 127)
    else { return nil }
    let whole = UInt16(upper) << 7 | UInt16(lower)
    return number.isRegistered ? .registered(whole) : .nonRegistered(whole)
  }
}
