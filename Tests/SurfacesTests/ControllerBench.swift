// SPDX-License-Identifier: MIT

import ControlProtocol
import GraphFiles
import Testing

@testable import Surfaces

extension ScriptedTree {
  /// A strip, a crossfader and a scene.
  static var controlled: ScriptedTree {
    ScriptedTree([
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
  }
}

/// A suite about a surface of controllers, with a tree of its own.
protocol ControllerBench {
  var tree: ScriptedTree { get }
}

extension ControllerBench {
  /// Runs a surface with these mappings and a plugged controller.
  func run(
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

  func mapping(_ control: String, _ path: String) throws -> ControlMapping {
    ControlMapping(try MIDIControl(control), .parameter(path))
  }

  /// Waits until something holds.
  func wait(_ holds: () async -> Bool, line: Int = #line) async throws {
    for _ in 0..<400 {
      if await holds() { return }
      try await Task.sleep(for: .milliseconds(5))
    }
    Issue.record("it never came, line \(line)")
  }

  /// Lets pass the time in which the surface would start, or do what it must not do.
  func settle() async throws {
    // Several of the surface's rounds of 10 ms.
    try await Task.sleep(for: .milliseconds(60))
  }

  /// The values that the surface has set last.
  func value(_ path: String) -> ParameterValue? {
    tree.settings.last { $0.path == path }?.value
  }
}
