// SPDX-License-Identifier: MIT

import ControlProtocol
import ControlSocket
import Foundation
import Glibc
import Synchronization
import TestSupport
import Testing

@testable import AudioSession

/// The rules of docs/sessions.md as an app meets them, against a host in another process.
@Suite(.serialized, .timeLimit(.minutes(1)))
struct SessionRuleTests {
  @Test(.jackServer(channels: 4))
  func `SES-1 SES-2 SES-3 SES-5 OPT-1 MOD-1 MOD-2 MOD-3: valid, or refused with the reason`()
    async throws
  {
    let rig = try await SessionRig.running()
    let session = rig.session
    #expect(session.category == .soloAmbient)
    #expect(session.mode == .default)
    #expect(session.categoryOptions == [])
    #expect(!session.configuration.options.contains(.mixWithOthers))
    // SES-3: inactive, it is kept, and the host has it at the activation at the latest.
    try session.setCategory(.playAndRecord, mode: .voiceChat, options: [])
    #expect(session.categoryOptions == .allowBluetoothHFP)

    // MOD-3: the options go with the category, and do not come back with the same mode.
    try session.setCategory(.playAndRecord, options: [])
    #expect(session.mode == .voiceChat)
    #expect(session.categoryOptions == [])
    try session.setMode(.voiceChat)
    #expect(session.categoryOptions == [])
    try session.setActive(true)
    #expect(session.configuration.mode == .voiceChat)
    #expect(session.categoryOptions == [])
    // MOD-2: a category that does not take the mode resets it.
    try session.setCategory(.playback)
    #expect(session.mode == .default)
    try await waitUntil("the host has it") { session.category == .playback }
    #expect(try await rig.status()?.category == "playback")

    // OPT-1, MOD-1: refused as a whole, with what is allowed.
    let before = session.configuration
    let option = try #require(
      SessionRig.error { try session.setCategory(.playback, options: .defaultToSpeaker) }
    )
    #expect(option.domain == NSOSStatusErrorDomain)
    #expect(option.sessionCode == .badParam)
    #expect(option.rule == "OPT-1")
    #expect(option.offending == "defaultToSpeaker")
    #expect(option.allowed.contains("duckOthers"))
    let mode = try #require(SessionRig.error { try session.setMode(.videoChat) })
    #expect(mode.sessionCode == .badParam)
    #expect(mode.rule == "MOD-1")
    #expect(mode.allowed == ["playAndRecord"])
    let unknown = SessionRig.error {
      try session.setCategory(AVAudioSession.Category(rawValue: "nonsense"))
    }
    #expect(unknown?.sessionCode == .badParam)
    #expect(session.configuration == before)

