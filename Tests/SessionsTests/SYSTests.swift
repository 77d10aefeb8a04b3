// SPDX-License-Identifier: MIT

import Sessions
import Testing

@Suite("SYS: system state")
struct SYSTests {
  static let one = SessionID(rawValue: 1)

  @Test("SYS-1 silent switch and lock silence the ambient categories; nobody is interrupted")
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
        scene.told(1).first == .interruptionBegan(reason: .appWasSuspended, wasSuspended: true)
      )
      #expect(scene.refusal(1, .activate)?.code == .cannotStartPlaying)
      scene.do(.appForegrounded(session: Self.one))
      #expect(scene.told(1).first == .interruptionEnded(shouldResume: true, heldCommands: []))
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
    // Class app is no interruption of the system's: a session does that.
    #expect((scene[1]?.interruption != nil) == (priorityClass != .app))
    scene.do(.simulatedInterruptionEnded(class: priorityClass, shouldResume: true))
    #expect(scene[1]?.interruption == nil)
  }

  @Test("SYS-4 events that fit nothing are left out with a line in the log")
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
