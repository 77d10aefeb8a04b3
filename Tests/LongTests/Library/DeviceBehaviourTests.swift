// SPDX-License-Identifier: MIT

import ControlProtocol
import Foundation
import MediaPlayer
import Sessions
import TestSupport
import Testing

@testable import AudioSession
@testable import EndToEndSupport

/// The behaviour of today's devices that apps rely on.
@Suite(.serialized, .timeLimit(.minutes(3)))
struct DeviceBehaviourTests {
  @Test(.jackServer(channels: 4))
  func `INT-5: a player that the app pauses or stops during an interruption stays so`() async throws
  {
    let rig = try await SessionRig.running()
    try rig.session.setCategory(.playback)
    var players: [AVAudioPlayer] = []
    for level in [Float(0.125), 0.25, 0.5] {
      let player = try AVAudioPlayer(contentsOf: rig.constant(level, seconds: 5))
      player.numberOfLoops = -1
      player.resumesAutomatically = true
      #expect(player.play())
      players.append(player)
    }
    let heard = try rig.recorder("phones_out_1")
    try await heard.waitForLevel(0.875)
    try await rig.simulate(.interruptionBegin, class: .phone)
    _ = try await rig.notes.interruption(.began)
    players[0].pause()
    players[1].stop()
    try await rig.simulate(.interruptionEnd, class: .phone)
    _ = try await rig.notes.interruption(.ended)
    try await heard.waitForLevel(0.5)
    #expect(players.map(\.isPlaying) == [false, false, true])
    // Nobody resumes by itself who was not asked to.
    players[2].resumesAutomatically = false
    try await rig.simulate(.interruptionBegin, class: .phone)
    try await heard.waitForLevel(0)
    try await rig.simulate(.interruptionEnd, class: .phone)
    try await waitUntil("it is over") {
      rig.notes.all(AVAudioSession.interruptionNotification)
        .count { $0.number(AVAudioSessionInterruptionTypeKey) == 0 } == 2
    }
    try await heard.recorder.pass(9_600)
    try await heard.waitForLevel(0)
    #expect(players.allSatisfy { !$0.isPlaying })
    heard.recorder.close()
    try await rig.end()
  }

  @Test(.jackServer(channels: 4))
  func `HW-1: values preferred while active wait, and say how they need not`() async throws {
    for (tower, setting, isAtOnce) in [
      ("", nil, false), ("appliesPreferencesAtOnce: true,", nil, true), ("", true, true),
      ("appliesPreferencesAtOnce: true,", false, false),
    ] as [(String, Bool?, Bool)] {
      let rig = try await SessionRig.running(tower: tower)
      AVAudioSession.hostSettings.appliesPreferencesAtOnce = setting
      try rig.session.setCategory(.playback)
      try rig.session.setActive(true)
      try rig.session.setPreferredIOBufferDuration(512.0 / 48_000)
      if isAtOnce {
        try await waitUntil("it is applied") { rig.session.ioBufferDuration == 512.0 / 48_000 }
      } else {
        #expect(rig.session.ioBufferDuration == 256.0 / 48_000)
        let reason = rig.session.hardwareDifferences["ioBufferDuration"]
        #expect(reason?.contains("appliesPreferencesAtOnce") == true, "\(reason ?? "-")")
        try rig.session.setActive(true)
        try await waitUntil("it is applied") { rig.session.ioBufferDuration == 512.0 / 48_000 }
      }
      try await rig.end()
    }
  }

  @Test(.jackServer(channels: 4))
  func `RTE-5: ending an override never throws; one made while inactive counts once active`()
    async throws
  {
    let rig = try await SessionRig.running()
    let session = rig.session
    try session.overrideOutputAudioPort(.none)
    try session.setCategory(.playAndRecord)
    try session.overrideOutputAudioPort(.speaker)
    // An inactive session has no input.
    #expect(session.inputNumberOfChannels == 0)
    #expect(session.currentRoute.inputs.isEmpty)
    try session.setActive(true)
    #expect(session.currentRoute.outputs.map(\.portType) == [.builtInSpeaker])
    #expect(session.currentRoute.inputs.map(\.portType) == [.builtInMic])
    #expect(session.inputNumberOfChannels == 2)
    try session.setActive(false)
    #expect(session.currentRoute.inputs.isEmpty)
    // Made without a host, it is kept until there is one.
    SessionController.shared.disconnect()
    let host = AVAudioSession.hostSettings.host
    AVAudioSession.hostSettings.host = rig.scratch.path + "/nowhere.sock"
    try session.overrideOutputAudioPort(.none)
    try session.setCategory(.playAndRecord)
    try session.overrideOutputAudioPort(.speaker)
    AVAudioSession.hostSettings.host = host
    try session.setActive(true)
    #expect(session.currentRoute.outputs.map(\.portType) == [.builtInSpeaker])
    try await rig.end()
  }

