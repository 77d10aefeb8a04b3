// SPDX-License-Identifier: MIT

import ControlProtocol
import GraphFiles
import Testing

@testable import Surfaces

@Suite("Controllers as a surface", .timeLimit(.minutes(1)))
struct ControllerSurfaceTests {
  private let tree = ScriptedTree([
    ParameterDescription(
      path: "/strip/a/gain",
      type: .number,
      minimum: -.infinity,
      maximum: 24,
      unit: "dB",
      taper: .fader,
      access: .readWrite,
      description: "fader",
      value: .number(0),
    ),
    ParameterDescription(
      path: "/strip/a/pan",
      type: .number,
      minimum: -1,
      maximum: 1,
      access: .readWrite,
      description: "pan",
      value: .number(0),
    ),
    ParameterDescription(
      path: "/crossfader/position",
      type: .number,
      minimum: -1,
      maximum: 1,
      access: .readWrite,
      description: "crossfader",
      value: .number(-1),
    ),
    ParameterDescription(
      path: "/strip/a/cue",
      type: .flag,
      access: .readWrite,
      description: "cue",
      value: .flag(false),
    ),
    ParameterDescription(
      path: "/scene/current",
      type: .text,
      access: .readWrite,
      description: "scene",
      value: .text(""),
    ),
  ])

  /// Runs a surface with these mappings and a plugged controller.
  private func run(
    _ mappings: [ControlMapping],
    _ body: (ScriptedController, ControllerSurface) async throws -> Void,
  ) async throws {
    var controller = GraphFile.Controller(name: "box", device: .name("Box"))
    controller.mappings = mappings
    let surface = ControllerSurface(tree: tree, controllers: [controller])
    let running = Task { try await surface.run() }
    let port = ScriptedController()
    let serving = Task { await surface.serve(port) }
    try await body(port, surface)
    port.unplug()
    await serving.value
    await tree.close()
    try await running.value
  }

  private func mapping(_ control: String, _ path: String) throws -> ControlMapping {
    ControlMapping(try MIDIControl(control), .parameter(path))
  }

  /// Waits until something holds.
  private func wait(_ holds: () async -> Bool, line: Int = #line) async throws {
    for _ in 0..<400 {
      if await holds() { return }
      try await Task.sleep(for: .milliseconds(5))
    }
    Issue.record("it never came, line \(line)")
  }

  /// Lets pass the time in which the surface would start, or do what it must not do.
  private func settle() async throws {
    // Several of the surface's rounds of 10 ms.
    try await Task.sleep(for: .milliseconds(60))
  }

  /// The values that the surface has set last.
  private func value(_ path: String) -> ParameterValue? {
    tree.settings.last { $0.path == path }?.value
  }

  @Test("a fader has the travel of a mixer's fader, a knob that of its range")
  func faders() async throws {
    var fader = try mapping("cc 1/7", "/strip/a/gain")
    fader.takeover = .jump
    var knob = try mapping("cc14 1/10", "/strip/a/pan")
    (knob.takeover, knob.from, knob.to) = (.jump, 1, -1)
    try await run([fader, knob]) { port, _ in
      try await settle()
      port.move([0xB0, 7, 127])
      try await wait { value("/strip/a/gain") == .number(10) }
      port.move([0xB0, 7, 0])
      try await wait { value("/strip/a/gain") == .number(-.infinity) }
      port.move([0xB0, 10, 127])
      port.move([0xB0, 42, 127])
      try await wait { value("/strip/a/pan") == .number(-1) }
      // A fader without a motor is sent nothing.
      #expect(port.sent.isEmpty)
    }
  }

  @Test("a button toggles a switch and its LED follows, also what others do")
  func buttons() async throws {
    try await run([try mapping("note 1/11", "/strip/a/cue")]) { port, _ in
      try await wait { port.sent == [[0x90, 11, 0]] }
      port.move([0x90, 11, 127])
      port.move([0x90, 11, 0])
      try await wait { value("/strip/a/cue") == .flag(true) }
      try await wait { port.sent.last == [0x90, 11, 127] }
      tree.change("/strip/a/cue", to: .flag(false))
      try await wait { port.sent.last == [0x90, 11, 0] }
      port.move([0x90, 11, 127])
      try await wait { value("/strip/a/cue") == .flag(true) && tree.settings.count == 2 }
    }
  }

  @Test("a momentary button is on while it is held, one of mode none gives its velocity")
  func modes() async throws {
    var momentary = try mapping("cc 1/64", "/strip/a/cue")
    momentary.mode = .momentary
    var pad = try mapping("note 1/12", "/strip/a/pan")
    (pad.mode, pad.takeover) = (.none, .jump)
    try await run([momentary, pad]) { port, _ in
      try await settle()
      port.move([0xB0, 64, 127])
      try await wait { value("/strip/a/cue") == .flag(true) }
      port.move([0xB0, 64, 0])
      try await wait { value("/strip/a/cue") == .flag(false) }
      port.move([0x90, 12, 127])
      try await wait { value("/strip/a/pan") == .number(1) }
    }
  }

