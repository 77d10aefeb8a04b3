// SPDX-License-Identifier: MIT

/// Texts for displays of characters.
///
/// Pure functions: [any-thread].
enum MackieText {
  static let lineLength = 56
  /// One strip's share of a line: six characters and a blank.
  static let cellLength = 7

  /// A text as printable ASCII, with `?` for all else, of an exact length.
  static func line(_ text: String, length: Int) -> [UInt8] {
    let shown = text.unicodeScalars.prefix(length).map { scalar -> UInt8 in
      (0x20...0x7E).contains(scalar.value) ? UInt8(scalar.value) : UInt8(ascii: "?")
    }
    return shown + [UInt8](repeating: 0x20, count: length - shown.count)
  }

  /// A strip's share of a line: the text in six characters, and a blank.
  static func cell(_ text: String) -> [UInt8] { line(short(text), length: 6) + [0x20] }

  /// A name in six characters: blanks and signs go first, then vowels from the end.
  static func short(_ name: String) -> String {
    var kept = Array(name)
    let droppable: [(Character) -> Bool] = [
      { $0 == " " || $0 == "-" || $0 == "_" }, { "aeiou".contains($0) },
    ]
    for isDropped in droppable {
      // The first letter stays, which is looked for first.
      for index in kept.indices.reversed()
      where kept.count > 6 && index > 0 && isDropped(kept[index]) {
        kept.remove(at: index)
      }
    }
    return String(kept.prefix(6))
  }

  /// A gain in dB, such as `-6.5`, in at most six characters.
  static func gain(_ gainDB: Double) -> String {
    guard gainDB > -200 else { return "-inf" }
    let tenths = Int((min(gainDB, 200) * 10).rounded())
    let sign = tenths > 0 ? "+" : tenths < 0 ? "-" : ""
    return "\(sign)\(tenths.magnitude / 10).\(tenths.magnitude % 10)"
  }

  /// A pan: `L50`, `C` or `R50`, in percent.
  static func pan(_ pan: Double) -> String {
    let percent = Int((min(max(pan, -1), 1) * 100).rounded())
    return percent == 0 ? "C" : "\(percent < 0 ? "L" : "R")\(percent.magnitude)"
  }

  /// Hours, minutes, seconds and milliseconds as ten digits from left to right, the leading zeros of hours blank.
  static func time(_ seconds: Double) -> String {
    let milliseconds = Int((min(max(seconds, 0), 3_599_999) * 1000).rounded())
    let (whole, rest) = milliseconds.quotientAndRemainder(dividingBy: 1000)
    return right("\(whole / 3600)", 3) + right("\(whole / 60 % 60)", 2, fill: "0")
      + right("\(whole % 60)", 2, fill: "0") + right("\(rest)", 3, fill: "0")
  }

  /// Bar, beat and tick, with dots between, as ten digits from left to right.
  static func beats(_ text: String) -> String {
    let parts = text.split(separator: ".").map(String.init)
    guard parts.count == 3, text.utf8.allSatisfy({ $0 < 0x80 }) else { return right("", 10) }
    return right(parts[0], 3) + right(parts[1], 2) + right(parts[2], 5)
  }

  /// Characters of the seven-segment displays from right to left.
  ///
  /// - Parameters:
  ///   - text: The characters from left to right.
  ///   - dots: The places from the left that have a dot.
  /// - Returns: One byte for each character.
  static func digits(_ text: String, dots: Set<Int>) -> [UInt8] {
    text.uppercased().utf8.enumerated().map { place, character in
      let digit: UInt8 =
        switch character {
        case 0x40...0x5F: character - 0x40
        case 0x20...0x3F: character
        default: 0x20
        }
      return dots.contains(place) ? digit | 0x40 : digit
    }.reversed()
  }

  /// The last characters of a text, filled on the left.
  private static func right(_ text: String, _ length: Int, fill: Character = " ") -> String {
    let end = text.suffix(length)
    return String(repeating: fill, count: length - end.count) + end
  }
}
