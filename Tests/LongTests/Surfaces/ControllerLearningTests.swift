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
      page = try await WebPeer.webSocket(port: port, target: "/live")
      let request = #"{"jsonrpc":"2.0","id":1,"method":"learn","params":\#(params)}"#
      await page?.write(WebPeer.frame(1, Array(request.utf8)))
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
