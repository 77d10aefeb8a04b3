// SPDX-License-Identifier: MIT

import AudioFiles
import ControlProtocol
import ControlSocket
import Foundation
import Sessions
import Synchronization
import TestSupport
import Testing

@testable import AudioSession
@testable import EndToEndSupport

/// Players, recorders and raw audio of this process, heard at the routes of a host in another.
@Suite(.serialized, .timeLimit(.minutes(3)))
struct PlayerTests {
  @Test(.steppedServer(frames: 256, channels: 4))
  func `INT-1 INT-4 INT-5 RTE-3 PLR-3: a player follows the session by itself`() async throws {
    let rig = try await SessionRig.running()
    try rig.session.setCategory(.playback)
    let player = try AVAudioPlayer(contentsOf: rig.constant(0.5, seconds: 5))
    player.numberOfLoops = -1
    #expect(!player.resumesAutomatically)
    player.resumesAutomatically = true
    #expect(player.duration == 5)
    let heard = try rig.recorder("phones_out_1")
    // SES-4: playing activates.
    #expect(player.play())
    #expect(player.isPlaying)
    #expect(rig.session.state.isActive)
    try await heard.waitForLevel(0.5)

    try await rig.simulate(.interruptionBegin, class: .phone)
    try await heard.waitForLevel(0)
    try await waitUntil("it has paused") { !player.isPlaying }
    try await rig.simulate(.interruptionEnd, class: .phone)
    try await heard.waitForLevel(0.5)
    #expect(player.isPlaying)

    // INT-4: a pause that came meanwhile counts more than shouldResume.
    rig.notes.clear()
    RemoteControl.shared.set(true)
    try rig.session.controller.adjust { $0.takesRemoteCommands = true }
    try await rig.simulate(.interruptionBegin, class: .phone)
    _ = try await rig.notes.interruption(.began)
    let pause = SendRemoteCommand.Params(
      command: .pause,
      session: try #require(try await rig.status()).id
    )
    _ = try await rig.client.call(SendRemoteCommand.self, pause)
    try await rig.simulate(.interruptionEnd, class: .phone)
    _ = try await rig.notes.interruption(.ended)
    #expect(!player.isPlaying)
    RemoteControl.shared.set(false)

    // RTE-3: it pauses when its device is pulled out.
    #expect(player.play())
    try await heard.waitForLevel(0.5)
    try await rig.simulate(.unplug, route: "phones")
    try await waitUntil("it has paused") { !player.isPlaying }
    player.volume = 0.5
    try await rig.simulate(.plug, route: "phones")
    _ = try await rig.notes.routeChange(.newDeviceAvailable)
    #expect(player.play())
    try await heard.waitForLevel(0.25)
    player.stop()
    heard.recorder.close()
    try await rig.end()
  }

  @Test(.steppedServer(frames: 256, channels: 4))
  func `INT-6 PRM-1: a place is kept, and a recording has the input that is permitted`()
    async throws
  {
    let tone = try Player(
      [[Float](repeating: 0.25, count: 4_800)],
      loops: true,
      server: try testServer().name,
      name: "capture-stand-in",
    )
    tone.start()
    let rig = try await SessionRig.running(microphone: ["capture-stand-in:out_1"])
    try rig.session.setCategory(.playAndRecord)
    try rig.session.setActive(true)
    #expect(AVAudioApplication.shared.recordPermission == .granted)
    let url = URL(filePath: rig.scratch.path + "/take.wav")
    let recorder = try AVAudioRecorder(url: url, settings: [AVNumberOfChannelsKey: 1])
    #expect(recorder.record())
    try await waitUntil("half a second is recorded") { recorder.currentTime > 0.5 }
    recorder.stop()
    let reader = try AudioFileReader(path: url.path)
    #expect(reader.info.sampleRateHz == 48_000)
    let take = try AVAudioPlayer(contentsOf: url)
    #expect(take.duration > 0.5)
    #expect(try rig.peak(of: url) > 0.24)

    let story = try rig.constant(0.5, seconds: 5)
    let player = try AVAudioPlayer(contentsOf: story)
    player.savedPositionName = "story"
    player.currentTime = 2
    player.pause()
    let again = try AVAudioPlayer(contentsOf: story)
    again.savedPositionName = "story"
    #expect(again.currentTime == 2)
    tone.close()
    try await rig.end()
  }

  @Test(.steppedServer(frames: 256, channels: 4))
  func `SES-4 raw audio sounds through the session, and is silenced with it`() async throws {
    let rig = try await SessionRig.running()
    try rig.session.setCategory(.playback)
    let source = try ConstantSource(0.75)
    try source.io?.start()
    let heard = try rig.recorder("phones_out_2")
    try await heard.waitForLevel(0.75)
    try await rig.simulate(.interruptionBegin, class: .phone)
    try await heard.waitForLevel(0)
    try await rig.simulate(.interruptionEnd, class: .phone)
    _ = try await rig.notes.interruption(.ended)
    // INT-5: a raw client goes on only when its app says so.
    try rig.session.setActive(true)
    try await heard.waitForLevel(0.75)
    source.io?.stop()
    try await heard.waitForLevel(0)
    heard.recorder.close()
    try await rig.end()
  }
}
