// SPDX-License-Identifier: MIT

import Testing

@testable import GraphFiles

/// The ends of what is allowed belong to it, and what is just beyond does not.
@Suite("Ends of ranges")
struct RangeEndTests {
  /// A graph text with `VALUE` in the place of a value, and values at the ends and beyond them.
  struct Setting: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var text: String
    var ends: [String]
    var beyond: [String]

    /// A text that is added to a sound graph.
    init(_ added: String, _ ends: [String], _ beyond: [String]) {
      testDescription = added
      text = Marked.soundGraph + added + "\n"
      self.ends = ends
      self.beyond = beyond
    }

    /// The keys of the only route.
    init(route: String, _ ends: [String], _ beyond: [String]) {
      testDescription = route
      text = "multiroute: 1\nroutes:\n  main: {type: lineOut, \(route)}\n"
      self.ends = ends
      self.beyond = beyond
    }

    func messages(_ value: String) -> [String] {
      faults(of: text.replacing("VALUE", with: value)).map(\.message)
    }
  }

  static let tower: [Setting] = [
    .init("ramp: VALUE", ["0 ms", "10 s"], ["-1 ms", "10.1 s"]),
    .init("tower: {fade: VALUE}", ["0 ms", "10 s"], ["-1 ms", "10.1 s"]),
    .init("tower: {silentAfter: VALUE}", ["1 s", "1 h"], ["999 ms", "3601 s"]),
    .init("tower: {duck: {gain: VALUE}}", ["-60 dB", "0 dB"], ["-61 dB", "0.1 dB"]),
    .init("tower: {duck: {ramp: VALUE}}", ["0 ms", "10 s"], ["-1 ms", "11 s"]),
    .init("tower: {duck: {restore: VALUE}}", ["0 ms", "10 s"], ["-1 ms", "11 s"]),
  ]

  static let server: [Setting] = [
    .init("server: {priority: VALUE}", ["1", "99"], ["0", "100"]),
    .init("server: {periods: VALUE}", ["2", "16"], ["1", "17"]),
    .init("server: {channels: {capture: VALUE}}", ["0"], ["-1", "100000"]),
    .init("server: {channels: {playback: VALUE}}", ["0"], ["-1", "100000"]),
    .init(
      "session: {preferred: {sampleRate: VALUE}}",
      ["8 kHz", "384 kHz"],
      ["7999 Hz", "384.1 kHz"]
    ),
    .init(
      "session: {preferred: {ioBufferDuration: VALUE}}",
      ["100 us", "1 s"],
      ["99 us", "1.1 s"]
    ),
    .init("session: {preferred: {ioBufferFrames: VALUE}}", ["16", "8192"], ["15", "8193"]),
  ]

  static let surfaces: [Setting] = [
    .init("surfaces: {osc: {port: VALUE}}", ["0", "65535"], ["-1", "65536"]),
    .init(
      "adopt: [{client: a, session: {preset: player}, channels: VALUE}]",
      ["1", "768"],
      ["0", "769"]
    ),
    .init(
      "controls: {midi: {x: {device: X, map: [{control: relative 1/2 twos-complement, "
        + "parameter: /a/b, steps: VALUE}]}}}",
      ["1", "16384"],
      ["0", "16385"]
    ),
    .init(
      "controls: {midi: {x: {device: X, map: [{control: note 1/2, parameter: /a/b, "
        + "feedback: {on: VALUE}}]}}}",
      ["0", "127"],
      ["-1", "128"]
    ),
  ]

  static let mix: [Setting] = [
    .init("mix: [{from: deck-a, to: main, gain: VALUE}]", ["-inf dB", "24 dB"], ["24.1 dB"]),
    .init("mix: [{from: deck-a, to: main, pan: VALUE}]", ["-1", "1"], ["-1.01", "1.01"]),
    .init("  x: {tone: {frequency: VALUE}}", ["0.1 Hz", "96 kHz"], ["0.09 Hz", "96.1 kHz"]),
    .init("  x: {tone: {}, channels: VALUE}", ["1", "768"], ["0", "769"]),
    .init("  x: {file: a.wav, start: VALUE}", ["0 s", "24 h"], ["-1 s", "86401 s"]),
    .init("  x: {tone: {level: VALUE}}", ["-inf dB", "0 dB"], ["0.1 dB"]),
    .init("mix: [{from: beep, to: main, channels: [[VALUE, 1]]}]", ["1", "768"], ["0", "769"]),
    .init("mix: [{from: beep, to: main, channels: [[1, VALUE]]}]", ["1", "768"], ["0", "769"]),
    .init(
      "controls: {crossfader: {a: beep, b: deck-a, position: VALUE}}",
      ["-1", "1"],
      ["-1.1", "1.1"]
    ),
  ]

  static let recorders: [Setting] = [
    .init(
      "recorders: {x: {from: main, file: a.wav, splitAfter: VALUE}}",
      ["1 s", "24 h"],
      ["999 ms", "86401 s"]
    ),
    .init(
      "recorders: {x: {from: main, file: a.wav, splitSize: VALUE}}",
      ["1 MB", "1 TB"],
      ["999 kB", "1001 GB"]
    ),
    .init(
      "recorders: {x: {from: main, file: a.wav, buffer: VALUE}}",
      ["100 ms", "60 s"],
      ["99 ms", "61 s"]
    ),
  ]

  static let routes: [Setting] = [
    .init(route: "device: {name: \"hw:1\", channels: VALUE}", ["1", "64"], ["0", "65"]),
    .init(
      route: "device: {name: \"hw:1\", sampleRate: VALUE}",
      ["8 kHz", "384 kHz"],
      ["7999 Hz", "385 kHz"]
    ),
    .init(route: "device: {name: \"hw:1\", frames: VALUE}", ["16", "8192"], ["15", "8193"]),
    .init(route: "device: {name: \"hw:1\", periods: VALUE}", ["2", "8"], ["1", "9"]),
    .init(
      route: "device: {name: \"hw:1\", slack: VALUE}",
      ["0 ms", "500 ms"],
      ["-1 ms", "501 ms"]
    ),
    .init(route: "njbridge: {address: 127.0.0.1, port: VALUE}", ["1", "65535"], ["0", "65536"]),
    .init(
      route: "njbridge: {address: 127.0.0.1, port: 1, channels: VALUE}",
      ["1", "64"],
      ["0", "65"]
    ),
    .init(
      route: "njbridge: {address: 127.0.0.1, port: 1, buffer: VALUE}",
      ["0 ms", "500 ms"],
      ["-1 ms", "501 ms"]
    ),
    .init(route: "jacktrip: {address: a.b, port: VALUE}", ["1", "65535"], ["0", "65536"]),
    .init(route: "jacktrip: {address: a.b, peerPort: VALUE}", ["1", "65535"], ["0", "65536"]),
    .init(route: "jacktrip: {address: a.b, channels: VALUE}", ["1", "64"], ["0", "65"]),
    .init(route: "jacktrip: {address: a.b, queue: VALUE}", ["2", "64"], ["1", "65"]),
    .init(route: "jacktrip: {address: a.b, redundancy: VALUE}", ["1", "8"], ["0", "9"]),
    .init(route: "jacktrip: {address: a.b, bits: VALUE}", ["8", "32"], ["7", "33"]),
    .init(
      route: "ports: [\"system:playback_1\"], limiter: {ceiling: VALUE}",
      ["-24 dB", "0 dB"],
      ["-25 dB", "0.1 dB"]
    ),
    .init(
      route: "ports: [\"system:playback_1\"], limiter: {release: VALUE}",
      ["1 ms", "5 s"],
      ["0.9 ms", "5.1 s"]
    ),
    .init(
      route: "ports: [\"system:playback_1\"], limiter: {lookahead: VALUE}",
      ["0 ms", "20 ms"],
      ["-1 ms", "21 ms"]
    ),
    .init(
      route: "ports: [\"system:playback_1\"], align: VALUE",
      ["0 ms", "500 ms"],
      ["-1 ms", "501 ms"]
    ),
    .init(
      route: "ports: [\"system:playback_1\"], inserts: [fx], wet: VALUE",
      ["0", "1", "100 %"],
      ["-0.01", "1.01", "101 %"]
    ),
  ]

  @Test(arguments: tower + server + surfaces + mix + recorders + routes)
  func `the ends are allowed, and nothing beyond them`(setting: Setting) {
    for value in setting.ends {
      #expect(!setting.messages(value).contains { $0.contains("out of range") }, "\(value)")
    }
    for value in setting.beyond {
      #expect(setting.messages(value).contains { $0.contains("out of range") }, "\(value)")
    }
  }

  @Test(arguments: [
    ("a", true), ("a.b", true), ("a-b.c_d", true), ("", false), ("a..b", false), (".a", false),
    ("-a.b", false), ("a-.b", false), ("a b", false), ("ä.b", false), ("a.1", false),
    ("127.0.0.1", true), ("127.0.0.256", false), ("::1", true), ("fe80::1%eth0", true),
    (String(repeating: "a", count: 63), true), (String(repeating: "a", count: 64), false),
    (String(repeating: "a.", count: 126) + "a", true),
    (String(repeating: "a.", count: 126) + "ab", false),
  ])
  func `addresses of machines`(address: String, isOne: Bool) {
    let setting = Setting(route: "jacktrip: {address: \"VALUE\"}", [], [])
    let isRefused = setting.messages(address).contains { $0.hasPrefix("address:") }
    #expect(isRefused == !isOne)
  }

  @Test(arguments: [
    ("a", true), ("a b~", true), ("\\x01", false), ("a\\x1F", false), ("a\\x7F", false),
    ("", false), ("\\x80", true),
  ])
  func `texts have no control characters`(text: String, isOne: Bool) {
    let setting = Setting("server: {driver: alsa, device: \"VALUE\"}", [], [])
    let isRefused = setting.messages(text).contains { $0.contains("control characters") }
    #expect(isRefused == !isOne)
  }
}
