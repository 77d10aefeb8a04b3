// SPDX-License-Identifier: MIT

package import ControlProtocol
package import OSC

/// How the values of parameters are written in OSC messages.
///
/// Pure functions: [any-thread].
package enum OSCMapping {
  /// The gain in dB that stands for silence, because many OSC programs know no infinity (OQ-10).
  package static let silenceDB = -144.0

  /// The form in which switches are sent.
  package enum Switches: Sendable {
    /// As the whole numbers 0 and 1.
    case integers
    /// As the types `F` and `T`, which have no bytes.
    case tags
  }

  /// The address of a parameter's position on a fader, 0 to 1: the word `fader` in the place of `gain`.
  ///
  /// - Returns: Nil for a parameter without the travel of a fader.
  package static func faderPath(of parameter: ParameterDescription) -> String? {
    guard parameter.taper == .fader else { return nil }
    let path = parameter.path
    return path.hasSuffix("/gain") ? path.dropLast(4) + "fader" : path + "/fader"
  }

  // MARK: - Out

  /// The OSC values of a parameter's value.
  package static func values(
    of value: ParameterValue,
    switches: Switches = .integers,
  ) -> [OSCValue] {
    switch value {
    case .number(let number): [.float(finite(number))]
    case .flag(let isOn): [switches == .tags ? .flag(isOn) : .integer(isOn ? 1 : 0)]
    case .text(let text): [.text(text)]
    case .numbers(let numbers): numbers.map { .float(finite($0)) }
    }
  }

  /// The position on a fader, 0 to 1, of a gain.
  package static func position(of value: ParameterValue) -> [OSCValue] {
    guard case .number(let gainDB) = value else { return [] }
    return [.float(Float(FaderTaper.position(ofGainDB: gainDB)))]
  }

  /// The levels of all channels in one blob: a big-endian float for each.
  package static func blob(of value: ParameterValue) -> [OSCValue] {
    guard case .numbers(let numbers) = value else { return values(of: value) }
    var bytes: [UInt8] = []
    for number in numbers {
      let bits = finite(number).bitPattern
      for shift in [24, 16, 8, 0] { bytes.append(UInt8(truncatingIfNeeded: bits >> UInt32(shift))) }
    }
    return [.blob(bytes)]
  }

  private static func finite(_ number: Double) -> Float { Float(max(silenceDB, number)) }

  // MARK: - In

  /// The value that a message gives a parameter (OSC-11).
  ///
  /// Numbers beyond the range are clamped to it.
  ///
  /// - Throws: ``OSCError`` for a value of another type, and for a number that is none.
  package static func value(
    _ values: [OSCValue],
    for parameter: ParameterDescription,
  ) throws(OSCError) -> ParameterValue {
    guard parameter.access == .readWrite else { throw OSCError("it can be read only") }
    switch parameter.type {
    case .number:
      let number = try Self.number(values)
      let lowest = parameter.minimum ?? -.greatestFiniteMagnitude
      if lowest == -.infinity, number <= silenceDB { return .number(-.infinity) }
      guard number > -.infinity || lowest > -.greatestFiniteMagnitude else { throw notANumber }
      let highest = parameter.maximum ?? .greatestFiniteMagnitude
      return .number(min(max(number, lowest), highest))
    case .flag: return .flag(try flag(values))
    case .text:
      guard case .some(let first) = values.first, first.tag == "s" || first.tag == "S" else {
        throw OSCError("it takes a text (s)")
      }
      guard parameter.choices.isEmpty || parameter.choices.contains(first.text) else {
        throw OSCError("it can be \(parameter.choices.joined(separator: ", "))")
      }
      return .text(first.text)
    case .numbers, nil: throw OSCError("it can be read only")
    }
  }

  /// The gain in dB that a message with a position on a fader gives.
  ///
  /// - Throws: ``OSCError`` for a value of another type, and for a number that is none.
  package static func gain(atPosition values: [OSCValue]) throws(OSCError) -> ParameterValue {
    .number(FaderTaper.gainDB(atPosition: try number(values)))
  }

  private static let notANumber = OSCError("the number must be finite, or -inf")

  private static func number(_ values: [OSCValue]) throws(OSCError) -> Double {
    let number: Double
    switch values.first {
    case .float(let value): number = Double(value)
    case .double(let value): number = value
    case .integer(let value): number = Double(value)
    case .long(let value): number = Double(value)
    case .text("-inf"), .symbol("-inf"): number = -.infinity
    default: throw OSCError("it takes a number (f, i, d or h)")
    }
    // A broken number must never be the loudest one.
    guard !number.isNaN, number < .infinity else { throw notANumber }
    return number
  }

  private static func flag(_ values: [OSCValue]) throws(OSCError) -> Bool {
    switch values.first {
    case .flag(let isOn): return isOn
    case .integer, .long, .float, .double: return try number(values) >= 0.5
    case .text("on"), .text("true"), .symbol("on"), .symbol("true"): return true
    case .text("off"), .text("false"), .symbol("off"), .symbol("false"): return false
    default: throw OSCError("it takes a switch (i, f, T or F)")
    }
  }
}
