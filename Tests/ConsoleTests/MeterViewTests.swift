// SPDX-License-Identifier: MIT

import Console
import ControlProtocol
import Testing

struct MeterViewTests {
  /// Meters of strips whose levels are these at the tap to show, and full scale at the other one.
  private static func meters(
    _ strips: [MixLevels],
    tap: MeterTap = .post,
    _ routes: [MixLevels] = [],
  ) -> Meters {
    Meters(
      time: EventTime(frame: nil, monotonicNanoseconds: 0, wallSeconds: 0),
      strips: strips.map { strip in
        let full = strip.peak.map { _ in Float(1) }
        let isPost = tap == .post
        return StripLevels(
          id: strip.id,
          peak: isPost ? strip.peak : full,
          rms: isPost ? strip.rms : full,
          prePeak: isPost ? full : strip.peak,
          preRMS: isPost ? full : strip.rms,
          tap: tap,
        )
      },
      routes: routes,
    )
  }

  private static let ascii = ScreenStyle(columns: 61, rows: 24, isUnicode: false)

  /// The bar between its brackets.
  private static func bar(peak: Float, rms: Float, columns: Int = 41) -> Substring {
    var view = MeterView()
    let reading = MixLevels(id: "a", peak: [peak], rms: [rms])
    var style = ascii
    style.columns = columns
    let line = view.lines(meters([reading]), style: style)[1]
    return line.drop { $0 != "[" }.dropFirst().prefix { $0 != "]" }
  }

  @Test
  func
    `each channel has a line, routes after strips, levels one below the other under their names`()
  {
    var view = MeterView()
    let lines = view.lines(
      Self.meters(
        [MixLevels(id: "deck", peak: [1, 0], rms: [0.5, 0])],
        [MixLevels(id: "headphones", peak: [0.001], rms: [0.0005])],
      ),
      style: Self.ascii,
    )
    #expect(lines.count == 4)
    #expect(Set(lines.map(\.count)).count == 1)
    #expect(lines[0].hasSuffix("     peak      RMS"))
    #expect(lines[0].dropLast(18).allSatisfy { $0 == " " })
    #expect(lines[1].hasPrefix("strip deck 1 "))
    #expect(lines[1].hasSuffix("0.0 dB  -6.0 dB"))
    #expect(lines[2].hasPrefix("strip deck 2 "))
    #expect(lines[2].hasSuffix("-inf dB  -inf dB"))
    #expect(lines[3].hasPrefix("route headphones 1 "))
    #expect(lines[3].hasSuffix("-60.0 dB -66.0 dB"))
  }

  @Test func `a bar reaches from the floor to full scale, RMS within the peak`() {
    #expect(Self.bar(peak: 0, rms: 0).allSatisfy { $0 == " " })
    #expect(Self.bar(peak: 1, rms: 1).allSatisfy { $0 == "=" })
    #expect(Self.bar(peak: 1, rms: 0).allSatisfy { $0 == "-" })
    // −30 dBFS is the middle of 60 dB.
    let middle = Self.bar(peak: 0.0316, rms: 0.001)
    #expect(middle.count { $0 == "-" } == (middle.count + 1) / 2)
    // Beyond the scale, and a broken signal.
    #expect(Self.bar(peak: 40, rms: 50).allSatisfy { $0 == "=" })
    #expect(Self.bar(peak: .nan, rms: .nan).allSatisfy { $0 == " " })
  }

  @Test(arguments: [1, 5, 20, 30, 40, 48, 80, 200, 10_000], [1, 2, 4, 10, 24])
  func `meters neither wrap nor scroll the terminal`(columns: Int, rows: Int) {
    var view = MeterView()
    let strips = (0..<5).map {
      MixLevels(id: "a-strip-with-a-long-name-\($0)", peak: [0.5, 0.25], rms: [0.25, 0.125])
    }
    var style = Self.ascii
    style.columns = columns
    style.rows = rows
    let lines = view.lines(Self.meters(strips), style: style)
    #expect(lines.count <= max(1, rows - 1))
    #expect(lines.allSatisfy { $0.count < max(2, columns) }, "\(lines)")
    // The names of the figures stand above them where there are bars.
    let names = lines.count { $0.hasSuffix("peak") || $0.hasSuffix("RMS") }
    #expect(names == (rows >= 10 && lines.contains { $0.contains("[") } ? 1 : 0))
    #expect(rows < 24 || lines.count == 10 + names)
    // Where not every channel fits, each strip has one line.
    #expect(rows != 10 || lines.count == 5 + names)
    #expect(rows != 4 || lines.last?.hasPrefix(String("3 more".prefix(columns - 1))) != false)
  }

