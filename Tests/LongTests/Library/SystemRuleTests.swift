// SPDX-License-Identifier: MIT

import ControlProtocol
import Foundation
import Sessions
import TestSupport
import Testing

@testable import AudioSession
@testable import EndToEndSupport

/// The system's effects on an app: switches, background, interruptions of each class, produced on demand.
@Suite(.serialized, .timeLimit(.minutes(3)))
struct SystemRuleTests {
  @Test(.jackServer(channels: 4))
  func `ACT-8 SES-4: who is active without a sound for long is listed, until it sounds`()
    async throws
  {
    let rig = try await SessionRig.running(tower: "silentAfter: 1 s,")
    try rig.session.setCategory(.playback)
    try rig.session.setActive(true)
    #expect(try await rig.status()?.silentForLong == false)
    try await waitUntil("it is listed") { try await rig.status()?.silentForLong == true }
    let music = try AVAudioPlayer(contentsOf: rig.constant(0.5, seconds: 5))
    #expect(music.play())
    try await waitUntil("it is not listed") { try await rig.status()?.silentForLong == false }
    // Audio that runs and is silence counts as none.
    music.volume = 0
    try await waitUntil("it is listed again") { try await rig.status()?.silentForLong == true }
    #expect(music.isPlaying)
    music.stop()
    try await rig.end()
  }

  @Test(.jackServer(channels: 4))
  func `SYS-1 SYS-2: a suspended app is silent, and what it asked for is done on its return`()
    async throws
  {
    let rig = try await SessionRig.running()
    AVAudioSession.hostSettings.background = .suspend
    let session = rig.session
    try session.setCategory(.playback)
    try session.setActive(true)
    try await rig.simulate(.background, isOn: true)
    let began = try await rig.notes.interruption(.began)
    #expect(began.number(AVAudioSessionInterruptionReasonKey) == 1)
    #expect(began.userInfo[AVAudioSessionInterruptionWasSuspendedKey] as? Bool == true)
    #expect(!session.isActive)
    // A caller stands still, as the whole app would on iOS, and others of its threads may ask as well.
    async let mixes = Self.answer { try session.setCategory(.playback, options: .mixWithOthers) }
    try await rig.waitForQueued(1)
    async let active = Self.answer { try session.setActive(true) }
    try await rig.waitForQueued(2)
    #expect(session.categoryOptions == [])
    #expect(!session.isActive)
    try await rig.simulate(.background, isOn: false)
    _ = try await rig.notes.interruption(.ended)
    #expect(await mixes == nil)
    #expect(await active == nil)
    #expect(session.categoryOptions == .mixWithOthers)
    #expect(session.isActive)

    // A refusal on the return is thrown there; when the host dies, no call waits on.
    try await rig.simulate(.background, isOn: true)
    async let refused = Self.answer { try session.setActive(true) }
    try await rig.waitForQueued(3)
    let call = try await rig.open("call", category: .playAndRecord, class: .phone)
    try await rig.simulate(.background, isOn: false)
    #expect(await refused?.sessionCode == .insufficientPriority)
    try await rig.close(call)
    try await rig.simulate(.background, isOn: true)
    async let left = Self.answer { _ = try await session.activate() }
    try await rig.waitForQueued(4)
    rig.host.child.send(SIGKILL)
    #expect(await left?.sessionCode == .mediaServicesFailed)
    _ = try await rig.host.child.waitForEnd()
    try await rig.restartHost()
    try await rig.end()
  }

  /// The error of a call that may take long, made on a thread of its own.
  private static func answer(_ call: @escaping @Sendable () throws -> Void) async -> NSError? {
    await withCheckedContinuation { continuation in
      Thread.detachNewThread { continuation.resume(returning: SessionRig.error(call)) }
    }
  }

  private static func answer(_ call: @Sendable () async throws -> Void) async -> NSError? {
    do {
      try await call()
      return nil
    } catch {
      return error as NSError
    }
  }

  @Test(.jackServer(channels: 4))
  func `SYS-1: without the background mode the app cannot play there, and gets an error`()
    async throws
  {
    let rig = try await SessionRig.running()
    AVAudioSession.hostSettings.background = AVAudioSession.HostSettings.Background.none
    try rig.session.setCategory(.playback)
    try rig.session.setActive(true)
    try await rig.simulate(.background, isOn: true)
    _ = try await rig.notes.interruption(.began)
    let refused = SessionRig.error { try rig.session.setActive(true) }
    #expect(refused?.sessionCode == .cannotStartPlaying)
    try await rig.simulate(.background, isOn: false)
    _ = try await rig.notes.interruption(.ended)
    try rig.session.setActive(true)
    try await rig.end()
  }

