// SPDX-License-Identifier: MIT

import ControlProtocol
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
