// SPDX-License-Identifier: MIT

import ControlProtocol
import ControlSocket
import Foundation
import Glibc
import Sessions
import Synchronization
import TestSupport
import Testing

@testable import AudioSession
@testable import EndToEndSupport

/// The rules of docs/sessions.md as an app meets them, against a host in another process.
@Suite(.serialized, .timeLimit(.minutes(3)))
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
    #expect(try await rig.status()?.category == .playback)

    // OPT-1, MOD-1: refused as a whole; the error names the allowed values.
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

    // Setting one value reads the others.
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
    try await waitUntil("the volume is reported") { !values.all.isEmpty }
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
  func `PRM-1 mutes and the permission are reported`() async throws {
    let rig = try await SessionRig.running(permission: "undetermined")
    try rig.session.setCategory(.playAndRecord)
    try AVAudioApplication.shared.setInputMuted(true)
    #expect(AVAudioApplication.shared.isInputMuted)
    let note = try await rig.notes.wait(for: AVAudioApplication.inputMuteStateChangeNotification)
    #expect(note.userInfo[AVAudioApplication.muteStateKey] as? Bool == true)
    #expect(AVAudioApplication.shared.recordPermission == .undetermined)
    let answer = Answer()
    AVAudioApplication.requestRecordPermission { answer.set($0) }
    // Not from here: a program cannot answer for its user (PRM-2).
    let grant = ["permission", "grant", "test-app", "--host", rig.host.name]
    #expect(try await Multiroute.run(grant, in: rig.scratch).end == .code(0))
    try await waitUntil("the answer is reported") { answer.value != nil }
    #expect(answer.value == true)
    #expect(AVAudioApplication.shared.recordPermission == .granted)
    try rig.session.setOutputMuted(true)
    #expect(rig.session.isOutputMuted)
    let muted = try await rig.notes.wait(for: AVAudioSession.outputMuteStateChangeNotification)
    #expect(muted.number(AVAudioSession.muteStateKey) == 1)
    try await rig.end()
  }
}

/// An observer's notifications.
private final class Values: Sendable {
  private let values = Mutex<[(Float?, Float?)]>([])

  var all: [(Float?, Float?)] { values.withLock { $0 } }

  func add(_ old: Float?, _ new: Float?) { values.withLock { $0.append((old, new)) } }
}

/// The user's answer.
private final class Answer: Sendable {
  private let answer = Mutex<Bool?>(nil)

  var value: Bool? { answer.withLock { $0 } }

  func set(_ isGranted: Bool) { answer.withLock { $0 = isGranted } }
}
