// SPDX-License-Identifier: MIT

import ControlProtocol
import OSC
import TestSupport
import Testing

@testable import EndToEndSupport

/// An app as documented messages describe it, over UDP, against a whole host.
@Suite(.serialized, .timeLimit(.minutes(3)))
struct XAirDialogueTests {
  @Test(.jackServer(frames: 256, channels: 4))
  func `XA-1, XA-30, XA-33 an app starts up, drives the mixer, and is told of changes`()
    async throws
  {
    let rig = try await XAirApp.mixer()
    let name = XAirApp.padded(rig.host.name)
    let app = try RawSocket(port: rig.port, isUDP: true)
    let address = XAirApp.padded("127.0.0.1")
    await XAirApp.expect(
      "/xinfo~~,ssss~~~\(address)\(name)XR18~~~~1.18~~~~",
      to: "/xinfo~~,~~~",
      app
    )
    await XAirApp.expect("/xinfo~~,ssss~~~\(address)\(name)XR18~~~~1.18~~~~", to: "/xinfo~~", app)
    await XAirApp.expect("/info~~~,ssss~~~V0.04~~~\(name)XR18~~~~1.18~~~~", to: "/info~~~", app)
    await XAirApp.expect("/status~,sss~~~~active~~\(address)\(name)", to: "/status~", app)
    try await loads(rig, app)
    // The strips are sorted: the deck goes to the main mix, the toy to the phones.
    await XAirApp.expect("/ch/01/mix/fader~~~~,f~~{3f400000}", to: "/ch/01/mix/fader~~~~", app)
    await XAirApp.expect("/ch/02/mix/on~~~,i~~{00000001}", to: "/ch/02/mix/on~~~,~~~", app)
    await app.write(XAirApp.bytes("/ch/02/mix/fader~~~~,f~~{3f000000}"))
    await XAirApp.expect("/ch/02/mix/fader~~~~,f~~{3f000000}", to: "/ch/02/mix/fader~~~~", app)
    try await waitUntil("the fader is set") {
      try await rig.value("/strip/toy/gain") == .number(-10)
    }
    await app.write(XAirApp.bytes("/~~~,s~~" + XAirApp.padded("ch/02/mix OFF -20.0")))
    try await waitUntil("the text is set") {
      try await rig.value("/strip/toy/mute") == .flag(true)
    }
    await XAirApp.expect("/ch/02/mix/on~~~,i~~{00000000}", to: "/ch/02/mix/on~~~", app)
    // Nothing is answered for what the mixer lacks, and the next question is.
    await app.write(XAirApp.ask(node: "ch/17/mix"))
    await app.write(XAirApp.bytes("/nothing~~~~"))
    await XAirApp.expect("/lr/mix/on~~,i~~{00000001}", to: "/lr/mix/on~~", app)
    // Others' changes come; its own do not, as it has asked.
    await app.write(XAirApp.bytes("/xremotenfb~"))
    await XAirApp.expect("/bus/1/mix/on~~~,i~~{00000001}", to: "/bus/1/mix/on~~~", app)
    try await rig.set("/route/phones/mute", .flag(true))
    #expect(await app.read() == XAirApp.bytes("/bus/1/mix/on~~~,i~~{00000000}"))
    await app.write(XAirApp.bytes("/bus/1/mix/on~~~,i~~{00000001}"))
    try await waitUntil("the bus is set") {
      try await rig.value("/route/phones/mute") == .flag(false)
    }
    #expect(await app.read(withinMilliseconds: 300) == nil)
    #expect(try await rig.host.stop() == .code(0))
  }

  /// Loads all nodes, as X AIR Edit does: each is answered once, in order, with as many values as a scene has.
  private func loads(_ rig: SurfaceRig, _ app: RawSocket) async throws {
    let texts: [(path: String, text: String)] = [
      ("-prefs/name", "\"\(rig.host.name)\""), ("-snap/01", "\"\""),
      ("config/chlink", "OFF OFF OFF OFF OFF OFF OFF OFF"), ("ch/01/config", "\"deck\" 0 In01 U01"),
      ("ch/01/mix", "ON   0.0 ON +0"), ("ch/02/mix", "ON   0.0 OFF +0"),
      ("ch/02/mix/01", "  0.0 OFF POST +0"), ("ch/03/mix", "OFF   -oo OFF +0"),
      ("bus/1/config", "\"phones\" 3"), ("bus/1/mix", "ON   0.0 OFF +0"),
      ("lr/config", "\"main\" 6"), ("lr/mix", "ON   0.0 +0"), ("dca/1", "ON   0.0"),
    ]
    for (path, text) in texts {
      await app.write(XAirApp.ask(node: path))
      let answer = "node~~~~,s~~" + XAirApp.padded("/\(path) \(text)\n")
      let read = await app.read() ?? []
      #expect(read == XAirApp.bytes(answer), "\(String(decoding: read, as: UTF8.self))")
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
      await app.write(XAirApp.ask(node: path))
      let read = await app.read() ?? []
      #expect(read.starts(with: XAirApp.bytes("node~~~~,s~~/\(path) ")), "\(path)")
      #expect(read.contains(UInt8(ascii: "\n")) && read.count <= 1_472)
    }
  }
}
