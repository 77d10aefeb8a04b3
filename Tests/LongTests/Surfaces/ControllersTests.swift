// SPDX-License-Identifier: MIT

import ControlProtocol
import ControlSocket
import Foundation
import Glibc
import TestSupport
import Testing

@testable import EndToEndSupport

/// MIDI controllers of a running host that come and go.
@Suite(.serialized, .timeLimit(.minutes(3)))
struct ControllersTests {
  @Test(.jackServer(frames: 256))
  func
    `a mapped controller is back with its lights after each of 100 plugs, and a touched fader is sent nothing`()
    async throws
  {
    let rig = try await ControllersRig(
      """
      {box: {device: Fader Box, map: [
              {control: cc 1/7, parameter: /strip/voice/gain, touch: note 1/104, feedback: true},
              {control: note 1/11, parameter: /strip/voice/cue},
              {control: note 1/12, parameter: /strip/music/mute}]}}
      """
    )
    let control = try await rig.host.control()
    func set(_ path: String, _ value: ParameterValue) async throws {
      let setting = ParameterSetting(path: path, value: value)
      _ = try await control.call(SetParameters.self, .init(values: [setting]))
    }
    try await set("/strip/voice/cue", .flag(true))
    var times: [Duration] = []
    for round in 0..<100 {
      // Touched, and then a press whose light shows that the touch was read.
      let device = try rig.device(
        "Fader Box",
        [
          TimedMIDI(0, [0x90, 104, 127]), TimedMIDI(1, [0x90, 12, 127]),
          TimedMIDI(2, [0x90, 12, 0]),
        ],
      )
      let start = ContinuousClock.now
      func isLit(_ note: UInt8, _ isOn: Bool) -> Bool {
        device.received.last { $0.bytes[0] == 0x90 && $0.bytes[1] == note }?.bytes[2]
          == (isOn ? 127 : 0)
      }
      func faderMoves() -> Int { device.received.count { $0.bytes.starts(with: [0xB0, 7]) } }
      try await waitUntil("round \(round): lights and fader are back") {
        isLit(11, true) && isLit(12, !round.isMultiple(of: 2)) && faderMoves() == 1
      }
      times.append(ContinuousClock.now - start)
      device.start()
      try await waitUntil("round \(round): the press is shown") {
        isLit(12, round.isMultiple(of: 2))
      }
      let gainDB = -Double(round % 40) - 1
      try await set("/strip/voice/gain", .number(gainDB))
      try await set("/strip/voice/cue", .flag(false))
      try await waitUntil("round \(round): the light is off") { isLit(11, false) }
      try await set("/strip/voice/cue", .flag(true))
      try await waitUntil("round \(round): the light is on") { isLit(11, true) }
      #expect(faderMoves() == 1, "round \(round): the fader is touched")
      device.close()
      try await waitUntil("round \(round): it is unplugged") {
        try await control.call(ListControllers.self).controllers[0].device == nil
      }
    }
    let sorted = times.sorted()
    print("plugged in until lights and fader are back: median \(sorted[50]), longest \(sorted[99])")
    await control.close()
    #expect(try await rig.host.stop() == .code(0))
  }

  @Test(.aloneWithJACK)
  func `a note of a sequencer on PipeWire's libjack switches a mute`() async throws {
    let pipeWire = try await PipeWireSession(channels: 4)
    defer { pipeWire.stop() }
    let scratch = try Scratch()
    // The host's socket is the test's, and PipeWire's its own.
    var environment = pipeWire.environment
    environment["PIPEWIRE_RUNTIME_DIR"] = environment["XDG_RUNTIME_DIR"]
    environment["XDG_RUNTIME_DIR"] = scratch.runtimeDirectory
    let graph = try scratch.write(
      """
      multiroute: 1
      routes: {main: {type: lineOut, ports: [system:playback_1]}}
      sources: {voice: {tone: {}}}
      mix: [{from: voice, to: main}]
      controls:
        midi:
          box: {device: Sequencer, map: [{control: note 1/60, parameter: /strip/voice/mute}]}
      """,
      to: "pipewire.yaml",
    )
    let host = try HostProcess(
      graph: graph,
      server: "default",
      arguments: ["--no-start-server"],
      under: ["pw-jack"],
      environment: environment,
      in: scratch,
    )
    _ = try await host.attached(within: .seconds(40))
    let sequencer = try Child(
      "pw-jack",
      ["jack_midiseq", "Sequencer", "24000", "0", "60", "8000"],
      environment: environment,
      in: scratch,
    )
    let control = try await host.control()
    var seen: [ParameterValue] = []
    try await waitUntil("the mute goes on and off") {
      let paths = ["/strip/voice/mute"]
      let value = try await control.call(GetParameters.self, .init(paths: paths)).values[0].value
      if seen.last != value { seen.append(value) }
      return seen.count >= 3
    }
    let status = try await control.call(ListControllers.self).controllers[0]
    #expect(status.lastControl == "note 1/60" && status.device?.hasPrefix("Sequencer") == true)
    sequencer.send(SIGTERM)
    await control.close()
    #expect(try await host.stop() == .code(0))
  }
}
