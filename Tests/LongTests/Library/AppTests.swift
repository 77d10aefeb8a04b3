// SPDX-License-Identifier: MIT

import AudioFiles
import ControlProtocol
import ControlSocket
import Foundation
import Glibc
import JACK
import Sessions
import TestSupport
import Testing

@testable import EndToEndSupport

/// The example apps, each a process of its own, through interruptions, route changes and lost hosts.
@Suite(.serialized, .timeLimit(.minutes(3)))
struct AppTests {
  @Test(.jackServer(channels: 4))
  func `INT-3 RTE-3 RTE-4 SYS-1 RST-1: the player app lives through calls, plugs and losses`()
    async throws
  {
    let rig = try await SessionRig.running()
    let app = try rig.start("PlayerApp", [rig.constant(0.5, seconds: 5).path])
    try await app.said("playing on Headphones")
    let heard = try rig.recorder("phones_out_1")
    try await heard.waitForLevel(0.5)

    // A call that is ignored, and one that is answered: the end comes when it is over.
    try await rig.simulate(.interruptionBegin, class: .phone)
    try await app.said("interrupted")
    try await heard.waitForLevel(0)
    try await rig.simulate(.interruptionEnd, class: .phone)
    try await app.said("resumed on Headphones")
    try await heard.waitForLevel(0.5)
    let call = try await rig.open("call", category: .playAndRecord, class: .phone)
    try await app.said("interrupted", times: 2)
    try await heard.waitForLevel(0)
    try await rig.close(call)
    try await app.said("resumed on Headphones", times: 2)

    try await rig.simulate(.unplug, route: "phones")
    try await app.said("Headphones gone, paused")
    try await rig.simulate(.plug, route: "phones")
    try await app.said("playing on Headphones", times: 2)
    try await heard.waitForLevel(0.5)

    // The silent switch leaves playback alone; a category change is a route change too.
    try await rig.simulate(.silentSwitch, isOn: true)
    let session = try #require(try await rig.host.status().sessions.first { $0.app == "PlayerApp" })
    try await waitUntil("it is heard") {
      try await rig.host.status().sessions.contains { $0.id == session.id && $0.sounding }
    }
    var change = ConfigureSession.Params(session: session.id)
    change.category = .soloAmbient
    _ = try await rig.client.call(ConfigureSession.self, change)
    try await app.said("route 3", times: 2)
    try await heard.waitForLevel(0)
    try await rig.simulate(.silentSwitch, isOn: false)
    try await heard.waitForLevel(0.5)
    heard.recorder.close()

    // The host is killed and comes back: the app sets up anew.
    rig.host.child.send(SIGKILL)
    try await app.said("services lost")
    try await rig.restartHost()
    try await app.said("services reset")
    try await app.said("playing on Headphones", times: 3)
    let again = try rig.recorder("phones_out_1")
    try await again.waitForLevel(0.5)
    again.recorder.close()

    // The server is killed and comes back.
    let server = try testServer()
    try await server.kill()
    try await app.said("services lost", times: 2)
    try await server.process.start(within: .seconds(20))
    try await app.said("services reset", times: 2)
    try await app.said("playing on Headphones", times: 4)
    let last = try rig.recorder("phones_out_1")
    try await last.waitForLevel(0.5)
    last.recorder.close()
    app.child.send(SIGTERM)
    _ = try await app.child.waitForEnd()
    try await rig.end()
  }

  @Test(.jackServer(channels: 4))
  func `RST-1: a host that is back before its server answers has the app play all the same`()
    async throws
  {
    let rig = try await SessionRig.running()
    let app = try rig.start("PlayerApp", [rig.constant(0.5, seconds: 5).path])
    try await app.said("playing on Headphones")
    rig.host.child.send(SIGKILL)
    try await app.said("services lost")
    let server = try #require(try testServer().process.pid)
    kill(server, SIGSTOP)
    defer { kill(server, SIGCONT) }
    async let back: Void = rig.restartHost()
    // The time in which the app finds the host's socket, which is invisible from outside, while no JACK cycle
    // runs.
    try await Task.sleep(for: .seconds(1))
    kill(server, SIGCONT)
    try await back
    try await app.said("services reset")
    try await app.said("playing on Headphones", times: 2)
    let heard = try rig.recorder("phones_out_1")
    try await heard.waitForLevel(0.5)
    #expect(!app.has("cannot play"))
    #expect(!app.has("services reset", times: 2))
    heard.recorder.close()
    app.child.send(SIGTERM)
    _ = try await app.child.waitForEnd()
    try await rig.end()
  }

  @Test(.jackServer(channels: 4))
  func `RTE-3: the recorder app's files are whole, also when it is killed`() async throws {
    let tone = try Player(
      [[Float](repeating: 0.25, count: 4_800)],
      loops: true,
      server: try testServer().name,
      name: "capture-stand-in",
    )
    tone.start()
    let rig = try await SessionRig.running(microphone: ["capture-stand-in:out_1"])
    let first = URL(filePath: rig.scratch.path + "/take.wav")
    let app = try rig.start("RecorderApp", [first.path])
    try await app.said("recording take.wav")
    try await rig.waitForRecording(first.path)
    try await rig.simulate(.interruptionBegin, class: .phone)
    try await app.said("interrupted")
    try await rig.simulate(.interruptionEnd, class: .phone)
    try await app.said("recording again")
    try await rig.simulate(.unplug, route: "phones")
    try await app.said("finished take.wav")
    try await app.said("recording take-2.wav")
    try await rig.waitForRecording(rig.scratch.path + "/take-2.wav")
    app.child.send(SIGKILL)
    _ = try await app.child.waitForEnd()
    for name in ["take.wav", "take-2.wav"] {
      let url = URL(filePath: rig.scratch.path + "/" + name)
      let info = try AudioFileReader(path: url.path).info
      #expect(info.durationSeconds ?? 0 > 0.3, "\(name) has \(info.durationSeconds ?? 0) s")
      #expect(try rig.peak(of: url) > 0.24, "\(name) is silent")
    }
    tone.close()
    try await rig.end()
  }

  @Test(.jackServer(channels: 4))
  func `SES-5: 16 threads at random see valid combinations only, and none waits for ever`()
    async throws
  {
    let rig = try await SessionRig.running()
    let sound = try rig.constant(0.01, seconds: 5)
    let storm = try rig.start("SessionStorm", ["2", sound.path])
    let end = try await storm.child.waitForEnd(within: .seconds(50))
    #expect(end == .code(0), "\(storm.child.standardOutput)")
    try await rig.end()
  }
}

extension SessionRig {
  /// Waits until a file has more than half a second of sound: 24 bits, one channel at 48 kHz.
  fileprivate func waitForRecording(_ path: String) async throws {
    try await waitUntil("\(path) grows") {
      let size = try? FileManager.default.attributesOfItem(atPath: path)[.size] as? Int
      return (size ?? 0) > 24_000 * 3
    }
  }
}
