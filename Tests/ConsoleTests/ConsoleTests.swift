// SPDX-License-Identifier: MIT

import ControlProtocol
import Testing

@testable import Console

@Suite("tables, figures and meters")
struct ConsoleTests {
  @Test("columns are as wide as their longest cell, numbers flush right")
  func columns() {
    var table = Table(["name", "gain"], alignments: [.left, .right])
    table.add(["main", "-6.0 dB"])
    table.add(["headphones", "0.0 dB"])
    table.add(["short"])
    #expect(
      table.lines() == [
        "name           gain",
        "main        -6.0 dB",
        "headphones   0.0 dB",
        "short",
      ]
    )
  }

  @Test(
    "numbers have as many decimals as say something",
    arguments: [
      (5.0, "5"), (5.333333, "5.333"), (0.0, "0"), (-0.0001, "0"), (-1.5, "-1.5"), (10.01, "10.01"),
    ]
  )
  func plainNumbers(value: Double, text: String) {
    #expect(Figures.plain(value) == text)
  }

  @Test("decibels have one decimal, silence is -inf")
  func decibels() {
    #expect(Figures.decibels(-6.02) == "-6.0 dB")
    #expect(Figures.decibels(-0.01) == "0.0 dB")
    #expect(Figures.decibels(-.infinity) == "-inf dB")
  }

  @Test("durations are printed in milliseconds, what is not known as a dash")
  func quantities() {
    #expect(Figures.quantity(0.005, unit: "s") == "5 ms")
    #expect(Figures.quantity(48_000, unit: "Hz") == "48000 Hz")
    #expect(Figures.quantity(nil, unit: "s") == "–")
  }

  @Test("a bar is full at 0 dBFS, half at -30 dB, empty at the floor; RMS never beyond the peak")
  func bars() {
    let time = EventTime(frame: nil, monotonicNanoseconds: 0, wallSeconds: 0)
    let meters = Meters(
      time: time,
      strips: [MeterReading(id: "a", peak: [1, 0], rms: [0.0316, 0.5])],
      routes: [],
    )
    let lines = MeterView(columns: 60).lines(meters)
    #expect(lines.count == 2)
    #expect(lines.first?.contains("[==========----------]") == true)
    #expect(lines.last?.contains("[                    ]") == true)
  }
}
