// SPDX-License-Identifier: MIT

internal import ControlProtocol
internal import Glibc
internal import OSC

/// One value of the mixer: its type on the wire, its text in nodes, and the value that it has without a parameter.
///
/// The texts are those of the mixer's saved scenes, columns included. Pure value: [any-thread].
struct XAirField: Sendable {
  /// The way in which a value is written.
  enum Kind: Sendable {
    /// One of these words; its place on the wire.
    case words([String])
    /// A whole number.
    case number(ClosedRange<Int32>)
    /// Four switches in one number, such as `%0101`.
    case bits
    /// A text in quotes.
    case text
    /// A gain with the travel of the faders: `-oo`, `-12.1`, in five columns.
    case level
    /// A place from −100 to +100.
    case pan
    /// A number whose position is its place between two ends.
    case linear(ClosedRange<Double>, XAirNumberText)
    /// A number whose position is the place of its logarithm between two ends.
    case logarithmic(Double, Double, XAirNumberText)
  }

  /// The most bytes of a text.
  static let textLimit = 64

  /// The last part of its address.
  let name: String
  let kind: Kind
  /// The value on the wire that it has at first.
  let neutral: OSCValue

  /// The value on the wire that a message gives; nil for one that the field does not take (XA-4).
  func taken(_ value: OSCValue) -> OSCValue? {
    switch (kind, value) {
    case (.words(let words), .integer(let index)):
      words.indices.contains(Int(index)) ? value : nil
    case (.words, .text(let word)): read(word)
    case (.number(let range), .integer(let number)): range.contains(number) ? value : nil
    case (.bits, .integer(let bits)): (0...15).contains(bits) ? value : nil
    case (.text, .text(let text)): text.utf8.count <= Self.textLimit ? value : nil
    case (.level, .float(let number)), (.pan, .float(let number)),
      (.linear, .float(let number)), (.logarithmic, .float(let number)):
      number.isFinite ? .float(min(1, max(0, number))) : nil
    case (.level, .integer(let number)), (.pan, .integer(let number)),
      (.linear, .integer(let number)), (.logarithmic, .integer(let number)):
      .float(min(1, max(0, Float(number))))
    default: nil
    }
  }

  // MARK: - Texts

  /// The text of a value on the wire in a node.
  func text(_ value: OSCValue) -> String {
    switch (kind, value) {
    case (.words(let words), .integer(let index)) where words.indices.contains(Int(index)):
      words[Int(index)]
    case (.bits, .integer(let bits)):
      "%" + [8, 4, 2, 1].map { bits & $0 == 0 ? "0" : "1" }.joined()
    case (.text, .text(let text)):
      "\"\(text.filter { $0 != "\"" && !$0.isNewline })\""
    case (.level, .float(let position)): Self.level(Double(position))
    case (.pan, .float(let position)):
      XAirNumberText(decimals: 0, isSigned: true).text(Double(position) * 200 - 100)
    case (.linear(let range, let style), .float(let position)):
      style.text(range.lowerBound + Double(position) * (range.upperBound - range.lowerBound))
    case (.logarithmic(let first, let last, let style), .float(let position)):
      style.text(first * pow(last / first, Double(position)))
    case (_, .integer(let number)): "\(number)"
    default: "0"
    }
  }

  private static func level(_ position: Double) -> String {
    let gainDB = FaderTaper.gainDB(atPosition: position)
    return gainDB == -.infinity ? "  -oo" : XAirNumberText(decimals: 1, width: 5).text(gainDB)
  }

  /// The value on the wire that a text stands for; nil for a text that is none.
  func read(_ text: String) -> OSCValue? {
    switch kind {
    case .words(let words): return words.firstIndex(of: text).map { .integer(Int32($0)) }
    case .number: return Int32(text).flatMap { taken(.integer($0)) }
    case .bits:
      return text.hasPrefix("%")
        ? Int32(text.dropFirst(), radix: 2).flatMap { taken(.integer($0)) } : nil
    case .text: return taken(.text(text))
    case .level:
      if text == "-oo" { return .float(0) }
      return XAirNumberText.number(text).map {
        .float(Float(FaderTaper.position(ofGainDB: $0)))
      }
    case .pan: return position(text) { ($0 + 100) / 200 }
    case .linear(let range, _):
      return position(text) { ($0 - range.lowerBound) / (range.upperBound - range.lowerBound) }
    case .logarithmic(let first, let last, _):
      return position(text) { log(max($0, 1e-9) / first) / log(last / first) }
    }
  }

  private func position(_ text: String, _ place: (Double) -> Double) -> OSCValue? {
    XAirNumberText.number(text).flatMap { taken(.float(Float(place($0)))) }
  }
}

/// The text of a number.
///
/// Pure value: [any-thread].
struct XAirNumberText: Sendable {
  var decimals: Int
  var isSigned = false
  /// The columns that it fills from the right.
  var width = 0
  /// Whether thousands are written as `2k04`.
  var hasKilo = false
  /// Whether it has fewer decimals from 10 and from 100 on.
  var isShort = false

  /// Writes a number.
  func text(_ number: Double) -> String {
    if hasKilo, number >= 999.95 {
      let hundredths = Int((number / 10).rounded())
      return "\(hundredths / 100)k" + XAirModel.two(hundredths % 100)
    }
    var decimals = decimals
    if isShort, number >= 9.995 { decimals = number >= 99.95 ? 0 : 1 }
    let scaled = Int((number * pow(10, Double(decimals))).rounded())
    var digits = "\(scaled.magnitude)"
    digits = String(repeating: "0", count: max(0, decimals + 1 - digits.utf8.count)) + digits
    if decimals > 0 { digits.insert(".", at: digits.index(digits.endIndex, offsetBy: -decimals)) }
    // Zero has no minus.
    digits = (scaled < 0 ? "-" : isSigned ? "+" : "") + digits
    return String(repeating: " ", count: max(0, width - digits.utf8.count)) + digits
  }

  /// Reads a number; nil for a text that is none.
  static func number(_ text: String) -> Double? {
    let parts = text.split(separator: "k", omittingEmptySubsequences: false)
    let number: Double? =
      parts.count == 2
      ? Double("\(parts[0]).\(parts[1].isEmpty ? "0" : parts[1])").map { $0 * 1_000 } : Double(text)
    return number.flatMap { $0.isFinite ? $0 : nil }
  }
}
