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
  @Test(.steppedServer(frames: 256, channels: 4))
  func `INT-3 INT-8: a call rings and is declined or answered, in the steps of figure 3-1`()
    async throws
  {
    let rig = try await SessionRig.running()
    let session = rig.session
    try session.setCategory(.playback)
    let player = try AVAudioPlayer(contentsOf: rig.constant(0.5, seconds: 5))
    player.numberOfLoops = -1
    #expect(player.play())
    let heard = try rig.recorder("phones_out_1")
    try await heard.waitForLevel(0.5)
    // It rings: the app is silent and inactive, and is notified.
    try await rig.simulate(.callRing)
    _ = try await rig.notes.interruption(.began)
    #expect(!session.isActive)
    try await heard.waitForLevel(0)
    // It is ignored: the app is notified of the end, activates and plays on.
    try await rig.simulate(.callDecline)
    _ = try await rig.notes.interruption(.ended)
    try session.setActive(true)
    #expect(player.play())
    try await heard.waitForLevel(0.5)
    // An app that asks for it is spared while a call rings, and not when it is answered.
    try session.setPrefersNoInterruptionsFromSystemAlerts(true)
    try await rig.simulate(.callRing)
    // Long enough for an interruption that should not come.
    try await heard.recorder.pass(9_600)
    #expect(session.isActive)
    try await rig.simulate(.callAnswer)
    try await waitUntil("it is interrupted") { !session.isActive }
    try await heard.waitForLevel(0)
    try await rig.simulate(.callEnd)
    try await waitUntil("each step is an event") {
      rig.host.events.filter { $0.kind == .call }.map(\.message) == [
        "call: ringing", "call: declined", "call: ringing", "call: answered", "call: ended",
      ]
    }
    player.stop()
    heard.recorder.close()
    try await rig.end()
  }

  @Test(.steppedServer(frames: 256, channels: 4))
  func `SYS-4 SYS-1: each class interrupts on demand, the switches silence what they should`()
    async throws
  {
    let rig = try await SessionRig.running()
    let session = rig.session
    try session.setCategory(.soloAmbient)
    let player = try AVAudioPlayer(contentsOf: rig.constant(0.5, seconds: 5))
    player.numberOfLoops = -1
    player.resumesAutomatically = true
    let heard = try rig.recorder("phones_out_1")
    #expect(player.play())
    for priorityClass in [PriorityClass.assistant, .alarm, .phone] {
      rig.notes.clear()
      try await rig.simulate(.interruptionBegin, class: priorityClass)
      _ = try await rig.notes.interruption(.began)
      try await heard.waitForLevel(0)
      try await rig.simulate(.interruptionEnd, class: priorityClass)
      _ = try await rig.notes.interruption(.ended)
      try await heard.waitForLevel(0.5)
    }
    for event in [Simulate.Event.silentSwitch, .lock] {
      try await rig.simulate(event, isOn: true)
      try await heard.waitForLevel(0)
      // A switch interrupts no session.
      #expect(session.isActive)
      #expect(player.isPlaying)
      try await rig.simulate(event, isOn: false)
      try await heard.waitForLevel(0.5)
    }
    // CAT: playback does not heed them.
    try session.setCategory(.playback)
    try await rig.simulate(.silentSwitch, isOn: true)
    try await rig.simulate(.lock, isOn: true)
    try await heard.waitForLevel(0.5)
    player.stop()
    heard.recorder.close()
    try await rig.end()
  }
}
