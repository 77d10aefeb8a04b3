// SPDX-License-Identifier: MIT

import Sessions
import Testing

@Suite("SES: the session object")
struct SESTests {
  @Test("SES-1 a session begins as soloAmbient, mode default, no options, inactive")
  func defaults() throws {
    var scene = Scene()
    scene.open(1)
    let session = try #require(scene[1])
    #expect(session.configuration.category == .soloAmbient)
    #expect(session.configuration.mode == .default)
    #expect(session.configuration.options == [])
    #expect(!session.isActive)
    #expect(!session.isGateOpen && !session.isCaptureOpen)
    #expect(session.configuration.category.hasOutput && !session.configuration.category.hasInput)
  }

  @Test("SES-1 the same id twice is refused and leaves the first alone")
  func sameIDTwice() {
    var scene = Scene()
    scene.open(1, .music)
    let before = scene.tower.state
    scene.do(
      .sessionOpened(
        request: RequestID(rawValue: 77),
        session: SessionID(rawValue: 1),
        description: SessionDescription(app: "other"),
      )
    )
    guard case .refused(let error) = scene.replies[RequestID(rawValue: 77)] else {
      Issue.record("not refused")
      return
    }
    #expect(error.code == .badParam)
    #expect(scene.tower.state == before)
  }

