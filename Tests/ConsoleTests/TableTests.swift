// SPDX-License-Identifier: MIT

import ControlProtocol
import TestSupport
import Testing

@testable import Console

struct TableTests {
  @Test func `columns are as wide as their longest cell, and numbers are flush right`() {
    var table = Table(["name", "gain", "note"], alignments: [.left, .right])
    table.add(["deck-a", "-6.0", "loud"])
    table.add(["b", "-12.5", ""])
    #expect(
      table.lines() == [
        "name     gain  note",
        "deck-a   -6.0  loud",
        "b       -12.5",
      ]
    )
  }

  @Test func `missing cells stay empty, and cells too many are left out`() {
    var table = Table(["a", "b"])
    table.add(["1"])
    table.add(["1", "2", "3"])
    #expect(table.lines() == ["a  b", "1", "1  2"])
    #expect(Table([]).lines() == [""])
  }

  private static var routes: Table {
    var table = Table(["route", "gain", "ports"], alignments: [.left, .right])
    table.add(["main", "-12.5 dB", "system:playback_1 system:playback_2"])
    table.add(["headphones", "0.0 dB", "not available"])
    return table
  }

  @Test func `a table that is too wide goes on below, between words`() {
    let natural = Self.routes.lines()
    #expect(Self.routes.lines(width: 57) == natural)
    #expect(
      Self.routes.lines(width: 45) == [
        "route           gain  ports",
        "main        -12.5 dB  system:playback_1",
        "                      system:playback_2",
        "headphones    0.0 dB  not available",
      ]
    )
  }

  @Test func `words give way where they must, the widest first, and figures never`() {
    #expect(
      Self.routes.lines(width: 36) == [
        "route           gain  ports",
        "main        -12.5 dB  system:playba…",
        "                      system:playba…",
        "headphones    0.0 dB  not available",
      ]
    )
    #expect(
      Self.routes.lines(width: 28) == [
        "route         gain  ports",
        "main      -12.5 dB  system:…",
        "                    system:…",
        "headpho…    0.0 dB  not",
        "                    availab…",
      ]
    )
    // No line is wider than the narrowest terminal.
    for width in 1...60 {
      #expect(Self.routes.lines(width: width).allSatisfy { WrappedText.columns($0) <= width })
    }
  }

  @Test func `wide characters take two columns`() {
    var table = Table(["name", "gain"], alignments: [.left, .right])
    table.add(["音楽", "-6.0"])
    table.add(["e\u{301}", "0.0"])
    #expect(table.lines() == ["name  gain", "音楽  -6.0", "e\u{301}      0.0"])
  }
}

struct WrappedTextTests {
  @Test(arguments: [
    ("one two three", 13, ["one two three"]), ("one two three", 12, ["one two", "  three"]),
    ("one two three", 7, ["one two", "  three"]),
    ("one two three", 6, ["one", "  two", "  thre", "  e"]),
    ("one   two", 4, ["one", "  tw", "  o"]), ("", 4, [""]), ("    ", 2, [""]),
    ("音楽プレーヤー", 6, ["音楽プ", "  レー", "  ヤー"]), ("a\u{1B}b", 80, ["a\\u{1B}b"]),
  ])
  func `lines break between words, and within those that are too long`(
    text: String,
    width: Int,
    lines: [String],
  ) {
    #expect(WrappedText.lines(text, indent: 2, width: width) == lines)
  }

  @Test(arguments: [
    ("", 0), ("deck-a", 6), ("Плеер", 5), ("音楽", 4), ("한국", 4), ("\u{1112}\u{1161}\u{11AB}", 2),
    ("e\u{301}", 1), ("🎵", 2), ("→ … █", 5), ("संगीत", 4),
  ])
  func `a text has the columns that a terminal gives it`(text: String, columns: Int) {
    #expect(WrappedText.columns(text) == columns)
  }

  @Test func `random text ends, has no line that is too wide, and loses nothing but blanks`() {
    var random = TestSeed.random()
    // One character of many columns among them.
    let signs: [Character] = ["a", "b", " ", " ", "音", "é", "🎵", "-", "👨‍👩‍👧‍👦"]
    for _ in 0..<2_000 {
      let text = String(
        (0..<Int.random(in: 0...60, using: &random)).map { _ in
          signs[Int.random(in: signs.indices, using: &random)]
        }
      )
      let width = Int.random(in: 2...30, using: &random)
      let indent = Int.random(in: 0...20, using: &random)
      let lines = WrappedText.lines(text, indent: indent, width: width)
      #expect(lines.allSatisfy { WrappedText.columns($0) <= width }, "\(text) \(width)")
      let kept = [lines.joined(), text].map { $0.unicodeScalars.filter { $0 != " " } }
      #expect(Array(kept[0]) == Array(kept[1]))
    }
  }
}

struct FiguresTests {
  @Test(
    arguments: [
      (48_000.0, "48000"), (0, "0"), (-0.0, "0"), (-0.0004, "0"), (5.333333, "5.333"),
      (0.05, "0.05"),
      (-1.5, "-1.5"), (2.9996, "3"), (1e15, "1000000000000000.0"), (-.infinity, "-inf"),
      (.infinity, "inf"), (.nan, "nan"),
    ] as [(Double, String)]
  )
  func `numbers have as many decimals as say something`(value: Double, text: String) {
    #expect(Figures.plain(value) == text)
  }

  @Test(
    arguments: [
      (-6.0, "-6.0 dB"), (-0.04, "0.0 dB"), (0, "0.0 dB"), (12.34, "12.3 dB"),
      (-99.95, "-100.0 dB"),
      (-.infinity, "-inf dB"),
    ] as [(Double, String)]
  )
  func `gains have one decimal and no negative zero`(value: Double, text: String) {
    #expect(Figures.decibels(value) == text)
  }

  @Test func `seconds are read as milliseconds, and an unknown value as a dash`() {
    #expect(Figures.quantity(0.005, unit: .seconds) == "5 ms")
    #expect(Figures.quantity(128.0 / 44_100, unit: .seconds) == "2.902 ms")
    #expect(Figures.quantity(240, unit: .frames) == "240 frames")
    #expect(Figures.quantity(4, unit: .channels) == "4")
    #expect(Figures.quantity(nil, unit: .hertz) == "–")
  }
}
