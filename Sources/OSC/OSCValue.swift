// SPDX-License-Identifier: MIT

/// A value in an OSC message, of one of the types of OSC 1.0 and 1.1.
///
/// Pure value: [any-thread].
package enum OSCValue: Hashable, Sendable {
  /// A text; `s`.
  case text(String)
  /// A whole number of 32 bits; `i`.
  case integer(Int32)
  /// A number of single precision; `f`.
  case float(Float)
  /// Bytes of any meaning; `b`.
  case blob([UInt8])
  /// A whole number of 64 bits; `h`.
  case long(Int64)
  /// A number of double precision; `d`.
  case double(Double)
  /// A time; `t`.
  case time(OSCTime)
  /// A text that is a name; `S`.
  case symbol(String)
  /// An ASCII character; `c`.
  case character(UInt8)
  /// A colour, red in the highest byte, then green, blue and opacity; `r`.
  case color(UInt32)
  /// A MIDI message: port, status and two data bytes, the port in the highest byte; `m`.
  case midi(UInt32)
  /// A switch; `T` or `F`.
  case flag(Bool)
  /// No value; `N`.
  case null
  /// A trigger; `I`.
  case impulse

  /// The text; empty for any other value.
  package var text: String {
    switch self {
    case .text(let text), .symbol(let text): text
    default: ""
    }
  }

  /// The letter in the type tag string.
  package var tag: Character {
    switch self {
    case .text: "s"
    case .integer: "i"
    case .float: "f"
    case .blob: "b"
    case .long: "h"
    case .double: "d"
    case .time: "t"
    case .symbol: "S"
    case .character: "c"
    case .color: "r"
    case .midi: "m"
    case .flag(let isOn): isOn ? "T" : "F"
    case .null: "N"
    case .impulse: "I"
    }
  }
}

/// A time of OSC: seconds since 1900 in 32 bits, and a fraction of a second in 32 bits.
///
/// Pure value: [any-thread].
package struct OSCTime: Hashable, Sendable {
  /// Both halves, the seconds in the upper one.
  package let bits: UInt64

  /// Makes a time from its bits.
  package init(bits: UInt64) { self.bits = bits }

  /// The time that means at once.
  package static let immediately = OSCTime(bits: 1)

  private static let secondsTo1970: UInt64 = 2_208_988_800

  /// A moment of the system's clock.
  ///
  /// - Parameter seconds: The seconds since 1970; times outside of 1900 to 2036 are clamped.
  package init(secondsSince1970 seconds: Double) {
    let since1900 = seconds + Double(Self.secondsTo1970)
    bits =
      since1900 < Double(UInt32.max) ? UInt64(max(0, since1900) * 4_294_967_296) : UInt64.max
  }

  /// The moment on the system's clock, in seconds since 1970; negative for ``immediately``.
  package var secondsSince1970: Double {
    Double(bits) / 4_294_967_296 - Double(Self.secondsTo1970)
  }
}
