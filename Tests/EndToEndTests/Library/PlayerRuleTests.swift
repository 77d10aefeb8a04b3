// SPDX-License-Identifier: MIT

import ControlProtocol
import ControlSocket
import Foundation
import Sessions
import TestSupport
import Testing

@testable import AudioSession
@testable import EndToEndSupport

/// Players that share the app's session, or have one of their own.
@Suite(.serialized, .timeLimit(.minutes(3)))
struct PlayerRuleTests {
  @Test(.steppedServer(frames: 256, channels: 4, timeLimitMilliseconds: 1_000))
  func `PLR-1 PLR-3: a music player has a session of its own; apps mix with it, duck it, end it`()
    async throws
  {
    let rig = try await SessionRig.running()
    let music = try rig.start("PlayerApp", [rig.constant(0.5, seconds: 5).path])
    try await music.said("playing on Headphones")
    let heard = try rig.recorder("phones_out_1")
    try await heard.waitForLevel(0.5)
    // PLR-3: an app that only uses such a player leaves its own session as it is.
    #expect(rig.session.category == .soloAmbient)
    #expect(!rig.session.isActive)
    try await waitUntil("it is notified") { rig.session.isOtherAudioPlaying }

    let effect = try AVAudioPlayer(contentsOf: rig.constant(0.25, seconds: 5))
    effect.numberOfLoops = -1
    try rig.session.setCategory(.ambient)
    #expect(effect.play())
    try await heard.waitForLevel(0.75)
    try rig.session.setCategory(.ambient, options: .duckOthers)
    try rig.session.setActive(true)
    try await heard.waitForLevel(0.25 + 0.5 * 0.199526)
    // Not mixable: the music is interrupted.
    try rig.session.setCategory(.soloAmbient)
    try rig.session.setActive(true)
    try await music.said("interrupted")
    try await heard.waitForLevel(0.25)
    effect.stop()
    try rig.session.setActive(false, options: .notifyOthersOnDeactivation)
    try await music.said("resumed on Headphones")
    try await heard.waitForLevel(0.5)
    music.child.send(SIGTERM)
    _ = try await music.child.waitForEnd()
    heard.recorder.close()
    try await rig.end()
  }

  @Test(.steppedServer(frames: 256, channels: 4, timeLimitMilliseconds: 1_000))
  func `PLR-2: a movie shares the app's session, or silences others with one of its own`()
    async throws
  {
    let rig = try await SessionRig.running()
    let radio = try rig.start("PlayerApp", [rig.constant(0.5, seconds: 5).path])
    try await radio.said("playing on Headphones")
    let heard = try rig.recorder("phones_out_1")
    // Shared and not mixable: movie and app sound together, others are silent.
    let app = try AVAudioPlayer(contentsOf: rig.constant(0.125, seconds: 5))
    let movie = try AVAudioPlayer(contentsOf: rig.constant(0.25, seconds: 5))
    for player in [app, movie] { player.numberOfLoops = -1 }
    try rig.session.setCategory(.playback)
    #expect(app.play())
    #expect(movie.play())
    try await radio.said("interrupted")
    try await heard.waitForLevel(0.375)
    // Shared and mixable: all sound together.
    try rig.session.setActive(false, options: .notifyOthersOnDeactivation)
    try await radio.said("resumed on Headphones")
    try rig.session.setCategory(.playback, options: .mixWithOthers)
    #expect(app.play())
    #expect(movie.play())
    try await heard.waitForLevel(0.875)
    movie.stop()
    app.stop()
    try rig.session.setActive(false)

    // Its own session while the app is silent: other sessions are silent until it ends.
    let own = try rig.start(
      "PlayerApp",
      [rig.constant(0.0625, seconds: 5).path],
      environment: ["MULTIROUTE_APP": "movie"],
    )
    try await radio.said("interrupted", times: 2)
    try await heard.waitForLevel(0.0625)
    own.child.send(SIGKILL)
    _ = try await own.child.waitForEnd()
    try await radio.said("resumed on Headphones", times: 2)
    try await heard.waitForLevel(0.5)
    radio.child.send(SIGTERM)
    _ = try await radio.child.waitForEnd()
    heard.recorder.close()
    try await rig.end()
  }

  @Test(.steppedServer(frames: 256, channels: 4, timeLimitMilliseconds: 1_000))
  func `PLR-5: system sounds play beside everything, activate no session, and heed the switch`()
    async throws
  {
    let rig = try await SessionRig.running()
    let radio = try rig.start("PlayerApp", [rig.constant(0.25, seconds: 5).path])
    try await radio.said("playing on Headphones")
    let heard = try rig.recorder("phones_out_1")
    try await heard.waitForLevel(0.25)
    var sound: SystemSoundID = 0
    #expect(AudioServicesCreateSystemSoundID(try rig.constant(0.5, seconds: 5), &sound) == 0)
    AudioServicesPlaySystemSound(sound)
    try await heard.waitForLevel(0.75)
    #expect(!rig.session.isActive)
    try await waitUntil("the host has read its level") {
      try await rig.host.status().sessions.contains {
        $0.app == "test-app-sounds" && $0.sounding && !$0.active
      }
    }
    try await rig.simulate(.silentSwitch, isOn: true)
    try await heard.waitForLevel(0.25)
    try await rig.simulate(.silentSwitch, isOn: false)
    #expect(AudioServicesDisposeSystemSoundID(sound) == 0)
    radio.child.send(SIGTERM)
    _ = try await radio.child.waitForEnd()
    heard.recorder.close()
    try await rig.end()
  }
}
