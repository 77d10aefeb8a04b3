// SPDX-License-Identifier: MIT

import Console
import ControlProtocol
import Foundation
import Sessions
import TestSupport
import Testing

/// Names that other programs have chosen, on the way to a person's eyes.
struct ShownTextTests {
  /// A thousand names with control characters, line ends, direction signs and marks among letters.
  private static let hostileNames: [String] = {
    let pieces = [
      "\u{1B}[31m", "\u{1B}]0;title\u{7}", "\u{1B}[2J\u{1B}[H", "\n", "\r", "\r\n", "\t", "\u{0}",
      "\u{8}", "\u{7F}",
      "\u{9B}31m", "\u{85}", "\u{9D}0;t\u{9C}", "\u{202E}", "\u{2066}", "\u{200F}", "\u{061C}",
      "\u{2028}", "\u{2029}",
      "\u{FEFF}", "\u{200B}", "\u{AD}", "\u{E000}", "\u{E0041}", "\u{FFFE}", "\u{FFFD}",
      "</td><script>", "&\"'", "synth",
      "Gerät", "🎹", "👩‍🎤", "日本", "e\u{301}", String(repeating: "\u{336}", count: 200), "error: ",
      "%s%n",
    ]
    var random = TestSeed.random()
    return (0..<1000).map { _ in
      (0..<Int.random(in: 1...6, using: &random)).map { _ in
        pieces[Int.random(in: pieces.indices, using: &random)]
      }.joined()
    }
  }()

  /// Whether a terminal would print a text from left to right on one line, and nothing else.
  private static func isHarmless(_ text: String) -> Bool {
    text.unicodeScalars.allSatisfy { scalar in
      switch scalar.properties.generalCategory {
      case .control, .lineSeparator, .paragraphSeparator, .privateUse: false
      case .format: ["\u{200C}", "\u{200D}"].contains(scalar)
      default: true
      }
    }
  }

  @Test(arguments: [
    ("synth 1: out_1", "synth 1: out_1"), ("Gerät 👩‍🎤 日本", "Gerät 👩‍🎤 日本"), ("e\u{301}", "e\u{301}"),
    ("a\u{1B}[31mb", "a\\u{1B}[31mb"), ("a\nb\r\tc", "a\\nb\\r\\tc"), ("\u{9B}2J", "\\u{9B}2J"),
    ("gpj.\u{202E}exe", "gpj.\\u{202E}exe"), ("a\u{2028}b", "a\\u{2028}b"), ("\u{7F}", "\\u{7F}"),
  ])
  func `signs that a terminal obeys are spelled out, and the rest stays`(
    text: String,
    shown: String,
  ) {
    #expect(ShownText.clean(text) == shown)
  }

  @Test func `a letter has at most four marks`() {
    let text = "Z" + String(repeating: "\u{336}", count: 1000) + "a"
    #expect(ShownText.clean(text).unicodeScalars.count == 6)
  }

  @Test func `a thousand hostile names are harmless, and cleaning again changes nothing`() {
    for name in Self.hostileNames {
      let shown = ShownText.clean(name)
      #expect(Self.isHarmless(shown))
      #expect(ShownText.clean(shown) == shown)
    }
  }

  @Test func `names that are no UTF-8 are repaired`() {
    let name = String(decoding: [0x61, 0xFF, 0xC0, 0x1B, 0x80] as [UInt8], as: UTF8.self)
    #expect(Self.isHarmless(ShownText.clean(name)))
  }

  @Test func `JSON has the true names, in signs that are harmless`() throws {
    for name in Self.hostileNames {
      let text = String(decoding: try JSONEncoder().encode([name]), as: UTF8.self)
      let shown = ShownText.escaped(json: text)
      #expect(Self.isHarmless(shown))
      #expect(try JSONDecoder().decode([String].self, from: Data(shown.utf8)) == [name])
    }
  }

  @Test func `tables keep their lines and columns`() {
    var table = Table(["name\u{1B}", "gain"])
    for name in Self.hostileNames { table.add([name, "1"]) }
    let lines = table.lines()
    #expect(lines.count == 1001)
    #expect(lines.allSatisfy(Self.isHarmless))
    #expect(Set(lines.dropFirst().map { WrappedText.columns($0) }).count == 1)
  }

  @Test func `meters are drawn with names that are harmless`() {
    let levels = Self.hostileNames.map { name in
      StripLevels(id: name, peak: [0.5], rms: [0.5], prePeak: [0.5], preRMS: [0.5], tap: .pre)
    }
    let routes = Self.hostileNames.map { MixLevels(id: $0, peak: [0.5], rms: [0.5]) }
    let meters = Meters(
      time: EventTime(frame: 0, monotonicNanoseconds: 0, wallSeconds: 0),
      strips: levels,
      routes: routes,
    )
    var view = MeterView()
    let lines = view.lines(meters, style: ScreenStyle(columns: 200, rows: 5000))
    // With the names of the figures above.
    #expect(lines.count == 2001)
    #expect(lines.allSatisfy(Self.isHarmless))
  }
}
