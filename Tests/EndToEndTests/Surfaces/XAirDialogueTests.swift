// SPDX-License-Identifier: MIT

import ControlProtocol
import OSC
import TestSupport
import Testing

/// An app as documented messages describe it, over UDP, against a whole host.
@Suite(.serialized, .timeLimit(.minutes(3)))
struct XAirDialogueTests {
  /// A host that is a mixer on its port.
  private static func mixer() async throws -> SurfaceRig {
    try await SurfaceRig(surfaces: { "xair: {port: \($0)}" })
  }

  /// The bytes of a packet: `~` is a zero, `{3f000000}` are bytes in hex.
  private static func bytes(_ text: String) -> [UInt8] {
    var bytes: [UInt8] = []
    var hex: String?
    for character in text {
      switch (character, hex) {
      case ("{", nil): hex = ""
      case ("}", let digits?):
        bytes += stride(from: 0, to: digits.count, by: 2).compactMap { place in
          UInt8(digits.dropFirst(place).prefix(2), radix: 16)
        }
        hex = nil
      case (_, let digits?): hex = digits + String(character)
      case ("~", nil): bytes.append(0)
      default: bytes += Array(String(character).utf8)
      }
    }
    return bytes
  }

  /// A text with one to four zeros behind it.
  private static func padded(_ text: String) -> String {
    text + String(repeating: "~", count: 4 - text.utf8.count % 4)
  }

  private static func ask(node path: String) -> [UInt8] {
    bytes(padded("/node") + ",s~~" + padded(path))
  }

  /// Sends a packet, and expects these bytes as the next ones.
  private static func expect(_ answer: String, to packet: String, _ app: RawSocket) {
    app.write(bytes(packet))
    let read = app.read() ?? []
    #expect(read == bytes(answer), "\(packet): \(String(decoding: read, as: UTF8.self))")
  }

  @Test(.jackServer(frames: 256, channels: 4))
  func `XA-1, XA-30, XA-33 an app starts up, drives the mixer, and is told of changes`()
    async throws
  {
    let rig = try await Self.mixer()
    let name = Self.padded(rig.host.name)
    let app = try RawSocket(port: rig.port, isUDP: true)
    let address = Self.padded("127.0.0.1")
    Self.expect("/xinfo~~,ssss~~~\(address)\(name)XR18~~~~1.18~~~~", to: "/xinfo~~,~~~", app)
    Self.expect("/xinfo~~,ssss~~~\(address)\(name)XR18~~~~1.18~~~~", to: "/xinfo~~", app)
    Self.expect("/info~~~,ssss~~~V0.04~~~\(name)XR18~~~~1.18~~~~", to: "/info~~~", app)
    Self.expect("/status~,sss~~~~active~~\(address)\(name)", to: "/status~", app)
    try loads(rig, app)
    // The strips are sorted: the deck goes to the main mix, the toy to the phones.
    Self.expect("/ch/01/mix/fader~~~~,f~~{3f400000}", to: "/ch/01/mix/fader~~~~", app)
    Self.expect("/ch/02/mix/on~~~,i~~{00000001}", to: "/ch/02/mix/on~~~,~~~", app)
    app.write(Self.bytes("/ch/02/mix/fader~~~~,f~~{3f000000}"))
    Self.expect("/ch/02/mix/fader~~~~,f~~{3f000000}", to: "/ch/02/mix/fader~~~~", app)
    try await waitUntil("the fader is set") {
      try await rig.value("/strip/toy/gain") == .number(-10)
    }
    app.write(Self.bytes("/~~~,s~~" + Self.padded("ch/02/mix OFF -20.0")))
    try await waitUntil("the text is set") {
      try await rig.value("/strip/toy/mute") == .flag(true)
    }
    Self.expect("/ch/02/mix/on~~~,i~~{00000000}", to: "/ch/02/mix/on~~~", app)
    // Nothing is answered for what the mixer lacks, and the next question is.
    app.write(Self.ask(node: "ch/17/mix"))
    app.write(Self.bytes("/nothing~~~~"))
    Self.expect("/lr/mix/on~~,i~~{00000001}", to: "/lr/mix/on~~", app)
    // Others' changes come; its own do not, as it has asked.
    app.write(Self.bytes("/xremotenfb~"))
    Self.expect("/bus/1/mix/on~~~,i~~{00000001}", to: "/bus/1/mix/on~~~", app)
    try await rig.set("/route/phones/mute", .flag(true))
    #expect(app.read() == Self.bytes("/bus/1/mix/on~~~,i~~{00000000}"))
    app.write(Self.bytes("/bus/1/mix/on~~~,i~~{00000001}"))
    try await waitUntil("the bus is set") {
      try await rig.value("/route/phones/mute") == .flag(false)
    }
    #expect(app.read(withinMilliseconds: 300) == nil)
    #expect(try await rig.host.stop() == .code(0))
  }