  @Test(.jackServer(channels: 4))
  func `SYS-5 SYS-6: one app is in the foreground, and background music makes room for music`()
    async throws
  {
    let rig = try await SessionRig.running()
    AVAudioSession.hostSettings.isBackgroundMusic = true
    let session = rig.session
    try session.setCategory(.ambient)
    let other = try await rig.open("other", category: .ambient)
    let radio = try await rig.open("radio")
    try session.comeToForeground()
    #expect(try await rig.host.status().sessions.first { $0.id == other }?.active == false)
    #expect(try await rig.host.status().sessions.first { $0.id == radio }?.active == true)
    let player = try AVAudioPlayer(contentsOf: rig.constant(0.5, seconds: 5))
    player.numberOfLoops = -1
    #expect(player.play())
    let heard = try rig.recorder("phones_out_1")
    // Long enough for music that should not be heard.
    try await heard.recorder.pass(9_600)
    try await heard.waitForLevel(0)
    #expect(player.isPlaying)
    #expect(session.isActive)
    try await rig.close(radio)
    try await heard.waitForLevel(0.5)
    // Pushed back, the app's calls wait for its return.
    try await rig.simulateByCommand("foreground", "other")
    _ = try await rig.notes.interruption(.began)
    async let active = Self.answer { try session.setActive(true) }
    try await rig.waitForQueued(1)
    try await rig.simulateByCommand("foreground", "test-app")
    #expect(await active == nil)
    #expect(session.isActive)
    player.stop()
    heard.recorder.close()
    try await rig.end()
  }

  @Test(.jackServer(channels: 4))
  func `ACT-10: an app that is active and silent is no other audio; one that sounds is`()
    async throws
  {
    let rig = try await SessionRig.running()
    try rig.session.setCategory(.ambient)
    try rig.session.setActive(true)
    let silent = try rig.start("PlayerApp", [rig.constant(0, seconds: 5).path])
    try await silent.said("playing on Headphones")
    try await waitUntil("the host knows") {
      try await rig.host.status().sessions.contains {
        $0.app == "PlayerApp" && $0.silence == "PlayerApp is active but sends silence."
      }
    }
    #expect(!rig.session.isOtherAudioPlaying)
    #expect(!rig.session.secondaryAudioShouldBeSilencedHint)
    let loud = try rig.start("PlayerApp", [rig.constant(0.5, seconds: 5).path])
    try await loud.said("playing on Headphones")
    try await waitUntil("it is other audio") { rig.session.isOtherAudioPlaying }
    try await waitUntil("the hint follows") { rig.session.secondaryAudioShouldBeSilencedHint }
    for app in [silent, loud] {
      app.child.send(SIGTERM)
      _ = try await app.child.waitForEnd()
    }
    try await rig.end()
  }

  @Test(.jackServer(channels: 4))
  func `SYS-3: an interrupted app may still ask for anything, and stays silent`() async throws {
    let rig = try await SessionRig.running()
    let session = rig.session
    try session.setCategory(.playback)
    let player = try AVAudioPlayer(contentsOf: rig.constant(0.5, seconds: 5))
    player.numberOfLoops = -1
    let heard = try rig.recorder("phones_out_1")
    #expect(player.play())
    try await heard.waitForLevel(0.5)
    try await rig.simulate(.interruptionBegin, class: .alarm)
    try await heard.waitForLevel(0)
    try session.setCategory(.playback, mode: .moviePlayback, options: .mixWithOthers)
    try session.setPreferredIOBufferDuration(0.01)
    try session.setOutputMuted(true)
    try session.setOutputMuted(false)
    #expect(session.mode == .moviePlayback)
    #expect(session.preferredIOBufferDuration == 0.01)
    #expect(!player.play())
    #expect(SessionRig.error { try session.setActive(true) }?.rule == "ACT-4")
    try await heard.waitForLevel(0)
    try await rig.simulate(.interruptionEnd, class: .alarm)
    _ = try await rig.notes.interruption(.ended)
    #expect(player.play())
    try await heard.waitForLevel(0.5)
    player.stop()
    heard.recorder.close()
    try await rig.end()
  }
}
