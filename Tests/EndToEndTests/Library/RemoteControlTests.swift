// SPDX-License-Identifier: MIT

import ControlProtocol
import ControlSocket
import Foundation
import Sessions
import TestSupport
import Testing

@testable import EndToEndSupport

/// Media keys and desktop widgets, as playerctl stands for them, on a message bus of the test's own.
@Suite(.serialized, .timeLimit(.minutes(3)))
struct RemoteControlTests {
  @Test(.steppedServer(frames: 256, channels: 4))
  func `VOL-2 INT-4: playerctl drives the app that is now playing, also in an interruption`()
    async throws
  {
    let bus = try MessageBus()
    try await bus.isThere()
    let rig = try await SessionRig.running()
    let file = try rig.constant(0.5, seconds: 5)
    let app = try rig.start("PlayerApp", [file.path], environment: bus.environment)
    try await app.said("playing on Headphones")
    let heard = try rig.recorder("phones_out_1")
    try await heard.waitForLevel(0.5)
    try await waitUntil("it is on the bus") { bus.says("Playing", "status") }
    #expect(bus.says("constant-0.5.wav", "metadata", "title"))
    #expect(try bus.playerctl("--list-all").hasPrefix("PlayerApp.instance"))

    try bus.playerctl("pause")
    try await app.said("remote pause")
    try await heard.waitForLevel(0)
    try await waitUntil("it says so") { bus.says("Paused", "status") }
    try bus.playerctl("position", "2")
    try await app.said("remote seek to 2.0 s")
    try bus.playerctl("play")
    try await app.said("remote play")
    try await heard.waitForLevel(0.5)

    // A pause during a call is kept: the app does not go on, although the notification says that it should.
    try await rig.simulate(.interruptionBegin, class: .phone)
    try await app.said("interrupted")
    try bus.playerctl("pause")
    try await waitUntil("it is kept") {
      host(rig, decided: .int4)
    }
    #expect(!app.has("remote pause", times: 2))
    try await rig.simulate(.interruptionEnd, class: .phone)
    try await app.said("remote pause", times: 2)
    try await app.said("paused")
    try await heard.waitForLevel(0)
    try bus.playerctl("play")
    try await app.said("remote play", times: 2)
    try await heard.waitForLevel(0.5)

    // Another player takes the place, and the keys with it.
    let other = try await rig.open("other", isActive: false)
    var takes = AdjustSession.Params(session: other)
    takes.takesRemoteCommands = true
    _ = try await rig.client.call(AdjustSession.self, takes)
    _ = try await rig.client.call(ActivateSession.self, .init(session: other))
    try await waitUntil("it has left the bus") {
      (try? bus.playerctl("--list-all"))?.isEmpty ?? true
    }
    app.child.send(SIGTERM)
    _ = try await app.child.waitForEnd()
    heard.recorder.close()
    try await rig.end()
  }

  private func host(_ rig: SessionRig, decided rule: RuleID) -> Bool {
    rig.host.events.contains { $0.decision?.rule == rule }
  }
}
