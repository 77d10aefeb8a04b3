// SPDX-License-Identifier: MIT

import Sessions
import Testing

@Suite("SYS: system state")
struct SYSTests {
  static let one = SessionID(rawValue: 1)

  @Test("SYS-1 silent switch and lock silence the ambient categories; no session is interrupted")
  func switchAndLock() {
    for on in [
      TowerEvent.Kind.silentSwitchChanged(isOn: true), .screenLockChanged(isLocked: true),
    ] {
      var scene = Scene()
      scene.play(1, .ambience)
      scene.play(2, .music)
      scene.do(on)
      #expect(scene.gate(1) == false)
      #expect(scene[1]?.isActive == true)
      #expect(scene[2]?.isGateOpen == true)
      scene.do(.silentSwitchChanged(isOn: false))
      scene.do(.screenLockChanged(isLocked: false))
      #expect(scene[1]?.isGateOpen == true)
    }
  }

  @Test(
    "SYS-1 background: ambient ends there, playback only without the flag",
    arguments: [
      (SessionConfiguration.ambience, true, false), (SessionConfiguration(), true, false),
      (.mixing, true, true), (.mixing, false, false), (.music, true, true),
    ]
  )
  func background(configuration: SessionConfiguration, hasFlag: Bool, goesOn: Bool) {
    var scene = Scene()
    scene.open(1, configuration, traits: SessionTraits(hasBackgroundAudio: hasFlag))
    scene.play(1)
    scene.do(.appBackgrounded(session: Self.one))
    #expect(scene[1]?.isActive == goesOn)
    if !goesOn {
      #expect(
        scene.notices(1).first == .interruptionBegan(reason: .appWasSuspended, wasSuspended: true)
      )
      if configuration.category.canRunInBackground {
        #expect(scene.refusal(1, .activate)?.code == .cannotStartPlaying)
      }
      scene.do(.appForegrounded(session: Self.one))
      #expect(scene.notices(1).first == .interruptionEnded(shouldResume: true, heldCommands: []))
      #expect(scene.ask(1, .activate) == .done)
    }
  }

  @Test("SYS-2 requests of a suspended app wait, and are done in order on its return")
  func suspended() {
    var scene = Scene { $0.waitingRequestLimit = 2 }
    scene.open(1, .music, traits: SessionTraits(suspendsInBackground: true))
    scene.do(.appBackgrounded(session: Self.one))
    #expect(scene.ask(1, .setCategory(category: .playback, options: .mixWithOthers)) == nil)
    #expect(scene.ask(1, .activate) == nil)
    #expect(scene.refusal(1, .activate)?.code == .isBusy)
    scene.do(.appForegrounded(session: Self.one))
    #expect(scene.replies == [RequestID(rawValue: 1): .done, RequestID(rawValue: 2): .done])
    #expect(scene[1]?.isActive == true)
    #expect(scene[1]?.configuration == .mixing)
  }

  @Test("SYS-5 one app is in the foreground; the others are treated by their category")
  func oneForegroundApp() {
    var scene = Scene()
    scene.play(1, .ambience)
    scene.play(2, .mixing)
    scene.do(.foregroundChanged(app: "app2"))
    #expect(scene[1]?.isInBackground == true)
    #expect(scene[1]?.interruption?.interrupters == [.background])
    #expect(scene[2]?.isGateOpen == true)
    scene.do(.foregroundChanged(app: "app1"))
    #expect(scene[1]?.isInBackground == false)
    #expect(scene.notices(1).first == .interruptionEnded(shouldResume: true, heldCommands: []))
    #expect(scene[2]?.isInBackground == true)
    #expect(scene[2]?.isGateOpen == true)
    // The next app begins in the background; without a foreground app no app is there.
    scene.open(3)
    #expect(scene[3]?.isInBackground == true)
    scene.do(.foregroundChanged(app: nil))
    for id in UInt32(1)...3 { #expect(scene[id]?.isInBackground == false) }
  }

  @Test("SYS-5 sessions of the host itself are never in the background")
  func hostSessions() {
    var scene = Scene()
    scene.open(1, .ambience, traits: SessionTraits(isAlwaysInForeground: true))
    scene.play(1)
    scene.do(.foregroundChanged(app: "game"))
    #expect(scene[1]?.isGateOpen == true)
  }

  @Test("SYS-5 after the foreground app left, every app is in the background")
  func noForegroundApp() {
    var scene = Scene()
    scene.open(1, .music)
    scene.do(.foregroundChanged(app: "app1"))
    scene.do(.appBackgrounded(session: Self.one))
    scene.open(2)
    #expect(scene[1]?.isInBackground == true)
    #expect(scene[2]?.isInBackground == true)
  }

  @Test(
    "SYS-5 calls of ambient and soloAmbient apps in the background wait for their return",
    arguments: [SessionConfiguration.ambience, SessionConfiguration()]
  )
  func queuedByDefault(configuration: SessionConfiguration) {
    var scene = Scene()
    scene.open(1, configuration)
    scene.do(.foregroundChanged(app: "other"))
    #expect(scene.ask(1, .setOutputMuted(isMuted: true)) == nil)
    #expect(scene.rules(1) == [.sys5])
    #expect(scene.ask(1, .activate) == nil)
    #expect(scene[1]?.isOutputMuted == false)
    scene.do(.foregroundChanged(app: "app1"))
    #expect(scene.replies == [RequestID(rawValue: 1): .done, RequestID(rawValue: 2): .done])
    #expect(scene[1]?.isActive == true)
    #expect(scene[1]?.isOutputMuted == true)
  }

  @Test("SYS-5 an adopted client that was refused in the background is heard on its return")
  func adoptedInBackground() {
    var scene = Scene()
    scene.do(.foregroundChanged(app: "other"))
    scene.open(1, .music, isAdopted: true)
    scene.do(.ioStarted(session: Self.one))
    #expect(scene[1]?.isActive == false)
    scene.do(.foregroundChanged(app: "app1"))
    #expect(scene[1]?.isGateOpen == true)
  }

  @Test("SYS-1 a player that starts in the background without the flag plays on its return")
  func flaglessInBackground() {
    var scene = Scene()
    scene.open(1, .music, isAdopted: true, traits: SessionTraits(hasBackgroundAudio: false))
    scene.do(.appBackgrounded(session: Self.one))
    scene.do(.ioStarted(session: Self.one))
    #expect(scene[1]?.isActive == false)
    #expect(scene[1]?.interruption?.interrupters == [.background])
    #expect(scene[1]?.interruption?.wasPlaying == true)
    scene.do(.appForegrounded(session: Self.one))
    #expect(scene[1]?.isActive == true && scene[1]?.isGateOpen == true)
    #expect(scene.effects.contains(.resumePlayer(session: Self.one)))
  }

  @Test("SYS-1 a priority class is active in the background, whatever its category")
  func priorityInBackground() {
    for (priorityClass, isAllowed) in [(PriorityClass.alarm, true), (.app, false)] {
      var scene = Scene()
      scene.open(
        1,
        .music,
        as: priorityClass,
        traits: SessionTraits(hasBackgroundAudio: false),
      )
      scene.do(.appBackgrounded(session: Self.one))
      #expect((scene.refusal(1, .activate) == nil) == isAllowed)
    }
  }

  @Test("SYS-6 music is what plays, and no prompt, call or sound of a game, even if it takes keys")
  func promptIsNoMusic() {
    for (configuration, isHeard) in [
      (SessionConfiguration.interruptingPrompt, true), (.prompt, true), (.mixing, false),
      (.music, false), (.spoken, false), (.routes, false), (.both, true), (.call, true),
      (SessionConfiguration(), true), (.ambience, true),
    ] {
      var scene = Scene()
      scene.open(1, .mixing, app: "game", traits: SessionTraits(music: .background))
      scene.play(1)
      scene.open(2, configuration, traits: SessionTraits(takesRemoteCommands: true))
      scene.play(2)
      #expect(scene[1]?.isGateOpen == isHeard, "\(configuration)")
    }
  }

  @Test("SYS-4 an interruption of class app is none; an app opens a session for it")
  func simulatedApp() {
    var scene = Scene()
    scene.play(1, .music)
    let state = scene.tower.state
    scene.do(.simulatedInterruptionBegan(class: .app, isRinging: false))
    #expect(scene.tower.state == state && scene.notices(1).isEmpty)
  }

  @Test("SYS-5 the foreground is left by the app that has it, and by no other")
  func leaving() {
    var scene = Scene()
    scene.open(1, .mixing)
    scene.open(2, .mixing)
    scene.do(.foregroundChanged(app: "app1"))
    scene.do(.appBackgrounded(session: SessionID(rawValue: 2)))
    #expect(scene.tower.state.foreground == .app(name: "app1"))
    scene.open(3, .mixing, app: "app1")
    #expect(scene[3]?.isInBackground == false)
    scene.do(.appBackgrounded(session: Self.one))
    #expect(scene.tower.state.foreground == .none)
    scene.open(4, .mixing, app: "app1")
    #expect(scene[4]?.isInBackground == true)
  }

  @Test("SYS-5 a background app may still choose a category that goes on there")
  func categoryInBackground() {
    var scene = Scene()
    scene.open(1)
    scene.do(.foregroundChanged(app: "other"))
    #expect(scene.ask(1, .setCategory(category: .playback, options: .mixWithOthers)) == .done)
    #expect(scene.ask(1, .activate) == .done)
    // Not ahead of calls that wait already.
    scene.open(2)
    #expect(scene.ask(2, .activate) == nil)
    #expect(scene.ask(2, .setCategory(category: .playback, options: .mixWithOthers)) == nil)
  }

  @Test("SYS-6 background music is silent while another app's music plays, and comes back")
  func backgroundMusic() {
    var scene = Scene()
    scene.open(1, .ambience, traits: SessionTraits(music: .background))
    scene.play(1)
    #expect(scene[1]?.isGateOpen == true)
    // The user's player mixes, so no session is interrupted.
    scene.open(2, .mixing, traits: SessionTraits(takesRemoteCommands: true))
    scene.play(2)
    #expect(scene.gate(1) == false)
    #expect(scene[1]?.isActive == true)
    #expect(scene.tower.state.explanation(of: Self.one)?.rule == .sys6)
    let two = SessionID(rawValue: 2)
    scene.do(.audioLevelChanged(session: two, isSilent: true))
    #expect(scene.gate(1) == true)
    scene.do(.audioLevelChanged(session: two, isSilent: false))
    #expect(scene.gate(1) == false)
    scene.do(.ioStopped(session: two))
    #expect(scene.gate(1) == true)
  }

  @Test("SYS-6 prompts, sounds and the app's own music leave background music alone")
  func otherSounds() {
    var scene = Scene()
    scene.open(1, .ambience, app: "game", traits: SessionTraits(music: .background))
    scene.play(1)
    scene.play(2, .prompt)
    scene.play(3, .ambience)
    scene.play(4, .mixing)
    scene.open(5, .mixing, app: "game", traits: SessionTraits(takesRemoteCommands: true))
    scene.play(5)
    #expect(scene[1]?.isGateOpen == true)
  }

  @Test("SYS-6 background music of two apps is heard together, even if one takes keys")
  func twoBackgrounds() {
    var scene = Scene()
    for id in 1...2 as ClosedRange<UInt32> {
      scene.open(
        id,
        .mixing,
        traits: SessionTraits(takesRemoteCommands: true, music: .background),
      )
      scene.play(id)
    }
    #expect(scene[1]?.isGateOpen == true && scene[2]?.isGateOpen == true)
  }

  @Test("SYS-3 an interrupted session still takes every other call")
  func interruptedTakesCalls() {
    var scene = Scene()
    scene.play(1, .music)
    scene.do(.simulatedInterruptionBegan(class: .phone, isRinging: false))
    #expect(scene.ask(1, .setCategory(category: .playback, options: .mixWithOthers)) == .done)
    #expect(scene.ask(1, .prefer(change: .ioBuffer(seconds: 0.01))) == .done)
    #expect(scene.ask(1, .setOutputMuted(isMuted: true)) == .done)
    scene.do(.ioStopped(session: Self.one))
    scene.do(.ioStarted(session: Self.one))
    #expect(scene[1]?.isGateOpen == false)
    #expect(scene[1]?.interruption != nil)
  }

  @Test(
    "SYS-4 interruptions of each class can be produced on demand",
    arguments: PriorityClass.allCases
  )
  func simulate(priorityClass: PriorityClass) {
    var scene = Scene()
    scene.play(1, .mixing)
    scene.do(.simulatedInterruptionBegan(class: priorityClass, isRinging: false))
    // Class app is not an interruption of the system: a session does that.
    #expect((scene[1]?.interruption != nil) == (priorityClass != .app))
    scene.do(.simulatedInterruptionEnded(class: priorityClass, shouldResume: true))
    #expect(scene[1]?.interruption == nil)
  }

  @Test("SYS-4 events without a subject are ignored with a line in the log")
  func nonsense() {
    var scene = Scene()
    let before = scene.tower.state
    for kind in [
      TowerEvent.Kind.sessionClosed(session: SessionID(rawValue: 9), cause: .died),
      .ioStarted(session: SessionID(rawValue: 9)), .routeVanished(uid: "nothing"),
      .simulatedInterruptionEnded(class: .phone, shouldResume: true),
      .remoteCommand(command: .play, session: nil),
    ] {
      let effects = scene.do(kind)
      #expect(effects.count == 1)
      guard case .log(let decision) = effects.first, case .ignored = decision.kind else {
        Issue.record("not logged: \(kind)")
        continue
      }
    }
    #expect(scene.tower.state == before)
  }
}
