// SPDX-License-Identifier: MIT

import ControlProtocol
import Foundation
import MediaPlayer
import Sessions
import TestSupport
import Testing

@testable import AudioSession
@testable import EndToEndSupport

/// Players of one process with sessions of their own.
@Suite(.serialized, .timeLimit(.minutes(3)))
struct OwnSessionTests {
  @Test(.jackServer(channels: 4))
  func `PLR-2 PLR-4: a movie with a session of its own silences others, and the app ducks it`()
    async throws
  {
    let rig = try await SessionRig.running()
    let radio = try rig.start("PlayerApp", [rig.constant(0.0625, seconds: 5).path])
    try await radio.said("playing on Headphones")
    let heard = try rig.recorder("phones_out_1")
    try await heard.waitForLevel(0.0625)
    let movie = try AVAudioPlayer(contentsOf: rig.constant(0.5, seconds: 5))
    movie.numberOfLoops = -1
    movie.usesApplicationAudioSession = false
    #expect(movie.play())
    try await radio.said("interrupted")
    try await heard.waitForLevel(0.5)
    // The app's session is as it was, and mixes.
    #expect(!rig.session.isActive)
    #expect(rig.session.category == .soloAmbient)
    try rig.session.setCategory(.ambient)
    let effect = try AVAudioPlayer(contentsOf: rig.constant(0.25, seconds: 5))
    effect.numberOfLoops = -1
    #expect(effect.play())
    try await heard.waitForLevel(0.75)
    #expect(movie.isPlaying)
    try rig.session.setCategory(.ambient, options: .duckOthers)
    try rig.session.setActive(true)
    try await heard.waitForLevel(0.25 + 0.5 * 0.199526)
    effect.stop()
    try rig.session.setActive(false)
    try await heard.waitForLevel(0.5)
    // An interruption reaches both sessions; the movie plays on when the app says so.
    try await rig.simulate(.interruptionBegin, class: .phone)
    try await waitUntil("it is paused") { !movie.isPlaying }
    try await heard.waitForLevel(0)
    try await rig.simulate(.interruptionEnd, class: .phone)
    try await waitUntil("it may play again") { movie.play() }
    try await heard.waitForLevel(0.5)
    let apps = try await rig.host.status().sessions.map(\.app)
    #expect(apps.contains { $0.hasPrefix("test-app-player") })
    // Its end lets the radio resume.
    movie.stop()
    try await radio.said("resumed on Headphones")
    movie.usesApplicationAudioSession = true
    try await heard.waitForLevel(0.0625)
    radio.child.send(SIGTERM)
    _ = try await radio.child.waitForEnd()
    heard.recorder.close()
    try await rig.end()
  }

  @Test(.jackServer(channels: 4))
  func `PLR-1: the app's music player plays a queue, is lowered by the app, and resumes`()
    async throws
  {
    let rig = try await SessionRig.running()
    let music = MPMusicPlayerController.applicationMusicPlayer
    let urls = [try rig.constant(0.5, seconds: 1), try rig.constant(0.25, seconds: 5)]
    music.setQueue(with: MPMediaItemCollection(items: urls.map { MPMediaItem(assetURL: $0) }))
    music.repeatMode = .all
    #expect(music.playbackState == .stopped)
    music.play()
    let heard = try rig.recorder("phones_out_1")
    try await heard.waitForLevel(0.5)
    #expect(music.playbackState == .playing)
    #expect(music.nowPlayingItem?.title == "constant-0.5")
    #expect(!rig.session.isActive)
    try await heard.waitForLevel(0.25)
    #expect(music.indexOfNowPlayingItem == 1)
    try rig.session.setCategory(.playback, options: .duckOthers)
    try rig.session.setActive(true)
    try await heard.waitForLevel(0.25 * 0.199526)
    try rig.session.setActive(false)
    try await heard.waitForLevel(0.25)
    try await rig.simulate(.interruptionBegin, class: .phone)
    try await waitUntil("it is interrupted") { music.playbackState == .interrupted }
    try await heard.waitForLevel(0)
    try await rig.simulate(.interruptionEnd, class: .phone)
    try await heard.waitForLevel(0.25)
    music.pause()
    #expect(music.playbackState == .paused)
    try await heard.waitForLevel(0)
    music.skipToPreviousItem()
    #expect(music.indexOfNowPlayingItem == 0)
    music.play()
    try await heard.waitForLevel(0.5)
    music.stop()
    try await heard.waitForLevel(0)
    heard.recorder.close()
    try await rig.end()
  }

