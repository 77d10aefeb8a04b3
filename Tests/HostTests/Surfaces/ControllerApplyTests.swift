// SPDX-License-Identifier: MIT

import ControlProtocol
import JACK
import Surfaces
import TestSupport
import Testing

@testable import Host

/// MIDI controllers that change, come and go with versions of the graph, on a real server.
@Suite(.serialized, .timeLimit(.minutes(2)))
struct ControllerApplyTests {
  private static func controls(_ controllers: String) -> String {
    ", cue: {to: main}, midi: {\(controllers)}"
  }

  private static let gainAtSeven =
    "box: {device: Fader Box, map: [{control: cc 1/7, parameter: /strip/deck-a/gain, takeover: jump}]}"

  @Test(.jackServer(frames: 256))
  func `a plugged controller goes on with other mappings, and another one comes and goes`()
    async throws
  {
    try await ControllerRig.with(controls: Self.controls(Self.gainAtSeven)) { rig in
      let device = try MIDIDevice(
        [
          TimedMIDI(0, [0xB0, 7, 127]), TimedMIDI(1, [0xB0, 7, 0]),
          TimedMIDI(2, [0xB0, 8, 127]), TimedMIDI(3, [0xB0, 9, 127]),
        ],
        name: "Fader Box",
        server: rig.server,
      )
      let pads = try MIDIDevice(
        [TimedMIDI(0, [0x90, 11, 127])],
        name: "Pad Box",
        server: rig.server
      )
      _ = try await rig.plug(1)
      func wait(_ path: String, _ value: ParameterValue) async throws {
        try await waitUntil("\(path) is \(value)") { try await rig.value(path) == value }
      }
      device.start(upTo: 1)
      try await wait("/strip/deck-a/gain", .number(10))

      // Another mapping, a second one, and a second controller.
      try await rig.apply(
        controls: Self.controls(
          """
          box: {device: Fader Box, map: [
          {control: cc 1/8, parameter: /strip/deck-b/gain, takeover: jump},
          {control: cc 1/9, parameter: /crossfader/position, takeover: jump}]},
          pads: {device: Pad Box, map: [{control: note 1/11, parameter: /strip/deck-a/cue}]}
          """
        )
      )
      let pad = try await rig.plug(2)
      #expect(pad.name == "pads")
      // The first control does nothing any more; the two others do.
      device.start(upTo: 4)
      try await wait("/strip/deck-b/gain", .number(10))
      try await wait("/crossfader/position", .number(1))
      #expect(try await rig.value("/strip/deck-a/gain") == .number(10))
      try await waitUntil("the lamp is off") { pads.received.last?.bytes == [0x90, 11, 0] }
      pads.start()
      try await wait("/strip/deck-a/cue", .flag(true))
      try await waitUntil("the lamp is on") { pads.received.last?.bytes == [0x90, 11, 127] }
      #expect(rig.plugCount == 2)

      // The first controller is gone, with its ports; the pads are where they were.
      try await rig.apply(
        controls: Self.controls(
          "pads: {device: Pad Box, map: [{control: note 1/11, parameter: /strip/deck-a/cue}]}"
        )
      )
      #expect(await rig.reports().map(\.name).prefix(1) == ["pads"])
      try await waitUntil("the ports are gone") {
        try device.connection.ports().allSatisfy { !$0.name.contains("box_midi") }
      }
      #expect(await rig.reports().first?.device?.hasPrefix("Pad Box") == true)
      let received = pads.received.count
      try await rig.set("/strip/deck-a/cue", .flag(false))
      try await waitUntil("the lamp is off") { pads.received.last?.bytes == [0x90, 11, 0] }
      // Each change is one message: no port has repeated its last ones.
      #expect(pads.received.count == received + 1)
      device.close()
      pads.close()
    }
  }

  @Test(.jackServer(frames: 256))
  func
    `another device of a controller is found, and a graph without controllers has no ports for them`()
    async throws
  {
    try await ControllerRig.with(controls: Self.controls(Self.gainAtSeven)) { rig in
      let first = try MIDIDevice(name: "Fader Box", server: rig.server)
      let second = try MIDIDevice(
        [TimedMIDI(0, [0xB0, 7, 127])],
        name: "Other Box",
        server: rig.server,
      )
      _ = try await rig.plug(1)
      try await rig.apply(
        controls: Self.controls(Self.gainAtSeven.replacing("Fader Box", with: "Other Box"))
      )
      _ = try await rig.plug(2)
      #expect(await rig.reports().first?.sources == ["Other Box:MIDI 1 (out)"])
      second.start()
      try await waitUntil("the other device sets the gain") {
        try await rig.value("/strip/deck-a/gain") == .number(10)
      }
      try await rig.apply(controls: "")
      try await waitUntil("no port is for a controller") {
        try first.connection.ports().allSatisfy { !$0.name.contains("_midi_") }
      }
      #expect(await rig.reports().isEmpty)
      try await rig.apply(controls: Self.controls(Self.gainAtSeven))
      _ = try await rig.plug(3)
      #expect(await rig.reports().first?.device?.hasPrefix("Fader Box") == true)
      first.close()
      second.close()
    }
  }
}
