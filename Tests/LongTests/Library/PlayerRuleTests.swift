// SPDX-License-Identifier: MIT

import ControlProtocol
import ControlSocket
import Foundation
import Sessions
import Synchronization
import TestSupport
import Testing

@testable import AudioSession
@testable import EndToEndSupport

/// Players that share the app's session, or have one of their own.
@Suite(.serialized, .timeLimit(.minutes(3)))
struct PlayerRuleTests {
  @Test(.jackServer(channels: 4))
  func `PLR-4: a process has its app's session and one of its player, which interrupts the former`()
    async throws
  {
    let rig = try await SessionRig.running()
    let heard = try rig.recorder("phones_out_1")
    try rig.session.setCategory(.soloAmbient)
    let effect = try AVAudioPlayer(contentsOf: rig.constant(0.25, seconds: 5))
    effect.numberOfLoops = -1
    #expect(effect.play())
    try await heard.waitForLevel(0.25)
    let movie = try Player(
      [[Float](repeating: 0.0625, count: 4_800)],
      loops: true,
      server: rig.server,
      name: "movie",
    )
    movie.start()
    var params = OpenSession.Params(app: "movie")
    params.category = .playback
    params.ports = ["movie:out_1"]
    let own = try await rig.client.call(OpenSession.self, params).session
    _ = try await rig.client.call(ActivateSession.self, .init(session: own))
    _ = try await rig.notes.interruption(.began)
    try await heard.waitForLevel(0.0625)
    // The app's session has its category still; the player's ends by itself.
    #expect(rig.session.category == .soloAmbient)
    let end = DeactivateSession.Params(session: own, notifyOthers: true)
    _ = try await rig.client.call(DeactivateSession.self, end)
    _ = try await rig.client.call(CloseSession.self, .init(session: own))
    _ = try await rig.notes.interruption(.ended)
    try rig.session.setActive(true)
    #expect(effect.play())
    try await heard.waitForLevel(0.25)
    effect.stop()
    movie.close()
    heard.recorder.close()
    try await rig.end()
  }

  @Test(.jackServer(channels: 4))
  func `INT-1 SES-4: a JACK client of the app's own sounds through its session only`() async throws
  {
    let rig = try await SessionRig.running()
    try rig.session.setCategory(.playback)
    let engine = try Player(
      [Float(0.25), 0.5].map { [Float](repeating: $0, count: 4_800) },
      loops: true,
      server: rig.server,
      name: "engine",
    )
    engine.start()
    try rig.session.setOutputPorts(["engine:out_*"])
    try rig.session.setActive(true)
    let heard = try rig.recorder(["phones_out_1", "phones_out_2"])
    try await heard.waitForLevels([0.25, 0.5])
    try await rig.simulate(.interruptionBegin, class: .phone)
    try await heard.waitForLevels([0, 0])
    try await rig.simulate(.interruptionEnd, class: .phone)
    _ = try await rig.notes.interruption(.ended)
    try rig.session.setActive(true)
    try await heard.waitForLevels([0.25, 0.5])
    let refused = SessionRig.error { try rig.session.setOutputPorts(["/(/"]) }
    #expect(refused?.sessionCode == .badParam)
    try rig.session.setOutputPorts([])
    try await heard.waitForLevels([0, 0])
    engine.close()
    heard.recorder.close()
    try await rig.end()
  }

  @Test(.jackServer(channels: 4))
  func `INT-5: a sample engine's context and system sounds fall silent and come back`()
    async throws
  {
    let rig = try await SessionRig.running()
    try rig.session.setCategory(.ambient)
    let calls = Mutex<[String]>([])
    let context = AudioContext(
      suspend: { calls.withLock { $0.append("suspend") } },
      restore: { calls.withLock { $0.append("restore") } },
    )
    var sound: SystemSoundID = 0
    #expect(AudioServicesCreateSystemSoundID(try rig.constant(0.5, seconds: 1), &sound) == 0)
    let heard = try rig.recorder("phones_out_1")
    try rig.session.setActive(true)
    AudioServicesPlaySystemSound(sound)
    try await heard.waitForLevel(0.5)
    try await rig.simulate(.interruptionBegin, class: .phone)
    _ = try await rig.notes.interruption(.began)
    #expect(context.isSuspended)
    try await heard.waitForLevel(0)
    AudioServicesPlaySystemSound(sound)
    // Long enough for a sound that should not come.
    try await heard.recorder.pass(9_600)
    try await heard.waitForLevel(0)
    try await rig.simulate(.interruptionEnd, class: .phone)
    _ = try await rig.notes.interruption(.ended)
    #expect(calls.withLock { $0 } == ["suspend", "restore"])
    AudioServicesPlaySystemSound(sound)
    try await heard.waitForLevel(0.5)
    #expect(AudioServicesDisposeSystemSoundID(sound) == 0)
    #expect(AudioServicesDisposeSystemSoundID(sound) == -1_501)
    heard.recorder.close()
    try await rig.end()
  }
}