  @Test(.jackServer(channels: 4))
  func
    `PLR-1 VOL-2: remote controls find the app's music player, and others are silent between pieces`()
    async throws
  {
    let bus = try MessageBus()
    try await bus.isThere()
    let rig = try await SessionRig.running()
    let radio = try rig.start("PlayerApp", [rig.constant(0.0625, seconds: 5).path])
    try await radio.said("playing on Headphones")
    let music = MPMusicPlayerController.applicationMusicPlayer
    let urls = [try rig.constant(0.5, seconds: 1), try rig.constant(0.25, seconds: 5)]
    music.setQueue(with: MPMediaItemCollection(items: urls.map { MPMediaItem(assetURL: $0) }))
    music.repeatMode = .all
    music.play()
    try await radio.said("interrupted")
    let heard = try rig.recorder("phones_out_1")
    try await heard.waitForLevel(0.5)
    let player = "--player=test-app-music"
    try await waitUntil("it is on the bus") { bus.says("Playing", player, "status") }
    #expect(try bus.playerctl(player, "metadata", "title") == "constant-0.5")
    try await heard.waitForLevel(0.25)
    // The radio has heard of no end between the two pieces.
    #expect(!radio.has("resumed on Headphones"))
    try bus.playerctl(player, "pause")
    try await radio.said("resumed on Headphones")
    try await heard.waitForLevel(0.0625)
    try bus.playerctl(player, "play")
    try await heard.waitForLevel(0.25)
    try bus.playerctl(player, "loop", "Track")
    try await waitUntil("it repeats") { music.repeatMode == .one }
    // A pause that comes during an interruption is kept, and obeyed at its end (INT-4).
    try await rig.simulate(.interruptionBegin, class: .phone)
    try await waitUntil("it is interrupted") { music.playbackState == .interrupted }
    try bus.playerctl(player, "pause")
    try await waitUntil("it is kept") {
      rig.host.events.contains { $0.decision?.rule == .int4 }
    }
    try await heard.waitForLevel(0)
    try await rig.simulate(.interruptionEnd, class: .phone)
    try await waitUntil("it stays paused") { music.playbackState == .paused }
    music.stop()
    try await waitUntil("it has left the bus") { !bus.says("Paused", player, "status") }
    radio.child.send(SIGTERM)
    _ = try await radio.child.waitForEnd()
    heard.recorder.close()
    try await rig.end()
    bus.stop()
  }

  @Test(.jackServer(channels: 4))
  func `PLR-4 PRM-1: a recorder with a session of its own records under the app's permission`()
    async throws
  {
    let tone = try Player(
      [[Float](repeating: 0.5, count: 4_800)],
      loops: true,
      server: try testServer().name,
      name: "capture-stand-in",
    )
    tone.start()
    let rig = try await SessionRig.running(
      permission: "undetermined",
      microphone: ["capture-stand-in:out_1"],
    )
    let radio = try rig.start("PlayerApp", [rig.constant(0.25, seconds: 5).path])
    try await radio.said("playing on Headphones")
    let url = URL(filePath: rig.scratch.path + "/take.wav")
    let settings: [String: Any] = [AVNumberOfChannelsKey: 1, AVLinearPCMBitDepthKey: 32]
    let recorder = try AVAudioRecorder(url: url, settings: settings)
    recorder.usesApplicationAudioSession = false
    // The app's category has no input; the recorder's has.
    try rig.session.setCategory(.ambient)
    #expect(recorder.record())
    try await radio.said("interrupted")
    #expect(!rig.session.isActive)
    let sessions = try await rig.host.status().sessions
    #expect(sessions.contains { $0.app == "test-app" && $0.active && $0.category == .record })
    try await waitUntil("it records silence") { recorder.currentTime > 0.1 }
    recorder.updateMeters()
    #expect(recorder.peakPower(forChannel: 0) == -160)
    // The user's answer for the session, and for the client of this process.
    let executable = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
    for program in ["test-app", executable] {
      let output = try await Multiroute.run(
        ["permission", "grant", program, "--host", rig.host.name],
        in: rig.scratch,
      )
      #expect(output.end == .code(0), "\(output.standardError)")
    }
    try await waitUntil("it records the microphone") {
      recorder.updateMeters()
      return recorder.averagePower(forChannel: 0) > -7
    }
    // Its end lets others play; the app's session was left alone.
    recorder.stop()
    try await radio.said("resumed on Headphones")
    #expect(rig.session.category == .ambient)
    #expect(try rig.peak(of: url) == 0.5)
    // An interruption pauses it, and it goes on in the same file.
    #expect(recorder.record())
    try await waitUntil("it records") { recorder.currentTime > 0.1 }
    try await rig.simulate(.interruptionBegin, class: .phone)
    try await waitUntil("it is paused") { !recorder.isRecording }
    #expect(!recorder.record())
    try await rig.simulate(.interruptionEnd, class: .phone)
    try await waitUntil("it may record again") { recorder.record() }
    recorder.usesApplicationAudioSession = true
    #expect(!recorder.isRecording)
    radio.child.send(SIGTERM)
    _ = try await radio.child.waitForEnd()
    tone.close()
    try await rig.end()
  }

  @Test(.jackServer(channels: 4))
  func `PLR-1: the system's music player is the one of the desktop`() async throws {
    let bus = try MessageBus()
    try await bus.isThere()
    let rig = try await SessionRig.running()
    let music = MPMusicPlayerController.systemMusicPlayer
    #expect(music.playbackState == .stopped)
    #expect(music.nowPlayingItem == nil)
    let file = try rig.constant(0.5, seconds: 5)
    let app = try rig.start("PlayerApp", [file.path], environment: bus.environment)
    try await app.said("playing on Headphones")
    let heard = try rig.recorder("phones_out_1")
    try await heard.waitForLevel(0.5)
    try await waitUntil("it is on the bus") { music.playbackState == .playing }
    #expect(music.nowPlayingItem?.title == "constant-0.5.wav")
    music.pause()
    try await app.said("remote pause")
    try await heard.waitForLevel(0)
    try await waitUntil("it says so") { music.playbackState == .paused }
    music.play()
    try await app.said("remote play")
    try await heard.waitForLevel(0.5)
    app.child.send(SIGTERM)
    _ = try await app.child.waitForEnd()
    heard.recorder.close()
    try await rig.end()
    bus.stop()
  }
}
