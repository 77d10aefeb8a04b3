// SPDX-License-Identifier: MIT

import Console
import ControlProtocol
import Testing

struct MeterViewTests {
  private static func meters(_ strips: [MeterReading], _ routes: [MeterReading] = []) -> Meters {
    Meters(
      time: EventTime(frame: nil, monotonicNanoseconds: 0, wallSeconds: 0),
      strips: strips,
      routes: routes,
    )
  }

  /// The bar between its brackets.
  private static func bar(peak: Float, rms: Float, columns: Int = 60) -> Substring {
    let reading = MeterReading(id: "a", peak: [peak], rms: [rms])
    let line = MeterView(columns: columns).lines(meters([reading]))[0]
    return line.drop { $0 != "[" }.dropFirst().prefix { $0 != "]" }
  }

  @Test func `each channel has a line, routes after strips, levels one below the other`() {
    let lines = MeterView(columns: 60).lines(
      Self.meters(
        [MeterReading(id: "deck", peak: [1, 0], rms: [0.5, 0])],
        [MeterReading(id: "headphones", peak: [0.001], rms: [0.0005])],
      )
    )
    #expect(lines.count == 3)
    #expect(Set(lines.map(\.count)).count == 1)
    #expect(lines[0].hasPrefix("strip deck 1 "))
    #expect(lines[0].hasSuffix("0.0 dB  -6.0 dB"))
    #expect(lines[1].hasPrefix("strip deck 2 "))
    #expect(lines[1].hasSuffix("-inf dB  -inf dB"))
    #expect(lines[2].hasPrefix("route headphones 1 "))
    #expect(lines[2].hasSuffix("-60.0 dB -66.0 dB"))
  }

  @Test func `a bar reaches from the floor to full scale, RMS within the peak`() {
    #expect(Self.bar(peak: 0, rms: 0).allSatisfy { $0 == " " })
    #expect(Self.bar(peak: 1, rms: 1).allSatisfy { $0 == "=" })
    #expect(Self.bar(peak: 1, rms: 0).allSatisfy { $0 == "-" })
    // −30 dBFS is the middle of 60 dB.
    let middle = Self.bar(peak: 0.0316, rms: 0.001)
    #expect(middle == "----------          ")
    // Beyond the scale, and an RMS that rounding has put over the peak.
    #expect(Self.bar(peak: 40, rms: 50).allSatisfy { $0 == "=" })
    #expect(Self.bar(peak: .nan, rms: .nan).allSatisfy { $0 == " " })
  }

  @Test(arguments: [0, 20, 40, 48, 80, 200, 10_000])
  func `a line fits the terminal where there is room for it`(columns: Int) {
    let bar = Self.bar(peak: 0.5, rms: 0.25, columns: columns)
    #expect((8...48).contains(bar.count))
    #expect(columns < 48 || bar.count <= columns - 40)
  }

  @Test func `a line for pipes has every peak`() {
    let meters = Self.meters(
      [MeterReading(id: "deck", peak: [1, 0.5], rms: [1, 1])],
      [MeterReading(id: "main", peak: [0], rms: [0])],
    )
    #expect(MeterView.plainLine(meters) == "deck 0.0 dB -6.0 dB | main -inf dB")
  }
}
