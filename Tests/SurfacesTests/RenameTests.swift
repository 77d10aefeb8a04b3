// SPDX-License-Identifier: MIT

import ControlProtocol
import GraphFiles
import OSC
import TestSupport
import Testing

@testable import Surfaces

/// A strip or route with another name, on each surface: whoever has it in hand keeps it.
@Suite(.timeLimit(.minutes(1)))
struct RenameTests: ControllerBench {
  let tree = ScriptedTree.controlled

  // MARK: - Paths

  @Test func `steps are taken one after the other, on whole names only`() {
    let steps = [
      ParameterRename(from: "/strip/a", to: "/strip/b"),
      ParameterRename(from: "/strip/b/send/main", to: "/strip/b/send/out"),
    ]
    #expect(steps.path(after: "/strip/a/send/main/gain") == "/strip/b/send/out/gain")
    #expect(steps.path(after: "/strip/a") == "/strip/b")
    #expect(steps.path(after: "/strip/ab/gain") == "/strip/ab/gain")
    #expect(steps.path(after: "/strip") == "/strip")
    let values = ["/strip/a/gain": 1, "/strip/b/gain": 2, "/strip/c/gain": 3]
    #expect(steps.values(after: values) == ["/strip/b/gain": 1, "/strip/c/gain": 3])
  }

  // MARK: - MIDI

  @Test func `a fader that has picked its strip up keeps it under another name`() async throws {
    var fader = try mapping("cc 1/7", "/strip/a/gain")
    fader.takeover = .pickup
    try await run([fader]) { port, surface in
      try await settle()
      // Past 0 dB, which is at 95.5 of 127.
      for position: UInt8 in [90, 96, 100] { port.move([0xB0, 7, position]) }
      let present = FaderTaper.gainDB(atPosition: MIDIShare.of7Bits(100))
      try await wait { value("/strip/a/gain") == .number(present) }
      tree.rename("/strip/a", to: "/strip/player")
      try await wait { await surface.values["/strip/player/gain"] != nil }
      // A jump of the fader, which only one that is in charge can make.
      port.move([0xB0, 7, 20])
      try await wait { value("/strip/player/gain") != nil }
      #expect(await surface.values["/strip/a/gain"] == nil)
      #expect(await surface.reports["box"]?.missing == [])
    }
  }

  @Test func `a move that meets the old name is made under the new one`() async throws {
    var fader = try mapping("cc 1/7", "/strip/a/gain")
    fader.takeover = .jump
    try await run([fader]) { port, _ in
      try await settle()
      // The tree has the new name, and the news of it is on its way.
      let news = tree.renameSilently("/strip/a", to: "/strip/player")
      port.move([0xB0, 7, 0])
      try await settle()
      #expect(tree.settings.isEmpty)
      news()
      try await wait { value("/strip/player/gain") == .number(-.infinity) }
    }
  }

  @Test func `a learned control is told under the new name`() async throws {
    var controller = GraphFile.Controller(name: "box", device: .name("Box"))
    controller.mappings = [try mapping("cc 1/7", "/strip/a/gain")]
    let surface = ControllerSurface(
      tree: tree,
      controllers: [controller],
      learned: ["box": [try mapping("cc 1/8", "/strip/a/pan")]],
    )
    let running = Task { try await surface.run() }
    try await wait { await !surface.values.isEmpty }
    tree.rename("/strip/a", to: "/strip/b")
    try await wait { await surface.learned["box"]?.first?.parameterPath == "/strip/b/pan" }
    await tree.close()
    try await running.value
  }

  // MARK: - OSC

  @Test func `a subscription goes on at the new address, and is sent the values there`()
    async throws
  {
    try await OSCBench.with { bench in
      bench.receive("/subscribe", .text("/strip/deck-a/fader"))
      bench.receive("/subscribe", .text("/strip/deck-?/mute"))
      try await bench.settle()
      bench.tree.rename("/strip/deck-a", to: "/strip/player")
      try await bench.wait("the value at the new address") {
        $0.sent().last == OSCMessage("/strip/player/fader", [.float(0.75)])
      }
      bench.tree.change("/strip/player/gain", to: .number(-10))
      try await bench.wait("the change") {
        $0.sent().last == OSCMessage("/strip/player/fader", [.float(0.5)])
      }
      // The pattern does not fit the new name, and goes on with the others.
      bench.tree.change("/strip/player/mute", to: .flag(true))
      bench.tree.change("/strip/deck-b/mute", to: .flag(true))
      try await bench.wait("the other deck") {
        $0.sent().last == OSCMessage("/strip/deck-b/mute", [.integer(1)])
      }
      #expect(!bench.sent().contains { $0.path == "/strip/player/mute" })
    }
  }

