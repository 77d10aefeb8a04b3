// SPDX-License-Identifier: MIT

import ControlProtocol
import ControlSocket
import Foundation
import Glibc
import TestSupport
import Testing

/// Learning of controls, also of devices that the graph does not have.
@Suite(.serialized, .timeLimit(.minutes(3)))
struct ControllerLearningTests {
  @Test(.jackServer(frames: 256))
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

  @Test(.jackServer(frames: 256))
  func `a device that the graph does not have is told with a mapping, and learns`() async throws {
    var rig = try await ControllersRig("{}")
    let folder = rig.scratch.path + "/controllers"
    try FileManager.default.copyItem(
      atPath: Repository.path("graphs/controllers"),
      toPath: folder,
    )
    let device = try rig.device("Odd Box", ControllersRig.sweep(0xB0, 7))
    let learn = "multiroute learn PATH --device \"Odd Box MIDI 1\""
    try await waitUntil("it is heard") { try await rig.controllers().contains(learn) }
    let line = try await rig.learn(["/strip/voice/pan", "--device", "odd box"], moving: device)
    #expect(line == "- {control: cc 1/7, parameter: /strip/voice/pan}")
    let told = try await rig.controllers()
    #expect(
      told.contains("'Odd Box MIDI 1' is not in the graph; it sent last: cc 1/7 = 127"),
      "\(told)"
    )
    #expect(told.contains("generic.yaml has this control"))
    device.close()
    try await rig.crash()
    let again = try rig.device("Odd Box", ControllersRig.sweep(0xB0, 7))
    try await waitUntil("it is heard again") {
      try await rig.controllers(have: "it has learned: \(line)", learn)
    }
    again.start()
    try await waitUntil("the pan follows") {
      try await rig.value("/strip/voice/pan") == .number(1)
    }
    again.close()
    let flagship = try rig.device("DDJ-FLX4")
    try await waitUntil("a device of a known family is told") {
      try await rig.controllers().contains("ddj-400.yaml is made for a device of its family")
    }
    flagship.close()
    #expect(try await rig.host.stop() == .code(0))
  }

  @Test(.jackServer(frames: 256), arguments: ["the command", "a page"])
  func `a learner that goes away gives way to the next one at once`(first: String) async throws {
    let rig = try await ControllersRig("{box: {device: Fader Box}}", arguments: ["--web", "0"])
    let device = try rig.device("Fader Box", ControllersRig.sweep(0xB0, 7))
    try await waitUntil("it is plugged in") { try await rig.controllers(have: "Fader Box MIDI 1") }
    let params = #"{"parameter":"/strip/music/pan","timeoutMilliseconds":300000}"#
    var page: WebPeer?
    var command: Child?
    if first == "a page" {
      let port = try #require(try await rig.host.status().surfaces.first?.port)
      page = try WebPeer.webSocket(port: port, target: "/live")
      let request = #"{"jsonrpc":"2.0","id":1,"method":"learn","params":\#(params)}"#
      page?.write(WebPeer.frame(1, Array(request.utf8)))
    } else {
      command = try await rig.learner(["/strip/music/pan", "--timeout", "300s"])
    }
    try await waitUntil("the host waits for a control") {
      let words = ["learn", "/strip/voice/pan", "--timeout", "100ms", "--host", rig.host.name]
      let second = try await Multiroute.run(words, in: rig.scratch)
      return second.standardError.contains("another control is being learned")
    }
    page = nil
    command?.send(SIGKILL)
    try await waitUntil("the host has noticed it", within: .seconds(5)) {
      let words = ["learn", "/strip/voice/pan", "--timeout", "100ms", "--host", rig.host.name]
      let second = try await Multiroute.run(words, in: rig.scratch)
      return second.standardError.contains("no control was moved in time")
    }
    let line = try await rig.learn(["/strip/voice/pan"], moving: device)
    #expect(line == "- {control: cc 1/7, parameter: /strip/voice/pan}")
    device.close()
    #expect(try await rig.host.stop() == .code(0))
  }
}