  @Test("SES-2 a refusal is typed, with the SDK's code, and leaves the state")
  func refusals() {
    var scene = Scene()
    scene.open(1, .music)
    let before = scene[1]
    #expect(scene.refusal(1, .setMode(mode: .voiceChat))?.code == .badParam)
    #expect(scene.refusal(1, .overrideOutput(port: .speaker))?.code == .incompatibleCategory)
    #expect(
      scene.refusal(1, .prefer(change: .inputChannels(count: 1)))?.code == .incompatibleCategory
    )
    #expect(scene.refusal(1, .prefer(change: .sampleRate(hz: .nan)))?.code == .badParam)
    #expect(scene.refusal(9, .activate)?.code == .expiredSession)
    #expect(scene[1] == before)
  }

  @Test("SES-2 the codes are the SDK's four characters")
  func codes() {
    let fourCharacters: [SessionError.Code: String] = [
      .mediaServicesFailed: "msrv", .isBusy: "!act", .incompatibleCategory: "!cat",
      .cannotInterruptOthers: "!int", .missingEntitlement: "ent?", .siriIsRecording: "siri",
      .cannotStartPlaying: "!pla", .cannotStartRecording: "!rec", .insufficientPriority: "!pri",
      .resourceNotAvailable: "!res", .unspecified: "what", .expiredSession: "!ses",
      .sessionNotActive: "inac",
    ]
    for (code, characters) in fourCharacters {
      #expect(code.rawValue == characters.utf8.reduce(0) { $0 << 8 | Int($1) }, "\(code)")
    }
    #expect(SessionError.Code.badParam.rawValue == -50)
    #expect(SessionError.Code.allCases.count == fourCharacters.count + 1)
  }

  @Test("SES-3 inactive: category and options wait for the activation")
  func configureInactive() {
    var scene = Scene()
    scene.open(1)
    #expect(scene.ask(1, .setCategory(category: .playback, options: [])) == .done)
    #expect(scene.notices(1).isEmpty)
    scene.ask(1, .activate)
    #expect(
      scene.notices(1).contains {
        if case .routeChanged(.categoryChange, _, _) = $0 { true } else { false }
      }
    )
  }

  @Test("SES-3 active: category and options take effect at once, with reason categoryChange")
  func configureActive() {
    var scene = Scene()
    scene.play(1, .mixing)
    scene.play(2, .mixing)
    scene.ask(1, .setCategory(category: .playback, options: []))
    #expect(
      scene.notices(1).contains {
        if case .routeChanged(.categoryChange, _, _) = $0 { true } else { false }
      }
    )
    #expect(scene[2]?.isActive == true)
    scene.ask(2, .setCategory(category: .playback, options: []))
    #expect(scene[1]?.interruption?.interrupters == [.session(id: SessionID(rawValue: 2))])
  }

  @Test("SES-3 a mode of playAndRecord without mute lifts the mute, and says so")
  func liftedMute() {
    for (isMuted, mode, isLifted) in [
      (true, Mode.voiceChat, true), (true, .default, false), (false, .voiceChat, false),
    ] {
      var scene = Scene()
      scene.open(1, .both)
      scene.ask(1, .setOutputMuted(isMuted: isMuted))
      scene.ask(1, .setMode(mode: mode))
      #expect(scene.notices(1) == (isLifted ? [.outputMuteChanged(isMuted: false)] : []))
      #expect(scene[1]?.isOutputMuted == (isMuted && !isLifted))
    }
    var scene = Scene()
    scene.play(1, .music)
    scene.ask(1, .setOutputMuted(isMuted: true))
    #expect(scene.gate(1) == false)
    scene.ask(
      1,
      .configure(category: .playAndRecord, mode: .voiceChat, policy: .default, options: [])
    )
    #expect(scene.gate(1) == true && scene[1]?.isOutputMuted == false)
    scene.play(2, .mixing)
    scene.ask(2, .setOutputMuted(isMuted: true))
    scene.ask(2, .setMode(mode: .moviePlayback))
    #expect(scene[2]?.isOutputMuted == true && scene[2]?.isGateOpen == false)
  }

  @Test("SES-3 an output cannot be muted in a mode of playAndRecord, and can be everywhere else")
  func refusedMute() {
    for (configuration, isRefused) in [
      (SessionConfiguration.call, true), (.both, false), (.music, false), (.spoken, false),
    ] {
      var scene = Scene()
      scene.open(1, configuration)
      for isMuted in [true, false] {
        let refusal = scene.refusal(1, .setOutputMuted(isMuted: isMuted))
        #expect((refusal != nil) == (isMuted && isRefused), "\(configuration)")
        #expect(scene[1]?.isOutputMuted == (isMuted && !isRefused))
      }
    }
  }

  @Test("ACT-7 a session that begins alone has nothing to silence, and is told nothing")
  func noHint() {
    var scene = Scene()
    scene.open(1, .mixing)
    #expect(scene[1]?.secondaryAudioShouldBeSilencedHint == false)
    scene.ask(1, .activate)
    #expect(scene[1]?.secondaryAudioShouldBeSilencedHint == false)
    #expect(scene.notices(1).first == .didBecomeActive)
    #expect(
      !scene.notices(1).contains {
        if case .silenceSecondaryAudioHint = $0 { true } else { false }
      }
    )
  }

  @Test("SES-1 sessions are in the order of their numbers")
  func order() {
    let ids = [3, 1, 2, 1].map { SessionID(rawValue: $0) }
    #expect(ids.sorted().map(\.rawValue) == [1, 1, 2, 3])
    #expect(ids[1] < ids[2] && !(ids[2] < ids[1]) && !(ids[1] < ids[3]))
  }

  @Test("SES-4 starting I/O activates, and follows the same rules")
  func implicitActivation() {
    var scene = Scene()
    scene.open(1, .music)
    scene.do(.ioStarted(session: SessionID(rawValue: 1)))
    #expect(scene[1]?.isActive == true)
    #expect(scene.rules(1).contains(.ses4))
    scene.do(.simulatedInterruptionBegan(class: .phone, isRinging: false))
    scene.open(2, .music)
    scene.do(.ioStarted(session: SessionID(rawValue: 2)))
    #expect(scene[2]?.isActive == false)
    #expect(scene[2]?.interruption == nil)
  }

  @Test("SES-4 an adopted client that starts during a call resumes after it")
  func adoptedStartsDuringCall() {
    var scene = Scene()
    scene.do(.simulatedInterruptionBegan(class: .phone, isRinging: false))
    scene.open(1, .music, isAdopted: true)
    scene.do(.ioStarted(session: SessionID(rawValue: 1)))
    #expect(scene[1]?.isActive == false)
    scene.do(.simulatedInterruptionEnded(class: .phone, shouldResume: true))
    #expect(scene[1]?.isActive == true)
    #expect(scene.gate(1) == true)
  }

  @Test("SES-5 an invalid combination does not even decode")
  func decoding() throws {
    var scene = Scene()
    scene.open(1, .call)
    let text = try EventLog(start: scene.tower.state).header()
    let bad = text.replacing("AVAudioSessionCategoryPlayAndRecord", with: Category.ambient.rawValue)
    #expect(text != bad)
    #expect(throws: EventLogError.self) { try EventLog(jsonLines: bad + "\n") }
    #expect(try EventLog(jsonLines: text + "\n").start == scene.tower.state)
  }

  @Test("SES-6 a process that dies ends its session; the sessions that it interrupted are notified")
  func death() {
    var scene = Scene()
    scene.play(1, .music)
    scene.play(2, .music)
    scene.ask(2, .prefer(change: .ioBuffer(seconds: 0.005)))
    scene.do(.permissionAnswered(app: "app2", permission: .granted))
    scene.do(.sessionClosed(session: SessionID(rawValue: 2), cause: .died))
    #expect(scene.gate(2) == false)
    #expect(scene.notices(1).contains(.interruptionEnded(shouldResume: true, heldCommands: [])))
    scene.open(3, .music, app: "app2")
    #expect(scene[3]?.preferences.ioBufferSeconds == 0.005)
    #expect(scene.tower.state.permission(of: "app2") == .granted)
  }

  @Test("SES-7 implicit options: refused by the newest, ignored by ios17")
  func implicitOptions() throws {
    var configuration = SessionConfiguration()
    let newest = #expect(throws: SessionError.self) {
      try configuration.setCategory(.playback, options: .allowAirPlay)
    }
    #expect(newest?.allowed.contains("mixWithOthers") == true)
    #expect(newest?.message.contains("allowAirPlay") == true)
    try configuration.setCategory(
      .playback,
      options: [.allowAirPlay, .duckOthers],
      compatibility: .ios17
    )
    #expect(configuration.options == [.duckOthers, .mixWithOthers])
    #expect(throws: SessionError.self) {
      try configuration.setCategory(
        .playback,
        options: .defaultToSpeaker,
        compatibility: .ios17
      )
    }
  }

  @Test(
    "SES-7 compatibility names",
    arguments: [("latest", 27), ("ios17", 17), ("ios7", 7), ("ios27", 27)]
  )
  func names(name: String, version: Int) {
    #expect(Compatibility(name: name)?.majorVersion == version)
  }

  @Test("SES-7 unknown compatibility names", arguments: ["", "ios", "ios6", "ios28", "17"])
  func unknownNames(name: String) {
    #expect(Compatibility(name: name) == nil)
  }
}
