// SPDX-License-Identifier: MIT

internal import ControlProtocol
internal import Glibc
internal import OSC

/// Fields with the values that a mixer has when it is new. [any-thread]
extension XAirField {
  static func switched(_ name: String, _ isOn: Bool = false) -> XAirField {
    words(name, ["OFF", "ON"], isOn ? 1 : 0)
  }

  static func words(_ name: String, _ words: [String], _ index: Int32 = 0) -> XAirField {
    XAirField(name: name, kind: .words(words), neutral: .integer(index))
  }

  static func number(_ name: String, _ range: ClosedRange<Int32>, _ value: Int32 = 0) -> XAirField {
    XAirField(name: name, kind: .number(range), neutral: .integer(value))
  }

  static func bits(_ name: String) -> XAirField {
    XAirField(name: name, kind: .bits, neutral: .integer(0))
  }

  static func text(_ name: String, _ text: String = "") -> XAirField {
    XAirField(name: name, kind: .text, neutral: .text(text))
  }

  static func level(_ name: String, gainDB: Double = -.infinity) -> XAirField {
    let position = Float(FaderTaper.position(ofGainDB: gainDB))
    return XAirField(name: name, kind: .level, neutral: .float(position))
  }

  static func pan(_ name: String = "pan") -> XAirField {
    XAirField(name: name, kind: .pan, neutral: .float(0.5))
  }

  static func linear(
    _ name: String,
    _ range: ClosedRange<Double>,
    _ value: Double,
    _ style: XAirNumberText,
  ) -> XAirField {
    let position = (value - range.lowerBound) / (range.upperBound - range.lowerBound)
    return XAirField(name: name, kind: .linear(range, style), neutral: .float(Float(position)))
  }

  static func logarithmic(
    _ name: String,
    _ first: Double,
    _ last: Double,
    _ value: Double,
    _ style: XAirNumberText,
  ) -> XAirField {
    let position = log(value / first) / log(last / first)
    return XAirField(
      name: name,
      kind: .logarithmic(first, last, style),
      neutral: .float(Float(position)),
    )
  }

  static func frequency(_ value: Double) -> XAirField {
    logarithmic("f", 20, 20_000, value, XAirNumberText(decimals: 1, hasKilo: true))
  }

  static func color(_ value: Int32) -> XAirField { number("color", 0...15, value) }
}

extension XAirNumberText {
  static let whole = XAirNumberText(decimals: 0)
  static let tenths = XAirNumberText(decimals: 1)
  static let signedTenths = XAirNumberText(decimals: 1, isSigned: true)
}