  /// Loads all nodes, as X AIR Edit does: each is answered once, in order, with as many values as a scene has.
  private func loads(_ rig: SurfaceRig, _ app: RawSocket) throws {
    let texts: [(path: String, text: String)] = [
      ("-prefs/name", "\"\(rig.host.name)\""), ("-snap/01", "\"\""),
      ("config/chlink", "OFF OFF OFF OFF OFF OFF OFF OFF"), ("ch/01/config", "\"deck\" 0 In01 U01"),
      ("ch/01/mix", "ON   0.0 ON +0"), ("ch/02/mix", "ON   0.0 OFF +0"),
      ("ch/02/mix/01", "  0.0 OFF POST +0"), ("ch/03/mix", "OFF   -oo OFF +0"),
      ("bus/1/config", "\"phones\" 3"), ("bus/1/mix", "ON   0.0 OFF +0"),
      ("lr/config", "\"main\" 6"), ("lr/mix", "ON   0.0 +0"), ("dca/1", "ON   0.0"),
    ]
    for (path, text) in texts {
      app.write(Self.ask(node: path))
      let answer = "node~~~~,s~~" + Self.padded("/\(path) \(text)\n")
      let read = app.read() ?? []
      #expect(read == Self.bytes(answer), "\(String(decoding: read, as: UTF8.self))")
    }
    let strips = (1...16).map { $0 < 10 ? "ch/0\($0)" : "ch/\($0)" }
    let channel = strips.flatMap { strip in
      [
        "config", "preamp", "gate", "gate/filter", "dyn", "dyn/filter", "insert", "eq", "mix",
        "grp",
      ]
      .map { "\(strip)/\($0)" } + (1...4).map { "\(strip)/eq/\($0)" }
        + (1...9).map { "\(strip)/mix/0\($0)" } + ["\(strip)/mix/10", "\(strip)/automix"]
    }
    let busses = (1...6).flatMap { bus in
      ["config", "dyn", "dyn/filter", "insert", "eq", "geq", "mix", "grp"].map {
        "bus/\(bus)/\($0)"
      }
        + (1...6).map { "bus/\(bus)/eq/\($0)" }
    }
    let others = (1...4).flatMap {
      ["fx/\($0)", "fx/\($0)/par", "fxsend/\($0)/mix", "rtn/\($0)/mix"]
    }
    for path in channel + busses + others {
      app.write(Self.ask(node: path))
      let read = app.read() ?? []
      #expect(read.starts(with: Self.bytes("node~~~~,s~~/\(path) ")), "\(path)")
      #expect(read.contains(UInt8(ascii: "\n")) && read.count <= 1_472)
    }
  }

  @Test(.jackServer(frames: 256, channels: 4))
  func `XA-20 meters come in their interval until they are ended`() async throws {
    let rig = try await Self.mixer()
    let app = try RawSocket(port: rig.port, isUDP: true)
    app.write(
      Self.bytes(
        "/batchsubscribe~,ssiii~~meters/1~~~~/meters/1~~~{00000000}{00000000}{00000002}"
      )
    )
    let begin = ContinuousClock.now
    var isHeard = false
    for _ in 0..<20 {
      let read = app.read() ?? []
      #expect(read.count == 104)
      #expect(read.starts(with: Self.bytes("meters/1~~~~,b~~{00000054}{28000000}")))
      // The deck plays: its level is above -60 dB.
      if read.count == 104 { isHeard = isHeard || Int8(bitPattern: read[25]) > -60 }
    }
    #expect(isHeard)
    #expect(ContinuousClock.now - begin > .seconds(1.5))
    app.write(Self.bytes("/unsubscribe~~~~,s~~/meters/1~~~"))
    Self.drain(app)
    #expect(app.read(withinMilliseconds: 500) == nil)
    app.write(
      Self.bytes(
        "/formatsubscribe~~~~,ssiii~~/testme~/ch/**/mix/on~~~{00000001}{00000004}{00000002}"
      )
    )
    for _ in 0..<3 {
      let blob = "{00000014}{14000000}{01000000}{01000000}{00000000}{00000000}"
      #expect(app.read() == Self.bytes("/testme~,b~~" + blob))
    }
    #expect(try await rig.host.stop() == .code(0))
  }

  private static func drain(_ app: RawSocket) {
    while app.read(withinMilliseconds: 150) != nil {}
  }

  @Test(.jackServer(frames: 256, channels: 4))
  func `5,000 mutated packets leave the audio and the mixer alone`() async throws {
    let rig = try await Self.mixer()
    let app = try RawSocket(port: rig.port, isUDP: true)
    var random = SeededRandom(seed: UInt64.random(in: 0...UInt64.max))
    // One wrong byte must not make them settings of the deck.
    let seeds = [
      Self.ask(node: "ch/02/mix"), Self.bytes("/~~~,s~~" + Self.padded("bus/1/mix ON -10.0")),
      Self.bytes("/bus/1/mix/fader~~~~,f~~{3f000000}"), Self.bytes("/renew~~,~~~"),
      Self.bytes("/subscribe~~,si~/ch/02/mix/on~~~{00000002}"),
      Self.bytes("/batchsubscribe~,ssiii~~m~~~/meters/0~~~{00000000}{00000000}{00000000}"),
      Self.bytes("/formatsubscribe~~~~,ssiii~~/t~~/ch/**/mix/on~~~{00000001}{00000004}{00000002}"),
    ]
    try await rig.hearingDeck(seconds: 6) {
      for number in 0..<5_000 {
        var bytes = seeds[number % seeds.count]
        for _ in 0..<Int.random(in: 0...3, using: &random) {
          bytes[Int.random(in: 0..<bytes.count, using: &random)] =
            UInt8.random(in: 0...255, using: &random)
        }
        app.write(bytes)
        // About 5,000 packets in a second.
        if number.isMultiple(of: 50) { try await Task.sleep(for: .milliseconds(10)) }
      }
    }
    let other = try RawSocket(port: rig.port, isUDP: true)
    Self.expect("/lr/mix/pan~,f~~{3f000000}", to: "/lr/mix/pan~", other)
    #expect(try await rig.host.stop() == .code(0))
  }
}
