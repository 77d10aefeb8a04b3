// SPDX-License-Identifier: MIT

import ControlProtocol
import ControlSocket
import Foundation
import Glibc
import Sessions
import TestSupport
import Testing

@testable import AudioSession
@testable import EndToEndSupport

/// Interruptions and ducks between sessions, as an app meets them, against a host in another process.
@Suite(.serialized, .timeLimit(.minutes(3)))
struct ArbitrationRuleTests {
  @Test(.jackServer(channels: 4))
  func `ACT-1 ACT-2 ACT-4 ACT-6 ACT-7 INT-1 INT-2: others interrupt, and give back`() async throws {
    let rig = try await SessionRig.running()
    let session = rig.session
    try session.setCategory(.playback)
    try session.setActive(true)
    _ = try await rig.notes.wait(for: AVAudioSession.didBecomeActiveNotification)
    #expect(try await rig.status()?.active == true)

    let other = try await rig.open("other")
    let began = try await rig.notes.interruption(.began)
    #expect(began.number(AVAudioSessionInterruptionReasonKey) == 0)
    #expect(began.userInfo[AVAudioSessionInterruptionOptionKey] == nil)
    let inactive = try await rig.notes.wait(for: AVAudioSession.didBecomeInactiveNotification)
    let context = inactive.userInfo[AVAudioSession.deactivationContextKey]
    #expect((context as? AVAudioSession.DeactivationContext)?.source == .system)
    #expect(try await rig.status()?.interruptedBy == .session(other))

    // ACT-6: without the option there is no shouldResume.
    let quiet = DeactivateSession.Params(session: other, notifyOthers: false)
    _ = try await rig.client.call(DeactivateSession.self, quiet)
    var ended = try await rig.notes.interruption(.ended)
    #expect(ended.number(AVAudioSessionInterruptionOptionKey) == 0)
    _ = try await rig.notes.wait(for: AVAudioSession.resumptionRecommendationNotification)

    rig.notes.clear()
    try session.setActive(true)
    _ = try await rig.client.call(ActivateSession.self, .init(session: other))
    _ = try await rig.notes.interruption(.began)
    let loud = DeactivateSession.Params(session: other, notifyOthers: true)
    _ = try await rig.client.call(DeactivateSession.self, loud)
    ended = try await rig.notes.interruption(.ended)
    #expect(ended.number(AVAudioSessionInterruptionOptionKey) == 1)
    let resumption = try await rig.notes.wait(
      for: AVAudioSession.resumptionRecommendationNotification
    )
    let advice = resumption.userInfo[AVAudioSession.resumptionContextKey]
    #expect(
      (advice as? AVAudioSession.ResumptionContext)?.recommendation == .shouldResume
    )

    // ACT-4: no session takes over from the phone, and the app gets an error.
    try session.setActive(true)
    try await rig.simulate(.interruptionBegin, class: .phone)
    _ = try await rig.notes.interruption(.began)
    let refused = SessionRig.error { try session.setActive(true) }
    #expect(refused?.sessionCode == .insufficientPriority)
    #expect(refused?.rule == "ACT-4")
    try await rig.simulate(.interruptionEnd, class: .phone)
    // INT-2: after an end the app is active only when it asks again.
    try session.setActive(true)
    #expect(try await rig.status()?.active == true)
    try await rig.end()
  }

  @Test(.jackServer(channels: 4))
  func `ACT-3 ACT-7 SES-6: mixing, ducking, hints, and others that die`() async throws {
    let rig = try await SessionRig.running()
    let session = rig.session
    try session.setCategory(.ambient)
    try session.setActive(true)
    #expect(!session.secondaryAudioShouldBeSilencedHint)
    let music = try await rig.open("music")
    _ = try await rig.notes.wait(for: AVAudioSession.silenceSecondaryAudioHintNotification) {
      $0.number(AVAudioSessionSilenceSecondaryAudioHintTypeKey) == 1
    }
    #expect(session.secondaryAudioShouldBeSilencedHint)
    #expect(try await rig.status()?.active == true)
    try await rig.close(music)
    _ = try await rig.notes.wait(for: AVAudioSession.silenceSecondaryAudioHintNotification) {
      $0.number(AVAudioSessionSilenceSecondaryAudioHintTypeKey) == 0
    }

    let prompt = try await rig.open("prompt", mode: .voicePrompt, options: .duckOthers)
    #expect(try await rig.status()?.duckedBy == [prompt])
    try await rig.close(prompt)
    #expect(try await rig.status()?.duckedBy == [])

    // SES-6: an interrupter that is killed gives back.
    try session.setCategory(.playback)
    let call = try Child(
      Multiroute.path(),
      ["session", "open", "--activate", "--category", "playback", "--host", rig.host.name],
      environment: rig.scratch.hostEnvironment,
      in: rig.scratch,
    )
    _ = try await rig.notes.interruption(.began)
    call.send(SIGKILL)
    let ended = try await rig.notes.interruption(.ended)
    #expect(ended.number(AVAudioSessionInterruptionOptionKey) == 1)
    try await rig.end()
  }
}