  @Test("an encoder moves a value by steps, a program change recalls a scene")
  func encodersAndScenes() async throws {
    var encoder = try mapping("relative 1/20 twos-complement", "/strip/a/pan")
    encoder.steps = 20
    let scene = ControlMapping(try MIDIControl("program 1/3"), .scene("intro"))
    try await run([encoder, scene]) { port, _ in
      try await settle()
      port.move([0xB0, 20, 1])
      port.move([0xB0, 20, 2])
      try await wait {
        value("/strip/a/pan") == .number(0.3)
          || value("/strip/a/pan") == .number(0.30000000000000004)
      }
      port.move([0xB0, 20, 126])
      try await wait {
        if case .number(let pan)? = value("/strip/a/pan") { abs(pan - 0.1) < 1e-9 } else { false }
      }
      port.move([0xC0, 3])
      try await wait { value("/scene/current") == .text("intro") }
    }
  }

  @Test("MID-30 a touched motor fader is sent nothing, and its position once it is released")
  func touch() async throws {
    var fader = try mapping("bend 1", "/strip/a/pan")
    (fader.takeover, fader.touch) = (.jump, try MIDIControl("note 1/104"))
    fader.feedback = .init(fader.control)
    try await run([fader]) { port, _ in
      try await wait { port.sent == [[0xE0, 0, 0x40]] }
      port.forget()
      port.move([0x90, 104, 127])
      port.move([0xE0, 0x7F, 0x7F])
      try await wait { value("/strip/a/pan") == .number(1) }
      for step in 0..<20 {
        tree.change("/strip/a/pan", to: .number(Double(step) / 20))
        await Task.yield()
      }
      tree.change("/strip/a/pan", to: .number(-1))
      try await settle()
      #expect(port.sent.isEmpty)
      port.move([0x90, 104, 0])
      try await wait { port.sent == [[0xE0, 0, 0]] }
    }
  }

  @Test("MID-30 a burst of changes is folded: at most one message in 10 ms for a LED")
  func folding() async throws {
    var ring = try mapping("relative 1/20 twos-complement", "/strip/a/pan")
    ring.feedback = .init(try MIDIControl("cc 1/48"))
    try await run([ring]) { port, _ in
      try await wait { port.sent.count == 1 }
      let start = ContinuousClock.now
      for step in 0...1_000 { tree.change("/strip/a/pan", to: .number(Double(step) / 1_000)) }
      try await wait { port.sent.last == [0xB0, 48, 127] }
      let elapsed = ContinuousClock.now - start
      #expect(port.sent.count <= 3 + Int(elapsed / .milliseconds(10)))
    }
  }

  @Test("a refused move makes the motor return to the value that stands")
  func refused() async throws {
    var fader = try mapping("cc 1/7", "/strip/a/pan")
    fader.takeover = .jump
    fader.feedback = .init(fader.control)
    try await run([fader]) { port, _ in
      try await wait { port.sent == [[0xB0, 7, 64]] }
      tree.refuse("/strip/a/pan")
      port.move([0xB0, 7, 127])
      try await wait { port.sent == [[0xB0, 7, 64], [0xB0, 7, 64]] }
      #expect(value("/strip/a/pan") == nil)
    }
  }

  @Test("after plugging in again all LEDs are shown again, and faders must pick up again")
  func replug() async throws {
    let fader = try mapping("cc 1/7", "/strip/a/pan")
    try await run([fader, try mapping("note 1/11", "/strip/a/cue")]) { port, surface in
      try await wait { port.sent == [[0x90, 11, 0]] }
      port.move([0xB0, 7, 64])
      try await wait { value("/strip/a/pan") != nil }
      tree.change("/strip/a/cue", to: .flag(true))
      try await wait { port.sent.last == [0x90, 11, 127] }
      port.unplug()
      let again = ScriptedController()
      let serving = Task { await surface.serve(again) }
      try await wait { again.sent == [[0x90, 11, 127]] }
      again.move([0xB0, 7, 127])
      again.move([0x90, 11, 127])
      try await wait { value("/strip/a/cue") == .flag(false) }
      #expect(tree.settings.filter { $0.path == "/strip/a/pan" }.count == 1)
      again.unplug()
      await serving.value
    }
  }

  @Test("the audio thread moves the crossfader once the fader has it, and not when others move it")
  func direct() async throws {
    try await run([try mapping("cc 1/31", "/crossfader/position")]) { port, _ in
      try await settle()
      #expect(port.armed.isEmpty)
      port.move([0xB0, 31, 0])
      try await wait { port.armed == [DirectControl(kind: .controlChange(31), channel: 0)] }
      let count = tree.settings.count
      port.move([0xB0, 31, 127], crossfaderPosition: 1)
      try await settle()
      #expect(tree.settings.count == count)
      #expect(port.armed.count == 1)
      tree.change("/crossfader/position", to: .number(0))
      try await wait { port.armed.count == 2 && port.armed.last == .some(nil) }
    }
  }

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

  @Test("learning that is given up ends at once, and only that of the parameter")
  func stopLearning() async throws {
    try await run([]) { port, surface in
      try await settle()
      async let learned = surface.learn("/strip/a/pan", within: .seconds(600))
      try await settle()
      await surface.stopLearning("/strip/b/pan")
      try await settle()
      await #expect(throws: ControlError.self) {
        try await surface.learn("/strip/a/pan", within: .seconds(1))
      }
      await surface.stopLearning("/strip/a/pan")
      do {
        _ = try await learned
        Issue.record("something was learned")
      } catch {
        #expect((error as? ControlError)?.message == "learn: given up")
      }
      for value in 30..<40 { port.move([0xB2, 7, UInt8(value)]) }
      try await settle()
      #expect(await surface.learned == [:])
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
}
