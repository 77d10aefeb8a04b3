// SPDX-License-Identifier: MIT

import TestSupport

/// Makes broken graph files out of good ones, repeatable by seed.
struct Mutator {
  /// Texts that break parsers and readers: YAML's signs, units, extremes, keys in the wrong place.
  private static let splinters: [[UInt8]] = [
    "{", "}", "[", "]", ":", ": ", "- ", "\n", "\n\n  ", "\t", "#", "\"", "'", "|", ">\n", "&a ",
    "*a", "<<: ", "!!str ", "? ", "---\n", "...\n", "%YAML 1.1\n", ",", "~", "null", "-inf dB",
    "99999999999999999999", "-1", "0", "1e400", "nan", ".5 ms", "5", "5 ms", "-6 dB", "true",
    "gain: ", "ports: ", "type: lineOut", "from: ", "channels: [[0, 99]]", "/((((/", "/a{999}/",
    "multiroute: 1", "mic", "deck-a", "\\", "\u{0}", "\u{FEFF}", "\u{2028}", "é", "🎧",
    "session: {category: record}", "meter: pre", "&b [*a, *a]", "*b", "\r", "\r\n", "[[[[[[[[[[[[",
    "`", "@",
  ].map { Array($0.utf8) }

  private let originals: [(bytes: [UInt8], tokens: [[UInt8]])]
  var generator: SeededRandom

  init(_ originals: [String], seed: UInt64) {
    self.originals = originals.map { (Array($0.utf8), Self.tokens($0)) }
    generator = SeededRandom(seed: seed)
  }

  /// The next broken text; one to four changes to bytes, or to tokens.
  mutating func next() -> [UInt8] {
    let original = originals.randomElement(using: &generator) ?? ([], [])
    let changes = Int.random(in: 1...4, using: &generator)
    if Bool.random(using: &generator) {
      var bytes = original.bytes
      for _ in 0..<changes { changeBytes(&bytes) }
      return bytes
    }
    var tokens = original.tokens
    for _ in 0..<changes { changeTokens(&tokens) }
    return Array(tokens.joined())
  }

  private mutating func changeBytes(_ bytes: inout [UInt8]) {
    guard !bytes.isEmpty else { return }
    let index = Int.random(in: bytes.indices, using: &generator)
    switch Int.random(in: 0..<6, using: &generator) {
    case 0: bytes[index] ^= 1 << UInt8.random(in: 0..<8, using: &generator)
    case 1: bytes[index] = .random(in: 0...255, using: &generator)
    case 2: bytes.remove(at: index)
    case 3: bytes.insert(contentsOf: splinter(), at: index)
    case 4: bytes.removeSubrange(index..<min(bytes.count, index + 20))
    default: bytes.removeSubrange(index...)
    }
  }

  private mutating func changeTokens(_ tokens: inout [[UInt8]]) {
    guard !tokens.isEmpty else { return }
    let index = Int.random(in: tokens.indices, using: &generator)
    let other = Int.random(in: tokens.indices, using: &generator)
    switch Int.random(in: 0..<5, using: &generator) {
    case 0: tokens.remove(at: index)
    case 1: tokens.swapAt(index, other)
    case 2: tokens.insert(tokens[other], at: index)
    case 3: tokens[index] = splinter()
    default: tokens.insert(contentsOf: tokens[min(index, other)...max(index, other)], at: index)
    }
  }

  private mutating func splinter() -> [UInt8] {
    Self.splinters.randomElement(using: &generator) ?? []
  }

  /// Words, runs of spaces, and single signs.
  private static func tokens(_ text: String) -> [[UInt8]] {
    func kind(_ byte: UInt8) -> Int {
      switch byte {
      case UInt8(ascii: " "): 1
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), 0x80...:
        2
      default: 0
      }
    }
    var tokens: [[UInt8]] = []
    var last = 0
    for byte in text.utf8 {
      let kind = kind(byte)
      if kind != 0, kind == last, !tokens.isEmpty {
        tokens[tokens.count - 1].append(byte)
      } else {
        tokens.append([byte])
      }
      last = kind
    }
    return tokens
  }
}
