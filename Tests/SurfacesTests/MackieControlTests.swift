// SPDX-License-Identifier: MIT

import ControlProtocol
import Testing

@testable import Surfaces

/// A control surface with a mixer of numbered strips, and a clock that a test moves.
private struct Bench {
  var control: MackieControl
  var now = Duration.zero

  init(_ units: [MackieUnit] = [MackieUnit()], strips: Int = 3, order: [String] = []) {
    control = MackieControl(
      units: units,
      order: MackieOrder(strips: order, routes: ["main", "phones"]),
    )
    var values = [
      ParameterSetting(path: "/route/main/gain", value: .number(0)),
      ParameterSetting(path: "/route/phones/gain", value: .number(0)),
    ]
    for number in 0..<strips {
      let path = "/strip/s\(number < 10 ? "0" : "")\(number)"
      values += [
        ParameterSetting(path: path + "/gain", value: .number(-.infinity)),
        ParameterSetting(path: path + "/pan", value: .number(0)),
        ParameterSetting(path: path + "/mute", value: .flag(false)),
        ParameterSetting(path: path + "/solo", value: .flag(false)),
        ParameterSetting(path: path + "/cue", value: .flag(false)),
        ParameterSetting(path: path + "/send/phones/gain", value: .number(-10)),
        ParameterSetting(path: path + "/send/main/gain", value: .number(0)),
      ]
    }
    _ = control.react(to: .changed(ParameterChanges(changes: values, removed: [])), at: now)
  }

  /// Plugs all units in, and waits until their displays are filled.
  mutating func begin() {
    for unit in control.panels.indices { react(.plugged(unit: unit)) }
    wait(.seconds(1))
  }

  @discardableResult
  mutating func react(_ event: MackieEvent) -> MackieReaction { control.react(to: event, at: now) }

  @discardableResult
  mutating func receive(_ bytes: UInt8..., unit: Int = 0) -> MackieReaction {
    react(.received(bytes, unit: unit))
  }

  @discardableResult
  mutating func wait(_ time: Duration) -> MackieReaction {
    now += time
    return react(.tick)
  }

  /// The upper line of a unit.
  func names(ofUnit unit: Int) -> String {
    let text = control.picture(of: unit, notice: nil).text
    return String(decoding: text.prefix(MackieText.lineLength), as: UTF8.self)
  }
}

/// The state machine of Mackie Control.
struct MackieControlTests {
  @Test(
    arguments: [
      ([0x01, 0x02, 0x03, 0x04], [0x05, 0x05, 0x7B, 0x2F]),
      ([0x12, 0x34, 0x56, 0x78], [0x58, 0x0F, 0x16, 0x4E]),
      ([0x7F, 0x7F, 0x7F, 0x7F], [0x75, 0x79, 0x7C, 0x00]),
      ([0x00, 0x00, 0x00, 0x00], [0x0A, 0x00, 0x00, 0x70]),
    ] as [([UInt8], [UInt8])]
  )
  func `MCU-3, MCU-T1 the challenge is answered with the maker's formula`(
    code: [UInt8],
    response: [UInt8]
  ) {
    #expect(MackieSystemMessage.response(to: code) == response)
  }

  @Test(arguments: [(0.0, 0x46), (-1.0, 0x01), (1.0, 0x0B)] as [(Double, UInt8)])
  func `MCU-31, MCU-T2 rings show pans as a dot, with the centre lamp in the middle`(
    pan: Double,
    ring: UInt8,
  ) {
    #expect(MackieTarget.pan("/strip/a").ring(pan, isMuted: false) == ring)
  }

  @Test func `MCU-2 a Logic Control shows nothing before its challenge is answered`() {
    var bench = Bench([MackieUnit(model: .logic)])
    let asked = bench.react(.plugged(unit: 0)).messages.map(\.bytes)
    #expect(asked == [[0xF0, 0x00, 0x00, 0x66, 0x10, 0x00, 0xF7]])
    #expect(bench.wait(.milliseconds(100)).messages == [])
    let serial: [UInt8] = [1, 2, 3, 4, 5, 6, 7]
    let hello = [0xF0, 0x00, 0x00, 0x66, 0x10, 0x01] + serial + [0x12, 0x34, 0x56, 0x78, 0xF7]
    let answer = bench.react(.received(hello, unit: 0)).messages.map(\.bytes)
    let right = [0xF0, 0x00, 0x00, 0x66, 0x10, 0x02] + serial + [0x58, 0x0F, 0x16, 0x4E, 0xF7]
    #expect(answer == [right])
    let online = [0xF0, 0x00, 0x00, 0x66, 0x10, 0x03] + serial + [0xF7]
    #expect(bench.react(.received(online, unit: 0)).messages.count > 60)
  }

