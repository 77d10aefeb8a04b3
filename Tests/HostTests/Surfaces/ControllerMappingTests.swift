// SPDX-License-Identifier: MIT

import ControlProtocol
import FoundationEssentials
import GraphFiles
import Logging
import Surfaces
import TestSupport
import Testing

@testable import Host

/// Mapped MIDI controllers on a real server, from the graph to the sound's parameters and back to the lights.
@Suite(.serialized, .timeLimit(.minutes(2)))
struct ControllerMappingTests {
  private static func graph(_ name: String, server: String) -> String {
    """
    multiroute: 1
    name: \(name)
    server: {name: \(server), start: never}
    routes: {main: {type: lineOut, ports: ["system:playback_1"]}}
    sources: {beep: {tone: {}}}
    mix: [{from: beep, to: main}]
    controls:
      cue: {to: main}
      midi:
        box:
          device: Fader Box
          map:
            - {control: cc 1/7, parameter: /strip/beep/gain, takeover: jump}
            - {control: note 1/11, parameter: /strip/beep/cue}

    """
  }

  @Test(.jackServer(frames: 256))
  func `a controller of the graph sets and shows parameters, is learned, and is back after a plug`()
    async throws
  {
    let server = try testServer().name
    let name = "map-\(UUID().uuidString.prefix(8))"
    let directory = "/tmp/multiroute-\(name)"
    var configuration = HostConfiguration(
      graph: try GraphFile.parse(Self.graph(name, server: server), path: "map.yaml")
    )
    configuration.stateDirectory = directory
    configuration.socketDirectory = directory
    let host = Host(
      configuration: configuration,
      logger: Logger(label: "map") { _ in SwiftLogNoOpLogHandler() },
    )
    try await host.start()
    defer { try? FileManager.default.removeItem(atPath: directory) }
    func value(_ path: String) async throws -> ParameterValue? {
      try await host.run { rooms throws(ControlError) in
        try rooms.parameters.get(GetParameters.Params(paths: [path])).values[0].value
      }
    }

    let device = try MIDIDevice(
      [
        TimedMIDI(0, [0xB0, 7, 127]), TimedMIDI(600, [0x90, 11, 127]),
        TimedMIDI(700, [0x90, 11, 0]),
      ],
      name: "Fader Box",
      server: server,
    )
    try await waitUntil("the light is off") { device.received.last?.bytes == [0x90, 11, 0] }
    device.start()
    try await waitUntil("the fader is at the top") {
      try await value("/strip/beep/gain") == .number(10)
    }
    try await waitUntil("the strip is cued") { try await value("/strip/beep/cue") == .flag(true) }
    try await waitUntil("the light is on") { device.received.last?.bytes == [0x90, 11, 127] }
    let status = try #require(await host.controllerList().controllers.first)
    #expect(status.device?.hasPrefix("Fader Box") == true)
    #expect(status.mappings == 2 && status.missing == [])
    #expect(status.lastControl == "note 1/11" && status.lastValue == 0)
    device.close()

    let moves = (0..<40).map { TimedMIDI(9_600 + $0 * 480, [0xB3, 20, UInt8($0 * 3)]) }
    let again = try MIDIDevice(moves, name: "Fader Box", server: server)
    try await waitUntil("the light is on again") { again.received.last?.bytes == [0x90, 11, 127] }
    let surface = try #require(await host.run { $0.learning.surface })
    async let learning = surface.learn("/strip/beep/pan", within: .seconds(20))
    again.start()
    let learned = try await learning
    #expect(learned.mapping.line == "- {control: cc 4/20, parameter: /strip/beep/pan}")
    let kept = await surface.learned
    try await host.run { rooms throws(ControlError) in try await rooms.learning.keep(kept) }
    again.close()
    await host.stop(fadeSeconds: 0)
    let file = try String(contentsOfFile: "\(directory)/controllers.json", encoding: .utf8)
    #expect(file.contains("cc 4/20"))
  }
}
