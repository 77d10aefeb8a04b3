// SPDX-License-Identifier: MIT

/// A message from a Mackie Control.
///
/// Pure value: [any-thread].
enum MackieInput: Equatable, Sendable {
  /// A fader has moved; 0 to 7 are the strips', 8 is the master's. The value has 10 bits.
  case fader(Int, value: UInt16)
  /// A fader is touched or released.
  case touch(Int, isTouched: Bool)
  /// A key is pressed.
  case press(MackieKey)
  /// A V-pot has turned; ticks are positive clockwise.
  case turn(pot: Int, ticks: Int)
  /// The jog wheel has turned; ticks are positive clockwise.
  case jog(ticks: Int)
  /// The unit is on, and asks for an answer to its challenge.
  case challenge(serial: [UInt8], code: [UInt8])
  /// The unit is ready.
  case ready
  /// The answer to the challenge was wrong.
  case rejected
  /// A message without a meaning here, such as the release of a key.
  case other

  /// Reads one whole message; nil for what no Mackie Control sends.
  init?(_ bytes: [UInt8]) {
    guard let status = bytes.first, status & 0x80 != 0 else { return nil }
    if status == 0xF0 {
      guard let system = MackieSystemMessage(bytes) else { return nil }
      self.init(system)
      return
    }
    guard bytes.count == 3, bytes[1] < 0x80, bytes[2] < 0x80 else { return nil }
    let (first, second) = (bytes[1], bytes[2])
    switch status {
    case 0xE0...0xE8:
      self = .fader(Int(status - 0xE0), value: UInt16(second) << 3 | UInt16(first) >> 4)
    case 0x90, 0x80:
      let isDown = status == 0x90 && second > 0
      if (104...112).contains(first) {
        self = .touch(Int(first) - 104, isTouched: isDown)
      } else if isDown, let key = MackieKey(note: first) {
        self = .press(key)
      } else {
        self = .other
      }
    case 0xB0 where (16...23).contains(first):
      self = .turn(pot: Int(first) - 16, ticks: Self.ticks(second))
    case 0xB0 where first == 60: self = .jog(ticks: Self.ticks(second))
    case 0xB0: self = .other
    default: return nil
    }
  }

  private init(_ system: MackieSystemMessage) {
    switch system.command {
    // 7 bytes of serial number and 4 of the challenge.
    case 0x01 where system.data.count == 11:
      self = .challenge(serial: Array(system.data.prefix(7)), code: Array(system.data.suffix(4)))
    // The X-Touch Compact says 06.
    case 0x01, 0x03, 0x06: self = .ready
    case 0x04: self = .rejected
    default: self = .other
    }
  }

  /// Bit 6 is the direction, the others count; some devices send 0 for a single tick.
  private static func ticks(_ value: UInt8) -> Int {
    let count = max(1, Int(value & 0x3F))
    return value & 0x40 == 0 ? count : -count
  }
}

/// A SysEx message with the maker's header.
///
/// Pure value: [any-thread].
struct MackieSystemMessage: Equatable, Sendable {
  private static let maker: [UInt8] = [0xF0, 0x00, 0x00, 0x66]

  /// The kind of device.
  let header: UInt8
  let command: UInt8
  let data: [UInt8]

  /// Makes a message.
  init(header: UInt8, command: UInt8, data: [UInt8] = []) {
    self.header = header
    self.command = command
    self.data = data
  }

  /// Reads a whole SysEx; nil for another maker's, and for one with bytes that are none of data.
  init?(_ bytes: [UInt8]) {
    guard
      bytes.count >= 7, bytes.starts(with: Self.maker), bytes.last == 0xF7,
      bytes[4..<bytes.count - 1].allSatisfy({ $0 < 0x80 })
    else { return nil }
    self.init(header: bytes[4], command: bytes[5], data: Array(bytes[6..<bytes.count - 1]))
  }

  var bytes: [UInt8] { Self.maker + [header, command] + data + [0xF7] }

  /// The four bytes that answer a challenge of four.
  ///
  /// The formula is in the Logic Control's manual; nil for a challenge of another length.
  static func response(to code: [UInt8]) -> [UInt8]? {
    guard code.count == 4 else { return nil }
    let (first, second, third, fourth) = (Int(code[0]), Int(code[1]), Int(code[2]), Int(code[3]))
    return [
      first + (second ^ 0x0A) - fourth,
      (third >> 4) ^ (first + fourth),
      (fourth - (third << 2)) ^ (first | second),
      second - third + (0xF0 ^ (fourth << 4)),
    ].map { UInt8(truncatingIfNeeded: $0) & 0x7F }
  }
}