  // MARK: - OSCQuery

  @Test func `OQ-6 a new name is told by PATH_RENAMED, and a listener goes on there`() async throws
  {
    try await OSCQuerySurfaceTests.with { tree, port in
      let peer = try await WebPeer.webSocket(port: port)
      await peer.send("LISTEN", OSCQuerySurfaceTests.gain)
      await peer.write(OSCQuerySurfaceTests.frame("/strip/my%20deck/mute", []))
      #expect(await peer.message()?.opcode == 2)
      tree.rename("/strip/my%20deck", to: "/strip/player")
      let told = await peer.message().map { String(decoding: $0.payload, as: UTF8.self) }
      #expect(
        told
          == #"{"COMMAND":"PATH_RENAMED","DATA":{"NEW":"/strip/player","OLD":"/strip/my%20deck"}}"#
      )
      // Nothing is told as gone or come, and the listener has its parameter.
      tree.change("/strip/player/gain", to: .number(-7))
      #expect(
        try OSCQuerySurfaceTests.read(await peer.message())
          == OSCMessage("/strip/player/gain", [.float(-7)])
      )
      #expect(
        try await WebPeer.get("/strip/player/gain?VALUE", port: port).body == #"{"VALUE":[-7]}"#
      )
      #expect(try await WebPeer.get(OSCQuerySurfaceTests.gain, port: port).status == 404)
    }
  }

  // MARK: - X-Air

  @Test func `XA-34 a channel and a bus keep their places under other names`() throws {
    var dialect = XAirTests.dialect
    let steps = [
      ParameterRename(from: "/route/main", to: "/route/zz"),
      ParameterRename(from: "/strip/deck%20a", to: "/strip/zz"),
      ParameterRename(from: "/strip/zz/send/main", to: "/strip/zz/send/zz"),
      ParameterRename(from: "/strip/mic/send/main", to: "/strip/mic/send/zz"),
    ]
    let renamed = XAirTests.parameters.map { parameter in
      var parameter = parameter
      parameter.path = steps.path(after: parameter.path)
      return parameter
    }
    #expect(
      dialect.rename(steps, renamed) == [
        OSCMessage("/ch/01/config/name", [.text("zz")]),
        OSCMessage("/lr/config/name", [.text("zz")]),
      ]
    )
    #expect(dialect.layout.targets["/ch/01/mix/fader"]?.parameter == "/strip/zz/gain")
    #expect(dialect.layout.targets["/ch/02/mix/lr"]?.parameter == "/strip/mic/send/zz/mute")
    #expect(dialect.layout.targets["/lr/mix/fader"]?.parameter == "/route/zz/gain")
    #expect(dialect.layout.targets["/bus/1/mix/fader"]?.parameter == "/route/phones/gain")
    // A second new name counts for the first one's place, too.
    let again = [ParameterRename(from: "/strip/zz", to: "/strip/xx")]
    let once = renamed.map { parameter in
      var parameter = parameter
      parameter.path = again.path(after: parameter.path)
      return parameter
    }
    _ = dialect.rename(again, once)
    #expect(dialect.layout.targets["/ch/01/mix/fader"]?.parameter == "/strip/xx/gain")
  }

  // MARK: - Mackie Control

  @Test func `MCU-60 a strip keeps its place and its selection under another name`() {
    var control = MackieControl(
      units: [MackieUnit()],
      order: MackieOrder(strips: ["b", "a"], routes: ["main"]),
    )
    let values = ["a", "b", "c"].map {
      ParameterSetting(path: "/strip/\($0)/gain", value: .number(0))
    }
    _ = control.react(to: .changed(ParameterChanges(changes: values, removed: [])), at: .zero)
    control.selected = "b"
    let steps = [ParameterRename(from: "/strip/b", to: "/strip/z")]
    _ = control.react(
      to: .changed(ParameterChanges(renamed: steps, changes: [], removed: [])),
      at: .zero,
    )
    #expect(control.mixer.strips.map(\.id) == ["z", "a", "c"])
    #expect(control.selected == "z")
    #expect(control.mixer.number("/strip/z/gain") == 0)
  }
}
