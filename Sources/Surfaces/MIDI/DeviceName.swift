// SPDX-License-Identifier: MIT

/// The name of a MIDI device as JACK's ports tell it, without what changes at each plug.
///
/// Bridges write numbers, directions and their own names around it (MID-40 to MID-43).
///
/// Pure value: [any-thread].
public struct DeviceName: Hashable, Sendable {
  /// The device's and the port's name in one, with single blanks: `DDJ-200 MIDI 1`.
  public let text: String

  /// The clients that carry the ports of all devices.
  private static let bridges: Set<String> = [
    "system", "alsa_midi", "alsa_pcm", "a2j", "Midi-Bridge",
  ]

  /// The names by which a port can be found, the one with most information first.
  ///
  /// - Parameters:
  ///   - name: The full name of the port.
  ///   - aliases: Its further names.
  /// - Returns: The names, without repetitions.
  public static func names(ofPort name: String, aliases: [String]) -> [DeviceName] {
    var found: [DeviceName] = []
    // A name of jack2's own, such as system:midi_capture_1, tells only how many ports came before.
    for full in aliases + [name] {
      let device = DeviceName(ofPort: full)
      if !device.text.isEmpty, !found.contains(device) { found.append(device) }
    }
    return found
  }

  /// Reads the name out of a port's name or alias.
  init(ofPort full: String) {
    let parts = full.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    let client = String(parts.first ?? "")
    let rest = parts.count > 1 ? String(parts[1]) : ""
    let port = Self.words(of: rest)
    let device = Self.bridges.contains(client) ? [] : Self.words(of: client)
    // Many drivers repeat the device's name in that of its ports.
    text = (port.starts(with: device) ? port : device + port).joined(separator: " ")
  }

  /// The words of a name, without numbers in brackets, directions, and colons behind words.
  private static func words(of name: String) -> [String] {
    var plain = ""
    var skipped: Character?
    var inside = ""
    for character in name {
      switch (skipped, character) {
      case (nil, "["), (nil, "("):
        skipped = character == "[" ? "]" : ")"
        inside = ""
      case (let end?, character) where character == end:
        if !isNoise(inside, end) { plain += (end == "]" ? "[" : "(") + inside + String(end) }
        plain += " "
        skipped = nil
      case (_?, _): inside.append(character)
      case (nil, ":"): plain += " "
      case (nil, _): plain.append(character)
      }
    }
    if let end = skipped { plain += (end == "]" ? "[" : "(") + inside }
    let words = plain.split(whereSeparator: \.isWhitespace).map(String.init)
    return removingRepetition(words)
  }

  /// Whether brackets hold a number or a direction.
  private static func isNoise(_ inside: String, _ end: Character) -> Bool {
    if end == "]" { return inside.allSatisfy { $0.isNumber || $0 == ":" } }
    let word = inside.lowercased()
    return word == "in" || word == "out" || word.hasPrefix("capture") || word.hasPrefix("playback")
  }

  /// `DDJ-200 DDJ-200 MIDI 1` is `DDJ-200 MIDI 1`.
  private static func removingRepetition(_ words: [String]) -> [String] {
    for length in stride(from: words.count / 2, to: 0, by: -1)
    where words[..<length] == words[length..<(2 * length)] {
      return Array(words[length...])
    }
    return words
  }

  /// How well a text names this device.
  ///
  /// - Parameter wanted: The text, in upper or lower case.
  /// - Returns: 0 for the whole name, 1 for its first words, 2 for other whole words of it; nil for none.
  public func rank(of wanted: String) -> Int? {
    let own = text.lowercased().split(separator: " ")
    let words = wanted.lowercased().split(whereSeparator: \.isWhitespace)
    guard !words.isEmpty, words.count <= own.count else { return nil }
    for start in 0...(own.count - words.count)
    where own[start..<(start + words.count)].elementsEqual(words) {
      return start > 0 ? 2 : own.count == words.count ? 0 : 1
    }
    return nil
  }
}