  @Test(.jackServer(channels: 4))
  func `RTE-7: a player that plays moves to another channel between two samples`() async throws {
    let rig = try await SessionRig.running()
    try rig.session.setCategory(.multiRoute)
    try rig.session.setActive(true)
    let channels = rig.session.currentRoute.outputs.flatMap { $0.channels ?? [] }
    let player = try AVAudioPlayer(contentsOf: rig.constant(0.5, seconds: 5))
    player.numberOfLoops = -1
    player.channelAssignments = [channels[0]]
    #expect(player.play())
    let heard = try rig.recorder(["phones_out_1", "phones_out_2"])
    try await heard.waitForLevels([0.5, 0])
    let start = heard.recorder.capturedFrames
    for turn in 1...8 {
      player.channelAssignments = [channels[turn % 2]]
      try await heard.waitForLevels(turn % 2 == 0 ? [0.5, 0] : [0, 0.5])
    }
    let captured = heard.recorder.captured.channels
    let sums = zip(captured[0][start...], captured[1][start...]).map { $0 + $1 }
    #expect(sums.allSatisfy { $0 == 0.5 }, "\(sums.count { $0 != 0.5 }) samples differ")
    player.stop()
    heard.recorder.close()
    try await rig.end()
  }

  @Test(.jackServer(channels: 4))
  func `RTE-3: the app that is now playing is interrupted when its route goes`() async throws {
    let rig = try await SessionRig.running()
    let center = MPRemoteCommandCenter.shared()
    center.playCommand.addTarget { _ in .success }
    defer { center.playCommand.removeTarget(nil) }
    try rig.session.setCategory(.playback)
    let player = try AVAudioPlayer(contentsOf: rig.constant(0.5, seconds: 5))
    player.numberOfLoops = -1
    #expect(player.play())
    let heard = try rig.recorder(["phones_out_1", "speaker_out_1"])
    try await heard.waitForLevels([0.5, 0])
    try await waitUntil("it is now playing") { rig.session.prefersInterruptionOnRouteDisconnect }
    try await rig.simulate(.unplug, route: "phones")
    let began = try await rig.notes.interruption(.began)
    #expect(began.number(AVAudioSessionInterruptionReasonKey) == 4)
    try await waitUntil("it is paused") { !player.isPlaying }
    #expect(player.play())
    try await heard.waitForLevels([0, 0.5])
    player.stop()
    heard.recorder.close()
    try await rig.end()
  }

  @Test(.jackServer(channels: 4))
  func `INT-8: a call that rings spares who asks for it, by the words of the command line`()
    async throws
  {
    let rig = try await SessionRig.running()
    try rig.session.setCategory(.playback)
    try rig.session.setPrefersNoInterruptionsFromSystemAlerts(true)
    try rig.session.setActive(true)
    try await rig.simulateByCommand("interruption", "ring")
    #expect(rig.session.isActive)
    try await rig.simulateByCommand("interruption", "decline")
    #expect(rig.session.isActive)
    try await rig.simulateByCommand("interruption", "ring")
    try await rig.simulateByCommand("interruption", "answer")
    _ = try await rig.notes.interruption(.began)
    #expect(!rig.session.isActive)
    try await rig.simulateByCommand("call", "end")
    _ = try await rig.notes.interruption(.ended)
    await #expect(throws: TestFailure.self) {
      try await rig.simulateByCommand("interruption", "ring", "--class", "alarm")
    }
    try await rig.end()
  }
}
