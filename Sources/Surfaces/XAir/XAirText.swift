// SPDX-License-Identifier: MIT

internal import OSC

/// Texts and bytes of the mixer.
///
/// Pure functions: [any-thread].
enum XAirText {
  /// The words of a node's text; quotes keep blanks together.
  static func words(_ text: String) -> [String] {
    var words: [String] = []
    var word = ""
    var isWord = false
    var isQuoted = false
    for character in text {
      if character == "\"" {
        isQuoted.toggle()
        isWord = true
      } else if isQuoted || !character.isWhitespace {
        word.append(character)
        isWord = true
      } else if isWord {
        words.append(word)
        (word, isWord) = ("", false)
      }
    }
    return isWord ? words + [word] : words
  }

  /// A value in the blob of `/formatsubscribe`: 4 bytes, the lowest first, or a text in 32 bytes.
  static func bytes(_ value: OSCValue) -> [UInt8] {
    switch value {
    case .integer(let number):
      XAirMeters.littleEndian(UInt32(bitPattern: number), bytes: 4)
    case .float(let number): XAirMeters.littleEndian(number.bitPattern, bytes: 4)
    default:
      Array(value.text.utf8.prefix(31))
        + Array(repeating: 0, count: max(1, 32 - value.text.utf8.count))
    }
  }
}