  @Test func `MCU-4 a Mackie Control that is switched on is filled anew, with its own header`() {
    var bench = Bench()
    bench.begin()
    let hello: [UInt8] = [0xF0, 0x00, 0x00, 0x66, 0x15, 0x01, 0xF7]
    let messages = bench.react(.received(hello, unit: 0)).messages.map(\.bytes)
    #expect(messages.first == [0xF0, 0x00, 0x00, 0x66, 0x15, 0x20, 0x00, 0x07, 0xF7])
    #expect(messages.count > 60)
    #expect(bench.react(.received(hello, unit: 0)).messages == [], "a flood is not answered")
  }

  @Test func `MCU-4 a clone of a Logic Control without a challenge is ready when it is used`() {
    var bench = Bench([MackieUnit(model: .logic)])
    bench.react(.plugged(unit: 0))
    let reaction = bench.receive(0x90, 16, 0x7F)
    #expect(reaction.messages.count > 60)
    #expect(reaction.settings.map(\.path) == ["/strip/s00/mute"])
  }

  @Test func `MCU-60 banks move by all strips, and the last one is full`() {
    var bench = Bench(strips: 18)
    bench.begin()
    #expect(bench.names(ofUnit: 0).hasPrefix("s00    s01"))
    bench.receive(0x90, 47, 0x7F)
    #expect(bench.names(ofUnit: 0).hasPrefix("s08    s09"))
    bench.receive(0x90, 47, 0x7F)
    #expect(bench.names(ofUnit: 0).hasPrefix("s10    s11"))
    bench.receive(0x90, 48, 0x7F)
    #expect(bench.names(ofUnit: 0).hasPrefix("s09"))
    #expect(bench.receive(0x90, 16, 0x7F).settings.map(\.path) == ["/strip/s09/mute"])
    for _ in 0..<3 { bench.receive(0x90, 46, 0x7F) }
    #expect(bench.names(ofUnit: 0).hasPrefix("s00"))
  }

  @Test func `MCU-61 an extender has strips alone, in the user's order of units`() {
    var bench = Bench([MackieUnit(isExtender: true), MackieUnit()], strips: 17)
    let first = bench.react(.plugged(unit: 0)).messages
    #expect(first.allSatisfy { $0.unit == 0 })
    #expect(!first.contains { $0.bytes[0] == 0xE8 }, "no master fader")
    #expect(!first.contains { $0.bytes[0] == 0xB0 && $0.bytes[1] >= 64 }, "no digits")
    #expect(first[0].bytes[4] == 0x15)
    bench.begin()
    #expect(bench.names(ofUnit: 1).hasPrefix("s08"))
    let moved = bench.receive(0xE0, 0x70, 0x7F, unit: 1)
    #expect(moved.settings == [ParameterSetting(path: "/strip/s08/gain", value: .number(10))])
    #expect(bench.receive(0xE8, 0x70, 0x7F, unit: 0).settings == [])
    bench.receive(0x90, 47, 0x7F, unit: 1)
    #expect(bench.names(ofUnit: 0).hasPrefix("s01"), "one strip more than places")
  }

  @Test func `strips stand in the order of the graph, and others after them`() {
    var bench = Bench(strips: 4, order: ["s02", "s00"])
    bench.begin()
    #expect(bench.names(ofUnit: 0).hasPrefix("s02    s00    s01    s03    "))
    bench.react(.changed(ParameterChanges(changes: [], removed: ["/strip/s02/gain"])))
    #expect(bench.names(ofUnit: 0).hasPrefix("s00    s01    s03    "))
  }

  @Test func `the key solo turns the solo keys into cue keys`() {
    var bench = Bench()
    bench.begin()
    #expect(bench.receive(0x90, 90, 0x7F).messages.map(\.bytes) == [[0x90, 90, 0x7F]])
    #expect(bench.receive(0x90, 8, 0x7F).settings.map(\.path) == ["/strip/s00/cue"])
    bench.receive(0x90, 90, 0x7F)
    #expect(bench.receive(0x90, 8, 0x7F).settings.map(\.path) == ["/strip/s00/solo"])
  }

