// SPDX-License-Identifier: MIT

import ControlProtocol
import GraphFiles
import Testing

@testable import Surfaces

@Suite("Learning of controls", .timeLimit(.minutes(1)))
struct ControllerLearningTests: ControllerBench {
  let tree = ScriptedTree.controlled

  @Test("a learned control works at once, and its line can go into the graph")
  func learn() async throws {
    try await run([]) { port, surface in
      try await settle()
      async let learned = surface.learn("/strip/a/pan", within: .seconds(10))
      try await settle()
      for value in 30..<40 { port.move([0xB2, 7, UInt8(value)]) }
      let found = try await learned
      #expect(found.controller == "box" && found.mapping.control.description == "cc 3/7")
      #expect(found.mapping.line == "- {control: cc 3/7, parameter: /strip/a/pan}")
      for value in 40..<80 { port.move([0xB2, 7, UInt8(value)]) }
      try await wait { value("/strip/a/pan") != nil }
    }
  }

  @Test("learning refuses what no control can set, and gives up in the end")
  func learnRefused() async throws {
    try await run([]) { _, surface in
      await #expect(throws: ControlError.self) {
        try await surface.learn("/scene/current", within: .seconds(1))
      }
      await #expect(throws: ControlError.self) {
        try await surface.learn("/strip/x/gain", within: .seconds(1))
      }
      await #expect(throws: ControlError.self) {
        try await surface.learn("/strip/a/pan", within: .milliseconds(50))
      }
    }
  }

  @Test("a learner that is cancelled gives way to the next one")
  func cancelled() async throws {
    try await run([]) { port, surface in
      try await settle()
      let first = Task { try await surface.learn("/strip/a/pan", within: .seconds(60)) }
      try await settle()
      await #expect(throws: ControlError.self) {
        try await surface.learn("/strip/a/gain", within: .seconds(60))
      }
      first.cancel()
      await #expect(throws: ControlError.self) { try await first.value }
      async let learned = surface.learn("/strip/a/gain", within: .seconds(10))
      try await settle()
      for value in 30..<40 { port.move([0xB0, 7, UInt8(value)]) }
      #expect(try await learned.mapping.target == .parameter("/strip/a/gain"))
    }
  }

  /// The controllers `box` and `spare` of a graph, of which one is not plugged in, and two others.
  private static func units() -> ControllerUnits {
    var units = ControllerUnits(
      ["box", "spare"].map { GraphFile.Controller(name: $0, device: .name("Fader Box")) },
      learned: [:],
    )
    _ = units.plug(ScriptedController("box", device: "Fader Box MIDI 1"))
    for device in ["Box", "Box 2 MIDI 1"] {
      let name = GuestController.name(ofDevice: device)
      _ = units.plug(ScriptedController(name, device: device))
    }
    return units
  }

  @Test(
    "a name in the graph or a whole device's name is that controller, and words are one that has them",
    arguments: [
      ("box", "box"), ("Box", "device Box"), ("BOX", "device Box"), ("fader", "box"),
      ("box 2", "device Box 2 MIDI 1"), ("Box 2 MIDI 1", "device Box 2 MIDI 1"),
    ]
  )
  func named(wanted: String, name: String) throws {
    #expect(try Self.units().plugged(wanted) == name)
  }

  @Test(
    "words that several controllers have are refused with their names, as are those of none",
    arguments: [
      (
        "MIDI 1",
        "'MIDI 1' names 2 controllers; allowed: one of 'Box 2 MIDI 1', 'box' (Fader Box MIDI 1)"
      ),
      ("spare", "controller 'spare' of the graph is not plugged in"),
      ("Organ", "'Organ'; allowed: 'Box 2 MIDI 1', 'Box', 'box' (Fader Box MIDI 1)"),
    ]
  )
  func refused(wanted: String, text: String) {
    let error = #expect(throws: ControlError.self) { try Self.units().plugged(wanted) }
    #expect(error?.message.contains(text) == true, "\(error?.message ?? "")")
  }
}
