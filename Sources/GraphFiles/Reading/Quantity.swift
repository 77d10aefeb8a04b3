// SPDX-License-Identifier: MIT

internal import Sessions

/// A physical dimension of values, with its units.
///
/// Pure value: [any-thread].
package struct Dimension: Sendable {
  /// The kind of value with its article, for messages.
  let noun: String
  /// Each unit with its size in the unit of the result.
  let units: [(symbol: String, size: Double)]
  /// The unit that the message suggests for a bare number.
  let usualUnit: String
  /// Whether `-inf` is a value.
  let allowsMinusInfinity: Bool

  /// Durations, read in nanoseconds.
  package static let duration = Dimension(
    noun: "a duration",
    units: [
      ("ns", 1), ("µs", 1e3), ("us", 1e3), ("μs", 1e3), ("ms", 1e6), ("s", 1e9), ("min", 60e9),
      ("h", 3_600e9),
    ],
    usualUnit: "ms",
    allowsMinusInfinity: false,
  )

  /// Frequencies and rates, read in hertz.
  package static let frequency = Dimension(
    noun: "a frequency",
    units: [("Hz", 1), ("kHz", 1e3)],
    usualUnit: "Hz",
    allowsMinusInfinity: false,
  )

  /// Gains and levels, read in decibels.
  package static let gain = Dimension(
    noun: "a gain",
    units: [("dB", 1)],
    usualUnit: "dB",
    allowsMinusInfinity: true,
  )

  /// Sizes of files, read in bytes.
  package static let size = Dimension(
    noun: "a size",
    units: [("kB", 1e3), ("MB", 1e6), ("GB", 1e9), ("TB", 1e12)],
    usualUnit: "MB",
    allowsMinusInfinity: false,
  )

  /// Positions between two ends, read as numbers: the only dimension whose values need no unit.
  package static let proportion = Dimension(
    noun: "a number",
    units: [("", 1), ("%", 0.01)],
    usualUnit: "",
    allowsMinusInfinity: false,
  )

  /// The symbols for messages; the second spelling of µs looks like the first.
  var symbols: String {
    units.map(\.symbol).filter { $0 != "μs" && !$0.isEmpty }.joined(separator: ", ")
  }
}

/// The reason why a text is no quantity: the fault and the allowed values.
///
/// Pure value: [any-thread].
package struct QuantityFault: Error, Equatable, CustomStringConvertible {
  /// One sentence.
  package let description: String
}

extension Dimension {
  /// Reads a number with a unit, as graph files and the command line write it.
  ///
  /// - Parameters:
  ///   - text: The text, such as `-6 dB` or `3s`.
  ///   - range: The allowed values, in the dimension's first unit.
  ///   - allowed: The range in words.
  ///   - bareUnit: The unit of a number without one; nil where a unit is needed.
  /// - Returns: The value in the dimension's first unit.
  /// - Throws: The fault.
  package func value(
    of text: String,
    in range: ClosedRange<Double>,
    allowed: String,
    bareUnit: String? = nil,
  ) throws(QuantityFault) -> Double {
    let written = NumberText(text)
    guard let number = written.value, number.isFinite || allowsMinusInfinity else {
      throw QuantityFault(
        description: "\(MessageText.quoted(text)) is not \(noun), \(allowed)"
      )
    }
    let symbol = written.unit.isEmpty ? bareUnit ?? "" : written.unit
    guard let unit = units.first(where: { $0.symbol == symbol }) else {
      throw QuantityFault(description: unitFault(written))
    }
    let value = number * unit.size
    guard range.contains(value) else {
      throw QuantityFault(
        description: "\(MessageText.quoted(text)) is out of range; allowed: \(allowed)"
      )
    }
    return value
  }

  private func unitFault(_ written: NumberText) -> String {
    if written.unit.isEmpty {
      return "'\(written.number)' has no unit; write '\(written.number) \(usualUnit)'"
        + " (units: \(symbols))"
    }
    if let decimals = written.decimalsAfterComma {
      return "'\(written.number),\(decimals)' has a comma; write a point: "
        + "'\(written.number).\(decimals)'"
    }
    let meant = Spelling.nearest(to: written.unit, among: units.map(\.symbol))
      .map { " (did you mean '\(written.number) \($0)'?)" }
    return "unknown unit \(MessageText.quoted(written.unit))\(meant ?? ""); units: \(symbols)"
  }
}

/// A value split into a decimal number and the unit after it.
///
/// Pure value: [any-thread].
struct NumberText {
  /// The number as written; empty if the text begins without one.
  let number: String
  /// The text after the number and any spaces.
  let unit: String

  /// Divides a text; the minus sign may be the hyphen of ASCII or U+2212, as in text that is pasted.
  init(_ text: String) {
    let bytes = Array((text.hasPrefix("−") ? "-" + text.dropFirst() : text).utf8)
    var end = bytes.first == UInt8(ascii: "-") || bytes.first == UInt8(ascii: "+") ? 1 : 0
    if bytes[end...].starts(with: "inf".utf8) {
      end += 3
    } else {
      let whole = bytes[end...].prefix(while: Self.isDigit).count
      end += whole
      var fraction = 0
      if end < bytes.count, bytes[end] == UInt8(ascii: ".") {
        fraction = bytes[(end + 1)...].prefix(while: Self.isDigit).count
        end += 1 + fraction
      }
      if whole + fraction == 0 { end = 0 }
    }
    number = String(decoding: bytes[..<end], as: UTF8.self)
    unit = String(decoding: bytes[end...].drop { $0 == UInt8(ascii: " ") }, as: UTF8.self)
  }

  /// The digits and the unit behind a decimal comma; nil without one.
  var decimalsAfterComma: Substring? {
    guard unit.first == ",", unit.dropFirst().first?.isNumber == true else { return nil }
    return unit.dropFirst()
  }

  /// The number, which may be infinite; nil if the text begins without one.
  var value: Double? { Double(number) }

  private static func isDigit(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
  }
}

extension Duration {
  /// The duration in nanoseconds, exact up to some months.
  var nanoseconds: Double {
    let (seconds, attoseconds) = components
    return Double(seconds) * 1e9 + Double(attoseconds) / 1e9
  }

  /// The duration without the part of it that is shorter than a millisecond.
  var wholeMilliseconds: Duration { .milliseconds(Int64(nanoseconds / 1e6)) }

  /// The duration as a graph file would write it, in the largest unit that gives at least 1.
  package var graphText: String {
    let value = nanoseconds
    let (symbol, size): (String, Double) =
      switch value {
      case 3_600e9...: ("h", 3_600e9)
      case 1e9...: ("s", 1e9)
      case 1e6...: ("ms", 1e6)
      case 1e3...: ("µs", 1e3)
      case 0: ("ms", 1e6)
      default: ("ns", 1)
      }
    return "\((value / size).graphText) \(symbol)"
  }
}

extension Double {
  /// The number without a needless `.0`.
  package var graphText: String {
    guard abs(self) < 1e15, rounded() == self else { return "\(self)" }
    return "\(Int(self))"
  }
}
