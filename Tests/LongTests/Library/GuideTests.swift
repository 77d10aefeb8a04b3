// SPDX-License-Identifier: MIT

import AVFAudio
import ControlProtocol
import Foundation
import Sessions
import TestSupport
import Testing

@testable import EndToEndSupport

/// The listings of the guide behave as its text says.
@Suite(.serialized, .timeLimit(.minutes(3)))
struct GuideTests {
  @Test(.jackServer(frames: 1024, channels: 4))
  func `ACT-1 HW-3: activate, set a category, prefer values and read back what came of it`()
    async throws
  {
    let rig = try await SessionRig.running()
    try await rig.simulate(.interruptionBegin, class: .phone)
    // The player is silent before a call, and the error says so.
    let refused = SessionRig.error { try GuideListings.activate() }
    #expect(refused?.sessionCode == .insufficientPriority)
    try await rig.simulate(.interruptionEnd, class: .phone)
    try GuideListings.activate()
    #expect(try await rig.status()?.active == true)

    try GuideListings.setCategory()
    #expect(try await rig.status()?.category == .playback)

    try rig.session.setActive(false)
    let actual = try GuideListings.preferValues()
    // The server is not the host's own: the rate stays, the buffer is as asked for.
    #expect(actual.sampleRate == 48_000)
    #expect(actual.ioBufferDuration == 0.005)
    #expect(rig.session.preferredSampleRate == 44_100)
    #expect(rig.session.hardwareDifferences["sampleRate"] != nil)
    try await rig.end()
  }

  @Test(.jackServer(channels: 4))
  func `INT-1 RTE-2 RTE-3: observers hear of interruptions and of headphones`() async throws {
    let rig = try await SessionRig.running()
    let observer = GuideObserver()
    observer.observe()
    try GuideListings.setCategory()
    try GuideListings.activate()
    try await rig.simulate(.interruptionBegin, class: .phone)
    try await rig.simulate(.interruptionEnd, class: .phone)
    try await waitUntil("both were notified") { observer.log.count == 2 }
    try GuideListings.activate()
    try await rig.simulate(.interruptionBegin, class: .phone)
    try await rig.simulate(.interruptionEnd, class: .phone, resumes: false)
    try await waitUntil("both were notified") { observer.log.count == 4 }
    try GuideListings.activate()
    try await rig.simulate(.unplug, route: "phones")
    try await rig.simulate(.plug, route: "phones")
    let expected = [
      "save the state, update the interface", "resume",
      "save the state, update the interface", "wait for the user",
      "headphones disconnected", "headphones connected",
    ]
    try await waitUntil("both changes were reported") { observer.log.count == expected.count }
    #expect(observer.log == expected)
    observer.end()
    try await rig.end()
  }

  @available(*, deprecated)
  @Test(.jackServer(channels: 4))
  func `INT-7 both forms of the player's delegate hear of the end, without and with options`()
    async throws
  {
    let rig = try await SessionRig.running()
    try GuideListings.setCategory()
    let plain = PlainGuideDelegate()
    let options = GuideDelegate()
    let delegates: [any AVAudioPlayerDelegate] = [plain, options]
    var players: [AVAudioPlayer] = []
    let file = try rig.constant(0.25, seconds: 5)
    for delegate in delegates {
      let player = try AVAudioPlayer(contentsOf: file)
      player.numberOfLoops = -1
      player.delegate = delegate
      #expect(player.play())
      players.append(player)
    }
    try await rig.simulate(.callRing)
    try await waitUntil("both heard of the call") {
      plain.log == ["began"] && options.log == ["player began, is paused"]
    }
    try await rig.simulate(.callDecline)
    try await waitUntil("both heard of its end") {
      plain.log == ["began", "ended"] && options.log.last == "player ended, plays"
    }
    #expect(players.allSatisfy { $0.isPlaying })
    for player in players { player.stop() }
    try await rig.end()
  }

  @available(*, deprecated)
  @Test(.jackServer(channels: 4))
  func `INT-2 INT-5: delegates are called when it has begun, and when it is over`() async throws {
    let rig = try await SessionRig.running()
    let delegate = GuideDelegate()
    try GuideListings.setCategory()
    let player = try AVAudioPlayer(contentsOf: rig.constant(0.5, seconds: 5))
    player.numberOfLoops = -1
    player.delegate = delegate
    rig.session.delegate = delegate
    #expect(player.play())
    try await rig.simulate(.interruptionBegin, class: .alarm)
    try await waitUntil("both were notified") { delegate.log.count == 2 }
    #expect(Set(delegate.log) == ["player began, is paused", "session began, inactive"])
    try await rig.simulate(.interruptionEnd, class: .alarm)
    try await waitUntil("both were notified again") { delegate.log.count == 4 }
    #expect(
      Set(delegate.log.suffix(2)) == ["player ended, plays", "session ended with 1, active"]
    )
    let heard = try rig.recorder("phones_out_1")
    try await heard.waitForLevel(0.5)
    player.stop()
    rig.session.delegate = nil
    heard.recorder.close()
    try await rig.end()
  }
}