    // What brings others along reads them.
    try session.setCategory(.playback, mode: .voicePrompt, options: [.duckOthers])
    #expect(session.categoryOptions == [.duckOthers, .mixWithOthers])
    #expect(session.availableModes.contains(.moviePlayback))
    #expect(!session.availableModes.contains(.voiceChat))
    #expect(session.availableCategories.contains(.record))
    try await rig.end()
  }

  @Test(.jackServer(channels: 4))
  func `SES-7 ACT-5 an older SDK ignores implicit options and fails to end running audio`()
    async throws
  {
    let rig = try await SessionRig.running(compatibility: "ios17")
    try rig.session.setCategory(.playback, options: [.allowBluetoothA2DP])
    #expect(rig.session.categoryOptions == [])
    try rig.session.setActive(true)
    try SessionController.shared.report(isRunning: true)
    let busy = SessionRig.error { try rig.session.setActive(false) }
    #expect(busy?.sessionCode == .isBusy)
    #expect(busy?.rule == "ACT-5")
    #expect(try await rig.status()?.active == false)
    try await rig.end()
  }

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
    #expect(try await rig.status()?.interruptedBy == other)

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

    // ACT-4: nobody takes the phone away, and the app is told so.
    try session.setActive(true)
    try await rig.simulate(.interruptionBegin, class: "phone")
    _ = try await rig.notes.interruption(.began)
    let refused = SessionRig.error { try session.setActive(true) }
    #expect(refused?.sessionCode == .insufficientPriority)
    #expect(refused?.rule == "ACT-4")
    try await rig.simulate(.interruptionEnd, class: "phone")
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

    let prompt = try await rig.open("prompt", mode: "voicePrompt", options: ["duckOthers"])
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

  @Test(.jackServer(channels: 4))
  func `RTE-1 to RTE-5: the route, its changes with reason and previous, override, input`()
    async throws
  {
    let rig = try await SessionRig.running()
    let session = rig.session
    try session.setCategory(.playback)
    try session.setActive(true)
    let first = try await rig.notes.routeChange(.categoryChange)
    #expect(!first.isOnMainThread)
    let output = try #require(session.currentRoute.outputs.first)
    #expect(output.portType == .headphones)
    #expect(output.uid == "phones")
    let channels = try #require(output.channels)
    #expect(channels.map(\.channelNumber) == [1, 2])
    #expect(channels.allSatisfy { $0.owningPortUID == "phones" })
    #expect(session.availableInputs == nil)
    #expect(session.inputNumberOfChannels == 0)

    // RTE-3: out and in, and the previous route tells what it was.
    try await rig.simulate(.unplug, route: "phones")
    let out = try await rig.notes.routeChange(.oldDeviceUnavailable)
    let previous = out.userInfo[AVAudioSessionRouteChangePreviousRouteKey]
    let route = try #require(previous as? AVAudioSessionRouteDescription)
    #expect(route.outputs.map(\.portType) == [.headphones])
    #expect(session.currentRoute.outputs.map(\.portType) == [.builtInSpeaker])
    try await rig.simulate(.plug, route: "phones")
    _ = try await rig.notes.routeChange(.newDeviceAvailable)
    #expect(session.currentRoute.outputs.map(\.portType) == [.headphones])

    // RTE-5: the override is playAndRecord's, and ends with the next change.
    let refused = SessionRig.error { try session.overrideOutputAudioPort(.speaker) }
    #expect(refused?.sessionCode == .incompatibleCategory)
    #expect(refused?.rule == "RTE-5")
    try session.setCategory(.playAndRecord)
    try session.overrideOutputAudioPort(.speaker)
    _ = try await rig.notes.routeChange(.override)
    #expect(session.currentRoute.outputs.map(\.portType) == [.builtInSpeaker])
    #expect(session.currentRoute.inputs.map(\.portType) == [.builtInMic])
    try session.overrideOutputAudioPort(.none)
    #expect(session.currentRoute.outputs.map(\.portType) == [.headphones])
    let microphone = try #require(session.availableInputs?.first)
    try session.setPreferredInput(microphone)
    #expect(session.preferredInput == microphone)
    try session.setPreferredInput(nil)
    #expect(session.preferredInput == nil)
    let foreign = SessionRig.error {
      try session.setPreferredInput(AVAudioSessionPortDescription())
    }
    #expect(foreign?.sessionCode == .badParam)
    #expect(session.inputDataSources == nil)
    let source = SessionRig.error {
      try session.setInputDataSource(AVAudioSessionDataSourceDescription())
    }
    #expect(source?.sessionCode == .resourceNotAvailable)
    try await rig.end()
  }

  @Test(.jackServer(channels: 4))
  func `CAT-2 CAT-3 multiRoute has every output in one flat channel space, and one input`()
    async throws
  {
    let rig = try await SessionRig.running()
    let session = rig.session
    try session.setCategory(.multiRoute)
    try session.setActive(true)
    // The built-in speaker joins only when nothing else is there.
    #expect(session.currentRoute.outputs.map(\.uid) == ["phones"])
    #expect(session.currentRoute.inputs.map(\.uid) == ["mic"])
    #expect(session.maximumOutputNumberOfChannels == 2)
    try session.setActive(false)
    #expect(session.maximumOutputNumberOfChannels == 0)
    let inactive = SessionRig.error { try session.setPreferredOutputNumberOfChannels(2) }
    #expect(inactive?.sessionCode == .badParam)
    try session.setCategory(.playback)
    try session.setActive(true)
    let input = SessionRig.error { try session.setPreferredInputNumberOfChannels(1) }
    #expect(input?.sessionCode == .incompatibleCategory)
    #expect(input?.rule == "CAT-1")
    try session.setPreferredOutputNumberOfChannels(1)
    #expect(session.preferredOutputNumberOfChannels == 1)
    #expect(session.outputNumberOfChannels == 1)
    try await rig.end()
  }

  @Test(.jackServer(frames: 1024, channels: 4))
  func `HW-1 HW-3 HW-6 HW-7 preferred values take effect with the activation and are read back`()
    async throws
  {
    let rig = try await SessionRig.running()
    let session = rig.session
    try session.setCategory(.playback)
    try session.setPreferredIOBufferDuration(256.0 / 48_000)
    try session.setPreferredSampleRate(44_100)
    #expect(session.preferredIOBufferDuration == 256.0 / 48_000)
    #expect(session.ioBufferDuration == 1_024.0 / 48_000)
    try session.setActive(true)
    try await waitUntil("the buffer is set") { session.ioBufferDuration == 256.0 / 48_000 }
    #expect(session.sampleRate == 48_000)
    #expect(session.preferredSampleRate == 44_100)
    #expect(session.hardwareDifferences["sampleRate"] != nil)
    #expect(session.hardwareDifferences["ioBufferDuration"] == nil)
    #expect(session.outputLatency > 0)
    #expect(session.inputLatency == 0)
    let bad = SessionRig.error { try session.setPreferredSampleRate(-1) }
    #expect(bad?.sessionCode == .badParam)
    #expect(bad?.rule == "HW-1")
    #expect(!session.isInputGainSettable)
    #expect(
      SessionRig.error { try session.setInputGain(0.5) }?.sessionCode == .resourceNotAvailable
    )
    try await rig.end()
  }

  @Test(.jackServer(channels: 4))
  func `VOL-1 the output's volume is readable and observable`() async throws {
    let rig = try await SessionRig.running()
    let session = rig.session
    #expect(session.outputVolume == 1)
    let values = Values()
    let observation = session.observe(\.outputVolume, options: [.new, .old]) { _, change in
      values.add(change.oldValue, change.newValue)
    }
    let gain = SetGain.Params(target: .route("phones"), gainDB: -20)
    _ = try await rig.client.call(SetGain.self, gain)
    try await waitUntil("the volume is told") { !values.all.isEmpty }
    let told = try #require(values.all.first)
    #expect(told.0 == 1)
    #expect(abs((told.1 ?? 0) - 0.1) < 0.001)
    observation.invalidate()
    _ = try await rig.client.call(SetGain.self, .init(target: .route("phones"), gainDB: 0))
    try await waitUntil("it is read") { session.outputVolume == 1 }
    #expect(values.all.count == 1)
    try await rig.end()
  }

  @Test(.jackServer(channels: 4))
  func `RST-1 the session is void without its server or host, and back when they are`() async throws
  {
    let rig = try await SessionRig.running()
    let session = rig.session
    try session.setCategory(.playback, mode: .moviePlayback)
    try session.setActive(true)
    try await rig.simulate(.serverLoss)
    _ = try await rig.notes.wait(for: AVAudioSession.mediaServicesWereLostNotification)
    _ = try await rig.notes.wait(for: AVAudioSession.mediaServicesWereResetNotification)
    #expect(session.category == .soloAmbient)
    try session.setCategory(.playback)
    try session.setActive(true)

    rig.notes.clear()
    rig.host.child.send(SIGKILL)
    _ = try await rig.notes.wait(for: AVAudioSession.mediaServicesWereLostNotification)
    #expect(session.category == .soloAmbient)
    let lost = SessionRig.error { try session.setActive(true) }
    #expect(lost?.sessionCode == .mediaServicesFailed)
    #expect(lost?.rule == "RST-1")
    try await rig.restartHost()
    _ = try await rig.notes.wait(for: AVAudioSession.mediaServicesWereResetNotification)
    try session.setCategory(.playback)
    try session.setActive(true)
    #expect(try await rig.status()?.active == true)
    try await rig.end()
  }

  @Test(.jackServer(channels: 4))
  func `PRM-1 mutes and the permission are told`() async throws {
    let rig = try await SessionRig.running(permission: "undetermined")
    try rig.session.setCategory(.playAndRecord)
    try AVAudioApplication.shared.setInputMuted(true)
    #expect(AVAudioApplication.shared.isInputMuted)
    let note = try await rig.notes.wait(for: AVAudioApplication.inputMuteStateChangeNotification)
    #expect(note.userInfo[AVAudioApplication.muteStateKey] as? Bool == true)
    #expect(AVAudioApplication.shared.recordPermission == .undetermined)
    let answer = Answer()
    AVAudioApplication.requestRecordPermission { answer.set($0) }
    let grant = SetPermission.Params(program: "test-app", permission: .granted)
    _ = try await rig.client.call(SetPermission.self, grant)
    try await waitUntil("the answer is told") { answer.value != nil }
    #expect(answer.value == true)
    #expect(AVAudioApplication.shared.recordPermission == .granted)
    try rig.session.setOutputMuted(true)
    #expect(rig.session.isOutputMuted)
    let muted = try await rig.notes.wait(for: AVAudioSession.outputMuteStateChangeNotification)
    #expect(muted.number(AVAudioSession.muteStateKey) == 1)
    try await rig.end()
  }
}

/// What an observer was told.
private final class Values: Sendable {
  private let values = Mutex<[(Float?, Float?)]>([])

  var all: [(Float?, Float?)] { values.withLock { $0 } }

  func add(_ old: Float?, _ new: Float?) { values.withLock { $0.append((old, new)) } }
}

/// What the user said.
private final class Answer: Sendable {
  private let answer = Mutex<Bool?>(nil)

  var value: Bool? { answer.withLock { $0 } }

  func set(_ isGranted: Bool) { answer.withLock { $0 = isGranted } }
}