  @Test func `a peak is held for a while, and then falls`() {
    var view = MeterView()
    func held(_ peak: Float, atSeconds seconds: Double) -> String {
      var meters = Self.meters([MixLevels(id: "a", peak: [peak], rms: [0])])
      meters.time.monotonicNanoseconds = UInt64(seconds * 1e9)
      let line = view.lines(meters, style: Self.ascii)[1]
      return String(line.drop { $0 != "]" }.dropFirst().prefix(9).drop { $0 == " " })
    }
    #expect(held(1, atSeconds: 10) == "0.0 dB")
    #expect(held(0.1, atSeconds: 11.4) == "0.0 dB")
    #expect(held(0.1, atSeconds: 12) == "-10.0 dB")
    #expect(held(0.1, atSeconds: 13) == "-20.0 dB")
    // A higher peak is shown at once.
    #expect(held(0.5, atSeconds: 13.1) == "-6.0 dB")
  }

  @Test func `RMS never stands above the peak`() {
    var view = MeterView()
    let lines = view.lines(
      Self.meters([MixLevels(id: "a", peak: [0.1], rms: [0.5])]),
      style: Self.ascii,
    )
    #expect(lines[1].hasSuffix("-20.0 dB -20.0 dB"))
  }

  @Test func `colors and blocks are used only where the terminal has them`() {
    let meters = Self.meters([MixLevels(id: "a", peak: [1], rms: [0.5])])
    func line(_ isUnicode: Bool, _ hasColor: Bool) -> String {
      var view = MeterView()
      let style = ScreenStyle(columns: 80, rows: 9, isUnicode: isUnicode, hasColor: hasColor)
      return view.lines(meters, style: style)[1]
    }
    #expect(line(false, false).utf8.allSatisfy { (0x20..<0x7F).contains($0) })
    #expect(line(true, false).contains("█") && !line(true, false).contains("\u{1B}"))
    let colored = line(false, true)
    for color in ["[32m", "[33m", "[31m", "[0m"] {
      #expect(colored.contains("\u{1B}\(color)"))
    }
  }

  @Test func `bars stand one below the other behind names of wide characters`() {
    var view = MeterView()
    let strips = ["音楽", "dj"].map { MixLevels(id: $0, peak: [0.5], rms: [0.25]) }
    let lines = view.lines(Self.meters(strips), style: Self.ascii)
    let places = lines.dropFirst().map { WrappedText.columns($0.prefix { $0 != "[" }) }
    #expect(places == [13, 13])
    #expect(Set(lines.map { WrappedText.columns($0) }).count == 1)
  }

  @Test func `a line for pipes has every peak`() {
    let meters = Self.meters(
      [MixLevels(id: "deck", peak: [1, 0.5], rms: [1, 1])],
      [MixLevels(id: "main", peak: [0], rms: [0])],
    )
    #expect(MeterView.plainLine(meters) == "deck 0.0 dB -6.0 dB | main -inf dB")
  }

  @Test func `a strip shows the tap of its graph, marked where it is before the fader`() {
    let levels = [MixLevels(id: "deck", peak: [0.5], rms: [0.25])]
    for (tap, name) in [(MeterTap.post, "deck"), (.pre, "deck (pre)")] {
      var view = MeterView()
      let meters = Self.meters(levels, tap: tap, [MixLevels(id: "main", peak: [0], rms: [0])])
      let lines = view.lines(meters, style: Self.ascii)
      #expect(lines[1].hasPrefix("strip \(name) 1 "), "\(lines)")
      #expect(lines[1].hasSuffix("-6.0 dB -12.0 dB"))
      #expect(lines[2].hasPrefix("route main 1 "))
      #expect(MeterView.plainLine(meters) == "\(name) -6.0 dB | main -inf dB")
    }
  }

  @Test func `one tap can be asked for all strips`() {
    let levels = [MixLevels(id: "deck", peak: [0.5], rms: [0.25])]
    var view = MeterView()
    let meters = Self.meters(levels)
    #expect(view.lines(meters, style: Self.ascii, tap: .pre)[1].hasPrefix("strip deck (pre) 1 "))
    #expect(MeterView.plainLine(meters, tap: .pre) == "deck (pre) 0.0 dB")
    #expect(MeterView.plainLine(Self.meters(levels, tap: .pre), tap: .post) == "deck 0.0 dB")
  }
}