  @Test func `the key send goes through the routes, and the key pan back`() {
    var bench = Bench()
    bench.begin()
    bench.receive(0x90, 41, 0x7F)
    #expect(bench.receive(0xB0, 16, 0x01).settings.map(\.path) == ["/strip/s00/send/main/gain"])
    bench.receive(0x90, 41, 0x7F)
    let second = bench.receive(0xB0, 16, 0x41).settings
    let half = FaderTaper.position(ofGainDB: -10) - 0.01
    let gain = (FaderTaper.gainDB(atPosition: half) * 100).rounded() / 100
    #expect(
      second == [ParameterSetting(path: "/strip/s00/send/phones/gain", value: .number(gain))]
    )
    bench.receive(0x90, 42, 0x7F)
    #expect(bench.receive(0xB0, 16, 0x01).settings.map(\.path) == ["/strip/s00/pan"])
  }

  @Test func `a V-pot turned there and back has the same pan`() {
    var bench = Bench()
    bench.begin()
    for _ in 0..<37 { bench.receive(0xB0, 16, 0x01) }
    for _ in 0..<36 { bench.receive(0xB0, 16, 0x41) }
    let last = bench.receive(0xB0, 16, 0x41).settings
    #expect(last == [ParameterSetting(path: "/strip/s00/pan", value: .number(0))])
  }

  @Test(arguments: [
    ("microphone", "mcrphn"), ("deck-a", "deck-a"), ("my deck 1", "mydck1"), ("ab", "ab"),
    ("Übung", "?bung"),
  ]) func `MCU-50 names become six characters`(name: String, short: String) {
    let cell = String(decoding: MackieText.cell(name), as: UTF8.self)
    #expect(cell == short + String(repeating: " ", count: 7 - short.count))
  }

  @Test func `MCU-51 bars and beats stand on the ten digits`() {
    let digits = MackieText.digits(MackieText.beats("12.3.480"), dots: [2, 4])
    let expected: [UInt8] = [0x20, 0x31, 0x72, 0x20, 0x73, 0x20, 0x20, 0x34, 0x38, 0x30]
    #expect(digits == expected.reversed())
  }

  @Test(
    arguments: [
      (-61.0, 0), (-60.0, 1), (-14.0, 6), (-6.1, 8), (-0.1, 11), (0, 12), (-.infinity, 0),
    ] as [(Double, UInt8)]
  )
  func `MCU-40 levels become twelve steps`(level: Double, step: UInt8) {
    #expect(MackieControl.meterStep(ofPeakDB: level) == step)
  }

  @Test func `MCU-52 an X-Touch has a colour for each state of a strip, sent as it changes`() {
    var bench = Bench([MackieUnit(hasColors: true)], strips: 4)
    bench.begin()
    func colors(_ reaction: MackieReaction) -> [[UInt8]] {
      reaction.messages.map(\.bytes).filter {
        $0.starts(with: [0xF0, 0x00, 0x00, 0x66, 0x14, 0x72])
      }
    }
    func changed(_ path: String, _ isOn: Bool) -> MackieEvent {
      .changed(
        ParameterChanges(changes: [ParameterSetting(path: path, value: .flag(isOn))], removed: [])
      )
    }
    bench.react(changed("/strip/s01/mute", true))
    bench.react(changed("/strip/s02/solo", true))
    let last = bench.react(changed("/strip/s03/cue", true))
    #expect(colors(last) == [[0xF0, 0x00, 0x00, 0x66, 0x14, 0x72, 7, 1, 3, 6, 0, 0, 0, 0, 0xF7]])
    #expect(colors(bench.wait(.seconds(1))) == [])
    bench.react(.unplugged(unit: 0))
    bench.react(.plugged(unit: 0))
    #expect(colors(bench.wait(.seconds(1))).count == 1)
  }

  @Test func `a desk that is no X-Touch is sent no colours`() {
    var bench = Bench()
    var messages = bench.react(.plugged(unit: 0)).messages
    messages += bench.wait(.seconds(1)).messages
    #expect(!messages.contains { $0.bytes.count > 5 && $0.bytes[0] == 0xF0 && $0.bytes[5] == 0x72 })
  }
}
