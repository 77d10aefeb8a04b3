// SPDX-License-Identifier: MIT

import ControlProtocol
import ControlSocket
import Foundation
import Glibc
import TestSupport
import Testing

@testable import EndToEndSupport

/// Learning of controls, also of devices that the graph does not have.
@Suite(.serialized, .timeLimit(.minutes(3)))
struct ControllerLearningTests {
  @Test(.steppedServer(frames: 256))
  func `a learned control works, and works again after kill -9 and a start`() async throws {
    var rig = try await ControllersRig("{box: {device: Fader Box}, other: {device: Other Box}}")
    let other = try rig.device("Other Box")
    let device = try rig.device("Fader Box", ControllersRig.sweep(0xB3, 20))
    try await waitUntil("both are plugged in") {
      try await rig.controllers(have: "Other Box MIDI 1", "Fader Box MIDI 1")
    }
    let line = try await rig.learn(["/strip/voice/pan", "--device", "box"], moving: device)
    #expect(line == "- {control: cc 4/20, parameter: /strip/voice/pan}")
    for wanted in ["nobody", "Box"] {
      let words = ["learn", "/strip/voice/gain", "--device", wanted, "--host", rig.host.name]
      let refused = try await Multiroute.run(words, in: rig.scratch)
      #expect(refused.end != .code(0))
      let names = "'box' (Fader Box MIDI 1), 'other' (Other Box MIDI 1)"
      #expect(refused.standardError.contains(names), "\(refused.standardError)")
    }
    device.close()
    try await rig.crash()
    let again = try rig.device("Fader Box", ControllersRig.sweep(0xB3, 20))
    try await waitUntil("it is heard again") {
      try await rig.controllers(have: "box has learned: \(line)", "Fader Box MIDI 1")
    }
    again.start()
    try await waitUntil("the pan follows") {
      try await rig.value("/strip/voice/pan") == .number(1)
    }
    #expect(try await rig.controllers().contains("cc 4/20 = 127"))
    again.close()
    other.close()
    #expect(try await rig.host.stop() == .code(0))
  }
}
