// SPDX-License-Identifier: MIT

import Sessions
import Testing

@Suite("ACT: activation and arbitration")
struct ACTTests {
  @Test("ACT-1 audio is heard only after a yes")
  func request() {
    var scene = Scene()
    scene.open(1, .music)
    #expect(scene[1]?.isGateOpen == false)
    #expect(scene.ask(1, .activate) == .done)
    #expect(scene.gate(1) == true)
    #expect(scene.notices(1).contains(.didBecomeActive))
  }

  @Test("ACT-1 a category that needs input is refused without one")
  func noInput() {
    var scene = Scene()
    scene.do(.routeVanished(uid: Scene.microphone.uid))
    scene.open(1, .recording)
    #expect(scene.refusal(1, .activate)?.code == .resourceNotAvailable)
    scene.open(2, .routes)
    #expect(scene.ask(2, .activate) == .done)
  }

  /// An active session, a newcomer, and the effect on the first: interrupted, lowered, or neither.
  struct Meeting: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let first: SessionConfiguration
    let second: SessionConfiguration
    var isInterrupted = false
    var isDucked = false
  }

  static let meetings = [
    Meeting(testDescription: "music, music", first: .music, second: .music, isInterrupted: true),
    Meeting(testDescription: "mixing, music", first: .mixing, second: .music),
    Meeting(testDescription: "music, mixing", first: .music, second: .mixing),
    Meeting(testDescription: "ambience, music", first: .ambience, second: .music),
    Meeting(testDescription: "solo, music", first: .init(), second: .music, isInterrupted: true),
    Meeting(testDescription: "podcast, music", first: .spoken, second: .music, isInterrupted: true),
    Meeting(testDescription: "music, prompt", first: .music, second: .prompt, isDucked: true),
    Meeting(testDescription: "mixing, prompt", first: .mixing, second: .prompt, isDucked: true),
    Meeting(testDescription: "podcast, prompt", first: .spoken, second: .prompt, isDucked: true),
    Meeting(
      testDescription: "music, interrupting prompt",
      first: .music,
      second: .interruptingPrompt
    ),
    Meeting(
      testDescription: "podcast, interrupting prompt",
      first: .spoken,
      second: .interruptingPrompt,
      isInterrupted: true
    ),
    Meeting(
      testDescription: "music, prompt with both",
      first: .music,
      second: .make(.playback, options: [.duckOthers, .interruptSpokenAudioAndMixWithOthers]),
      isDucked: true
    ),
    Meeting(
      testDescription: "podcast, prompt with both",
      first: .spoken,
      second: .make(.playback, options: [.duckOthers, .interruptSpokenAudioAndMixWithOthers]),
      isInterrupted: true
    ),
    Meeting(
      testDescription: "measurement, prompt",
      first: .make(.playback, mode: .measurement),
      second: .prompt
    ),
  ]

  @Test("SES-3 an active session takes a category with input where there is none, and goes on")
  func reconfiguredWithoutInput() {
    var scene = Scene()
    scene.play(1, .music)
    scene.do(.routeVanished(uid: "mic"))
    #expect(scene.ask(1, .setCategory(category: .playAndRecord, options: [])) == .done)
    #expect(scene[1]?.isActive == true && scene[1]?.isGateOpen == true)
    #expect(scene[1]?.configuration.category == .playAndRecord)
  }

  @Test("ACT-2 ACT-3 which sessions are interrupted and which are lowered", arguments: meetings)
  func meeting(meeting: Meeting) {
    var scene = Scene()
    scene.play(1, meeting.first)
    scene.play(2, meeting.second)
    #expect(scene[2]?.isGateOpen == true)
    #expect((scene[1]?.interruption != nil) == meeting.isInterrupted)
    #expect(scene[1]?.isGateOpen == !meeting.isInterrupted)
    #expect((scene.duck(1) != nil) == meeting.isDucked)
    if meeting.isInterrupted {
      #expect(scene.gate(1) == false)
      #expect(scene.notices(1).first == .interruptionBegan(reason: .default, wasSuspended: false))
      #expect(scene.rules(1).contains(.act2))
    }
  }

  @Test("ACT-3 ducking: -14 dB over 200 ms until the ducker deactivates, then back within 100 ms")
  func duck() throws {
    var scene = Scene()
    scene.play(1, .music)
    scene.play(2, .prompt)
    let down = try #require(scene.duck(1))
    #expect(down.gainDB == -14)
    #expect(down.rampMilliseconds == 200)
    scene.do(.ioStopped(session: SessionID(rawValue: 2)))
    #expect(scene.duck(1) == nil)
    scene.ask(2, .deactivate(notifyOthers: true))
    let up = try #require(scene.duck(1))
    #expect(up.gainDB == 0)
    #expect(up.rampMilliseconds <= 100)
  }

  @Test("ACT-3 a ducker that is killed restores too; of two duckers the last one keeps others low")
  func duckers() {
    var scene = Scene()
    scene.play(1, .music)
    scene.play(2, .prompt)
    scene.play(3, .prompt)
    #expect(scene[2]?.duckGainDB == -14)
    #expect(scene[3]?.duckGainDB == 0)
    scene.do(.sessionClosed(session: SessionID(rawValue: 3), cause: .died))
    #expect(scene[1]?.duckGainDB == -14)
    #expect(scene[2]?.duckGainDB == 0)
    scene.do(.sessionClosed(session: SessionID(rawValue: 2), cause: .died))
    #expect(scene.duck(1)?.gainDB == 0)
  }

  @Test("ACT-3 a session that starts during a duck starts low, without a burst")
  func startsLow() {
    var scene = Scene()
    scene.play(1, .prompt)
    scene.open(2, .mixing)
    let effects = scene.ask(2, .activate).map { _ in scene.effects } ?? []
    let id = SessionID(rawValue: 2)
    let duck = effects.firstIndex(of: .setDuck(session: id, gainDB: -14, rampMilliseconds: 0))
    let gate = effects.firstIndex(of: .setGate(session: id, isOpen: true, fadeMilliseconds: 5))
    #expect((duck ?? .max) < (gate ?? -1))
  }

  @Test("ACT-3 priority classes are not lowered")
  func priorityNotDucked() {
    var scene = Scene()
    scene.play(1, .mixing, as: .assistant)
    scene.play(2, .prompt)
    #expect(scene[1]?.duckGainDB == 0)
  }

  static let pairs: [(PriorityClass, PriorityClass)] = PriorityClass.allCases.flatMap { low in
    PriorityClass.allCases.filter { $0 > low }.map { (low, $0) }
  }

  @Test("ACT-4 the higher class interrupts, and refuses the lower one", arguments: pairs)
  func classes(low: PriorityClass, high: PriorityClass) {
    for configuration in [SessionConfiguration.music, .mixing, .ambience, .prompt] {
      var scene = Scene()
      scene.play(1, configuration, as: low)
      scene.play(2, .music, as: high)
      #expect(scene[1]?.interruption?.rule == .act4)
      #expect(scene[1]?.isGateOpen == false)
      let error = scene.refusal(1, .activate)
      #expect(error?.code == .insufficientPriority)
      #expect(error?.message.contains("session 2") == true)
      #expect(scene[2]?.isGateOpen == true)
    }
  }

  @Test("ACT-4 the phone always wins, whatever its options say")
  func mixablePhone() {
    var scene = Scene()
    scene.play(1, .music)
    scene.play(2, .mixing, as: .phone)
    #expect(scene[1]?.isGateOpen == false)
    #expect(scene.refusal(1, .activate)?.code == .insufficientPriority)
  }

  @Test("ACT-4 only programs the configuration names may use a class above app")
  func entitlement() {
    var scene = Scene()
    scene.do(
      .sessionOpened(
        request: RequestID(rawValue: 5),
        session: SessionID(rawValue: 1),
        description: SessionDescription(app: "assistant", priorityClass: .phone),
      )
    )
    guard case .refused(let error) = scene.replies[RequestID(rawValue: 5)] else {
      Issue.record("not refused")
      return
    }
    #expect(error.code == .missingEntitlement)
    #expect(error.allowed == ["assistant"])
    #expect(scene[1] == nil)
  }

  @Test("ACT-4 background: non-mixable needs to be now playing, mixable capture inter-app audio")
  func background() {
    var scene = Scene()
    let id = SessionID(rawValue: 1)
    scene.open(1, .music)
    scene.do(.appBackgrounded(session: id))
    #expect(scene.refusal(1, .activate)?.code == .cannotInterruptOthers)
    scene.do(.appForegrounded(session: id))
    scene.ask(1, .setTakesRemoteCommands(isOn: true))
    scene.ask(1, .activate)
    scene.ask(1, .deactivate(notifyOthers: false))
    scene.do(.appBackgrounded(session: id))
    #expect(scene.ask(1, .activate) == .done)
    scene.open(2, .make(.playAndRecord, options: .mixWithOthers))
    scene.do(.appBackgrounded(session: SessionID(rawValue: 2)))
    #expect(scene.refusal(2, .activate)?.code == .cannotStartRecording)
    scene.do(
      .traitsChanged(
        session: SessionID(rawValue: 2),
        traits: SessionTraits(isInterAppConnected: true)
      )
    )
    #expect(scene.ask(2, .activate) == .done)
    scene.open(3, .mixing)
    scene.do(.appBackgrounded(session: SessionID(rawValue: 3)))
    scene.ask(3, .activate)
    #expect(
      scene.refusal(3, .setCategory(category: .playback, options: []))?.code
        == .cannotInterruptOthers
    )
    #expect(scene[3]?.configuration == .mixing)
  }

  @Test("ACT-4 no app records while the assistant does")
  func assistantRecords() {
    var scene = Scene()
    scene.play(1, .make(.playAndRecord, options: .duckOthers), as: .assistant)
    scene.open(2, .recording)
    #expect(scene.refusal(2, .activate)?.code == .siriIsRecording)
    scene.open(3, .mixing)
    #expect(scene.ask(3, .activate) == .done)
  }

  @Test("ACT-5 deactivating with I/O running stops it; older versions also say isBusy")
  func busy() {
    var scene = Scene()
    scene.play(1, .music)
    #expect(scene.ask(1, .deactivate(notifyOthers: false)) == .done)
    #expect(scene.effects.contains(.stopIO(session: SessionID(rawValue: 1))))
    scene.open(2, .music, compatibility: .ios17)
    scene.play(2)
    #expect(scene.refusal(2, .deactivate(notifyOthers: false))?.code == .isBusy)
    #expect(scene[2]?.isActive == false)
    #expect(scene.effects.contains(.stopIO(session: SessionID(rawValue: 2))))
    scene.open(3, .music, compatibility: Compatibility(majorVersion: 7))
    scene.play(3)
    #expect(scene.refusal(3, .deactivate(notifyOthers: false))?.code == .isBusy)
    #expect(scene[3]?.isActive == true)
    #expect(scene[3]?.isRunningIO == true)
  }

  @Test("ACT-6 with and without notifyOthersOnDeactivation", arguments: [true, false])
  func notifyOthers(notifies: Bool) {
    var scene = Scene()
    scene.play(1, .music)
    scene.play(2, .music)
    scene.ask(2, .deactivate(notifyOthers: notifies))
    #expect(
      scene.notices(1) == [
        .interruptionEnded(shouldResume: notifies, heldCommands: []),
        .resumptionRecommendation(shouldResume: notifies),
      ]
    )
    #expect(scene.notices(2) == [.didBecomeInactive(interruption: nil)])
  }

  @Test("ACT-7 other audio and the silence-secondary-audio hint")
  func hints() {
    var scene = Scene()
    scene.play(1, .ambience)
    #expect(!scene.tower.state.isOtherAudioPlaying(for: SessionID(rawValue: 1)))
    scene.play(3, .music)
    #expect(scene.tower.state.isOtherAudioPlaying(for: SessionID(rawValue: 1)))
    #expect(scene.notices(1) == [.silenceSecondaryAudioHint(begins: true)])
    #expect(scene[3]?.secondaryAudioShouldBeSilencedHint == false)
    scene.do(.ioStopped(session: SessionID(rawValue: 3)))
    #expect(scene.notices(1) == [.silenceSecondaryAudioHint(begins: false)])
    #expect(scene[1]?.secondaryAudioShouldBeSilencedHint == false)
  }

  @Test("ACT-10 an idle, mixing or silent session gives no hint and is no other audio")
  func noOtherAudio() {
    let one = SessionID(rawValue: 1)
    let two = SessionID(rawValue: 2)
    var scene = Scene()
    func expectQuiet(_ comment: Comment) {
      #expect(!scene.tower.state.isOtherAudioPlaying(for: one), comment)
      #expect(scene[1]?.secondaryAudioShouldBeSilencedHint == false, comment)
    }
    scene.play(1, .ambience)
    scene.play(3, .mixing)
    expectQuiet("mixing")
    scene.open(2, .music)
    scene.do(.audioLevelChanged(session: two, isSilent: true))
    scene.ask(2, .activate)
    expectQuiet("idle")
    scene.do(.ioStarted(session: two))
    expectQuiet("silent since before its activation")
    scene.do(.audioLevelChanged(session: two, isSilent: false))
    #expect(scene.notices(1) == [.silenceSecondaryAudioHint(begins: true)])
    #expect(scene.tower.state.isOtherAudioPlaying(for: one))
    scene.do(.audioLevelChanged(session: two, isSilent: true))
    #expect(scene.notices(1) == [.silenceSecondaryAudioHint(begins: false)])
    expectQuiet("silent")
  }

  @Test("ACT-8 sessions that are active but silent for long are listed")
  func activeButSilent() throws {
    var scene = Scene { $0.silentAfterNanoseconds = 1_000 }
    scene.play(1, .music)
    let now = scene.time
    func isListed(_ time: UInt64) -> Bool? {
      scene.tower.state.status(atNanoseconds: time).sessions.first?.isActiveButSilent
    }
    #expect(isListed(now + 10_000) == false)
    scene.do(.audioLevelChanged(session: SessionID(rawValue: 1), isSilent: true))
    #expect(isListed(scene.time + 999) == false)
    #expect(isListed(scene.time + 1_000) == true)
    #expect(scene.tower.state.explanation(of: SessionID(rawValue: 1))?.rule == .act8)
    scene.do(.audioLevelChanged(session: SessionID(rawValue: 1), isSilent: false))
    #expect(isListed(scene.time + 10_000) == false)
    // One that is not active is silent by right.
    scene.do(.audioLevelChanged(session: SessionID(rawValue: 1), isSilent: true))
    scene.ask(1, .deactivate(notifyOthers: true))
    #expect(isListed(scene.time + 10_000) == false)
    // One that is active and does not even start counts from its activation.
    scene.ask(1, .activate)
    scene.do(.ioStopped(session: SessionID(rawValue: 1)))
    let activated = scene.time - 1_000_000
    for (time, isSilent) in [(0, false), (activated + 999, false), (activated + 1_000, true)] {
      #expect(isListed(time) == isSilent)
    }
  }
}
