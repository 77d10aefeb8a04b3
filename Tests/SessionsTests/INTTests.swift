// SPDX-License-Identifier: MIT

import Sessions
import Testing

@Suite("INT: interruptions")
struct INTTests {
  static let one = SessionID(rawValue: 1)
  static let two = SessionID(rawValue: 2)

  @Test("INT-1 the engine acts first, with a fade, then the app is notified")
  func order() throws {
    var scene = Scene { $0.fadeMilliseconds = 7 }
    scene.play(1, .music)
    let effects = scene.do(.simulatedInterruptionBegan(class: .phone, isRinging: false))
    let gate = effects.firstIndex(
      of: .setGate(session: Self.one, isOpen: false, fadeMilliseconds: 7)
    )
    let notice = effects.firstIndex(
      of: .notify(
        session: Self.one,
        notification: .interruptionBegan(reason: .default, wasSuspended: false),
      )
    )
    #expect(try #require(gate) < #require(notice))
    #expect(scene.notices(1).contains(.didBecomeInactive(interruption: .default)))
  }

  @Test("INT-1 of two that change places, the first falls silent before the second is heard")
  func changingPlaces() throws {
    var scene = Scene()
    scene.open(1, .music)
    scene.open(2, .music)
    scene.play(2)
    scene.ask(1, .activate)
    let closing = scene.effects.firstIndex(
      of: .setGate(session: Self.two, isOpen: false, fadeMilliseconds: 5)
    )
    let opening = scene.effects.firstIndex(
      of: .setGate(session: Self.one, isOpen: true, fadeMilliseconds: 5)
    )
    #expect(try #require(closing) < #require(opening))
  }

  @Test("INT-2 an interrupted session may activate by itself; no end follows")
  func noEnd() {
    var scene = Scene()
    scene.play(1, .music)
    scene.play(2, .music)
    #expect(scene.ask(1, .activate) == .done)
    #expect(scene[2]?.interruption?.interrupters == [.session(id: Self.one)])
    #expect(!scene.notices(1).contains { if case .interruptionEnded = $0 { true } else { false } })
    scene.ask(2, .deactivate(notifyOthers: true))
    #expect(scene.notices(1).isEmpty)
    #expect(scene[1]?.isActive == true)
  }

  @Test("INT-3 a call that is ignored: silence, notice, notice of the end, back")
  func figure() {
    var scene = Scene()
    scene.play(1, .music)
    scene.open(2, .call, as: .phone)
    scene.ask(2, .activate)
    #expect(scene.gate(1) == false)
    #expect(scene.notices(1).first == .interruptionBegan(reason: .default, wasSuspended: false))
    scene.ask(2, .deactivate(notifyOthers: true))
    #expect(scene.notices(1).first == .interruptionEnded(shouldResume: true, heldCommands: []))
    #expect(scene[1]?.isActive == false)
    #expect(scene.ask(1, .activate) == .done)
    #expect(scene.gate(1) == true)
  }

  @Test("INT-3 INT-8 a call rings, is ignored, and the app goes on: the steps of figure 3-1")
  func ignoredCall() {
    var scene = Scene()
    scene.play(1, .music)
    // A call arrives: it is reported, the app is silent and inactive, and then notified.
    let ringing = scene.do(.simulatedInterruptionBegan(class: .phone, isRinging: true))
    let order = ringing.compactMap { effect in
      switch effect {
      case .setGate(_, isOpen: false, _): "silent"
      case .reportCall(.ringing): "rings"
      case .notify(_, .interruptionBegan): "notified"
      default: nil
      }
    }
    #expect(order == ["silent", "rings", "notified"])
    #expect(scene[1]?.isActive == false)
    // The user ignores it: the app is notified of the end, and resumes by itself.
    let declined = scene.do(.callDeclined)
    #expect(declined.contains(.reportCall(state: .declined)))
    #expect(scene.notices(1).first == .interruptionEnded(shouldResume: true, heldCommands: []))
    #expect(scene.ask(1, .activate) == .done)
    #expect(scene[1]?.isGateOpen == true)
  }

  @Test("INT-3 INT-8 an answered call ends the interruption when it is over")
  func answeredCall() {
    var scene = Scene()
    scene.play(1, .music)
    scene.do(.simulatedInterruptionBegan(class: .phone, isRinging: true))
    let answered = scene.do(.callAnswered)
    #expect(answered.contains(.reportCall(state: .answered)))
    #expect(scene.notices(1) == [])
    #expect(scene.do(.callDeclined).count == 1)
    #expect(scene[1]?.interruption != nil)
    let ended = scene.do(.simulatedInterruptionEnded(class: .phone, shouldResume: true))
    #expect(ended.contains(.reportCall(state: .ended)))
    #expect(scene.notices(1).first == .interruptionEnded(shouldResume: true, heldCommands: []))
  }

  @Test("INT-8 a ringing call spares sessions that ask for it; answering it interrupts them")
  func sparedWhileRinging() {
    var scene = Scene()
    scene.play(1, .mixing)
    scene.ask(1, .setPrefersNoInterruptionsFromSystemAlerts(isOn: true))
    scene.play(2, .mixing)
    scene.do(.simulatedInterruptionBegan(class: .phone, isRinging: true))
    #expect(scene[1]?.isGateOpen == true)
    #expect(scene[2]?.isGateOpen == false)
    scene.do(.callAnswered)
    #expect(scene[1]?.isGateOpen == false)
    scene.do(.simulatedInterruptionEnded(class: .phone, shouldResume: true))
    scene.ask(1, .activate)
    // Declined, the spared session hears nothing of it.
    scene.do(.simulatedInterruptionBegan(class: .phone, isRinging: true))
    scene.do(.callDeclined)
    #expect(scene.notices(1) == [])
    #expect(scene[1]?.isGateOpen == true)
  }

  @Test("INT-8 without a call that rings, answering and declining change nothing")
  func noCall() {
    var scene = Scene()
    scene.play(1, .music)
    let before = scene.tower.state
    for kind in [TowerEvent.Kind.callAnswered, .callDeclined] {
      #expect(scene.do(kind).count == 1)
    }
    #expect(scene.tower.state == before)
  }

  @Test("INT-3 a ringing call spares sessions that prefer so; accepting it does not")
  func ringing() {
    var scene = Scene()
    scene.open(1, .music)
    scene.ask(1, .setPrefersNoInterruptionsFromSystemAlerts(isOn: true))
    scene.play(1)
    scene.do(.simulatedInterruptionBegan(class: .phone, isRinging: true))
    #expect(scene[1]?.isActive == true)
    scene.do(.simulatedInterruptionBegan(class: .phone, isRinging: false))
    #expect(scene[1]?.isActive == false)
    scene.do(.simulatedInterruptionEnded(class: .phone, shouldResume: true))
    #expect(scene.notices(1).first == .interruptionEnded(shouldResume: true, heldCommands: []))
  }

  @Test(
    "INT-3 nested: notified of the end when the last one ends, in either order",
    arguments: [true, false]
  )
  func nested(phoneFirst: Bool) {
    var scene = Scene()
    scene.play(1, .music)
    scene.play(2, .music, as: .alarm)
    scene.do(.simulatedInterruptionBegan(class: .phone, isRinging: false))
    #expect(scene[2]?.interruption?.interrupters == [.simulated(class: .phone)])
    let phone = TowerEvent.Kind.simulatedInterruptionEnded(class: .phone, shouldResume: true)
    let alarm = TowerEvent.Kind.sessionClosed(session: Self.two, cause: .closed)
    scene.do(phoneFirst ? phone : alarm)
    #expect(scene.notices(1).isEmpty)
    scene.do(phoneFirst ? alarm : phone)
    #expect(scene[1]?.interruption == nil)
    #expect(scene.notices(1).first == .interruptionEnded(shouldResume: true, heldCommands: []))
  }

  @Test("INT-3 nested: one that ends without notifying takes the right to resume away")
  func nestedWithoutNotify() {
    var scene = Scene()
    scene.play(1, .music)
    scene.play(2, .music)
    scene.do(.simulatedInterruptionBegan(class: .phone, isRinging: false))
    scene.ask(2, .deactivate(notifyOthers: false))
    scene.do(.simulatedInterruptionEnded(class: .phone, shouldResume: true))
    #expect(scene.notices(1).first == .interruptionEnded(shouldResume: false, heldCommands: []))
  }

  @Test("INT-3 an interrupter that is interrupted keeps its place: the first waits for it")
  func chain() {
    var scene = Scene()
    scene.play(1, .music)
    scene.play(2, .music)
    scene.do(.simulatedInterruptionBegan(class: .phone, isRinging: false))
    scene.do(.simulatedInterruptionEnded(class: .phone, shouldResume: true))
    #expect(scene.notices(2).first == .interruptionEnded(shouldResume: true, heldCommands: []))
    #expect(scene.notices(1).isEmpty)
    scene.play(2)
    scene.ask(2, .deactivate(notifyOthers: true))
    #expect(scene.notices(1).first == .interruptionEnded(shouldResume: true, heldCommands: []))
  }

  @Test(
    "INT-3 being in the background is a reason of one session, and passes to none that waited for it"
  )
  func backgroundIsOnesOwn() {
    var scene = Scene()
    scene.play(1, .music)
    scene.open(2, .music, traits: SessionTraits(hasBackgroundAudio: false))
    scene.play(2)
    let two = SessionID(rawValue: 2)
    scene.do(.appBackgrounded(session: two))
    #expect(scene[2]?.interruption?.interrupters == [.background])
    #expect(scene[1]?.interruption?.interrupters == [.session(id: two)])
    scene.do(.sessionClosed(session: two, cause: .closed))
    #expect(scene[1]?.interruption == nil)
    #expect(scene.notices(1).first == .interruptionEnded(shouldResume: true, heldCommands: []))
  }

  @Test("INT-3 a reason without priority over a waiting session passes its own reasons on to it")
  func reasonsBehindReasons() {
    var scene = Scene()
    scene.play(1, .music)
    scene.play(2, .spoken)
    // It interrupts speech alone, so the music does not wait for it.
    scene.play(3, .interruptingPrompt)
    scene.do(.simulatedInterruptionBegan(class: .phone, isRinging: false))
    #expect(scene[1]?.interruption?.interrupters == [.session(id: Self.two)])
    #expect(scene[2]?.interruption?.interrupters == [.session(id: SessionID(rawValue: 3))])
    scene.do(.sessionClosed(session: Self.two, cause: .died))
    #expect(scene[1]?.interruption?.interrupters == [.simulated(class: .phone)])
  }

  @Test("INT-3 a session that no ringing may interrupt is interrupted by all that does not ring")
  func onlyRinging() {
    for phoneRings in [true, false] {
      var scene = Scene()
      scene.open(1, .music)
      scene.ask(1, .setPrefersNoInterruptionsFromSystemAlerts(isOn: true))
      scene.play(1)
      if phoneRings { scene.do(.simulatedInterruptionBegan(class: .phone, isRinging: true)) }
      #expect(scene[1]?.isActive == true)
      scene.do(.simulatedInterruptionBegan(class: .alarm, isRinging: false))
      #expect(scene[1]?.interruption?.interrupters == [.simulated(class: .alarm)])
    }
  }

  @Test("INT-2 a session that takes its place back leaves its reasons to those that wait for it")
  func reasonsLeft() {
    var scene = Scene()
    for id in 1...3 as ClosedRange<UInt32> { scene.play(id, .music) }
    let three = Interrupter.session(id: SessionID(rawValue: 3))
    #expect(scene[1]?.interruption?.interrupters == [.session(id: Self.two)])
    #expect(scene[2]?.interruption?.interrupters == [three])
    #expect(scene.ask(2, .activate) == .done)
    #expect(scene[1]?.interruption?.interrupters == [.session(id: Self.two), three])
  }

  @Test("INT-2 audio that starts does not take over from the one that interrupted it")
  func startedWhileInterrupted() {
    var scene = Scene()
    scene.play(1, .music)
    scene.play(2, .music)
    scene.do(.ioStarted(session: SessionID(rawValue: 1)))
    #expect(scene[1]?.interruption?.interrupters == [.session(id: SessionID(rawValue: 2))])
    #expect(scene[1]?.isActive == false && scene[2]?.isActive == true)
  }

  @Test("INT-5 an adopted client that has stopped, or has no input any more, stays inactive")
  func noReason() {
    let one = SessionID(rawValue: 1)
    for (configuration, end) in [
      (SessionConfiguration.music, TowerEvent.Kind.ioStopped(session: one)),
      (.recording, .routeVanished(uid: "mic")),
    ] {
      for ends in [true, false] {
        var scene = Scene()
        scene.open(
          1,
          configuration,
          isAdopted: true,
          traits: SessionTraits(reactions: Reactions(interruptionEnd: .resume)),
        )
        scene.do(.ioStarted(session: one))
        scene.do(.simulatedInterruptionBegan(class: .phone, isRinging: false))
        if ends { scene.do(end) }
        scene.do(.simulatedInterruptionEnded(class: .phone, shouldResume: true))
        #expect(scene[1]?.isActive == !ends && scene[1]?.interruption == nil)
        #expect(scene.effects.contains(.resumePlayer(session: one)) == !ends)
      }
    }
  }

  @Test("ACT-4 a simulated interruption stops lower classes, and of its own those that do not mix")
  func simulatedClasses() {
    let rows: [(PriorityClass, SessionConfiguration, Bool)] = [
      (.app, .music, true), (.app, .mixing, true), (.alarm, .music, true), (.alarm, .mixing, false),
      (.phone, .music, false), (.phone, .mixing, false),
    ]
    for (priorityClass, configuration, isStopped) in rows {
      var scene = Scene()
      scene.play(1, configuration, as: priorityClass)
      scene.do(.simulatedInterruptionBegan(class: .alarm, isRinging: false))
      #expect(scene[1]?.isActive == !isStopped, "\(priorityClass), \(configuration)")
    }
  }

  @Test("INT-3 a session waits for a newcomer itself, unless it waits for one that does")
  func behind() {
    var scene = Scene()
    scene.play(1, .music)
    scene.play(2, .music)
    scene.do(.simulatedInterruptionBegan(class: .alarm, isRinging: false))
    scene.do(.simulatedInterruptionBegan(class: .phone, isRinging: false))
    func interrupters(_ id: UInt32) -> [Interrupter]? { scene[id]?.interruption?.interrupters }
    #expect(interrupters(1) == [.session(id: SessionID(rawValue: 2))])
    #expect(interrupters(2) == [.simulated(class: .alarm), .simulated(class: .phone)])
    scene.do(.simulatedInterruptionEnded(class: .alarm, shouldResume: true))
    #expect(scene.notices(2).isEmpty)
    scene.do(.simulatedInterruptionEnded(class: .phone, shouldResume: true))
    #expect(scene.notices(2).first == .interruptionEnded(shouldResume: true, heldCommands: []))
    #expect(scene.notices(1).isEmpty)
  }

  @Test("INT-3 a session that must not resume gives its place up: no session waits for it")
  func chainGivenUp() {
    var scene = Scene()
    scene.play(1, .music)
    scene.play(2, .music)
    scene.do(.simulatedInterruptionBegan(class: .phone, isRinging: false))
    scene.do(.simulatedInterruptionEnded(class: .phone, shouldResume: false))
    #expect(scene.notices(2).first == .interruptionEnded(shouldResume: false, heldCommands: []))
    #expect(scene.notices(1).first == .interruptionEnded(shouldResume: false, heldCommands: []))
  }

  @Test("INT-4 commands are kept and applied at the end; a pause keeps a player silent")
  func heldPause() {
    var scene = Scene()
    scene.open(1, .music, traits: SessionTraits(takesRemoteCommands: true))
    scene.play(1)
    scene.do(.simulatedInterruptionBegan(class: .phone, isRinging: false))
    scene.do(.remoteCommand(command: .pause, session: nil))
    #expect(scene.notices(1).isEmpty)
    scene.do(.simulatedInterruptionEnded(class: .phone, shouldResume: true))
    #expect(
      scene.notices(1).first == .interruptionEnded(shouldResume: true, heldCommands: [.pause])
    )
    #expect([RemoteCommand.pause].leavePaused)
    #expect(![RemoteCommand.pause, .play].leavePaused)
    #expect([RemoteCommand.next, .toggle].leavePaused)
  }

  @Test("INT-4 an adopted player with a pause kept stays silent though it should resume")
  func heldPauseAdopted() {
    var scene = Scene()
    scene.open(1, .music, isAdopted: true, traits: SessionTraits(takesRemoteCommands: true))
    scene.do(.ioStarted(session: Self.one))
    scene.do(.simulatedInterruptionBegan(class: .phone, isRinging: false))
    #expect(scene.effects.contains(.pausePlayer(session: Self.one)))
    scene.do(.remoteCommand(command: .pause, session: nil))
    scene.do(.simulatedInterruptionEnded(class: .phone, shouldResume: true))
    #expect(scene[1]?.isActive == false)
    scene.do(.remoteCommand(command: .play, session: Self.one))
    #expect(scene[1]?.isGateOpen == true)
  }

  @Test(
    "INT-5 adopted clients go on as their reactions say",
    arguments: Reactions.InterruptionEnd.allCases
  )
  func reactions(reaction: Reactions.InterruptionEnd) {
    for shouldResume in [true, false] {
      var scene = Scene()
      scene.open(
        1,
        .music,
        isAdopted: true,
        traits: SessionTraits(reactions: Reactions(interruptionEnd: reaction))
      )
      scene.do(.ioStarted(session: Self.one))
      scene.do(.simulatedInterruptionBegan(class: .alarm, isRinging: false))
      scene.do(.simulatedInterruptionEnded(class: .alarm, shouldResume: shouldResume))
      let goesOn = reaction == .resume || reaction == .resumeIfPlaying && shouldResume
      #expect(scene[1]?.isGateOpen == goesOn)
      #expect(scene.effects.contains(.resumePlayer(session: Self.one)) == goesOn)
      #expect(scene.rules(1).contains(.int5))
    }
  }

  @Test("INT-5 two adopted players: the last one comes back, the other goes on waiting")
  func twoAdopted() {
    var scene = Scene()
    for id in [Self.one, Self.two] {
      scene.open(id.rawValue, .music, isAdopted: true)
      scene.do(.ioStarted(session: id))
    }
    scene.do(.simulatedInterruptionBegan(class: .phone, isRinging: false))
    scene.do(.simulatedInterruptionEnded(class: .phone, shouldResume: true))
    #expect(scene[2]?.isGateOpen == true)
    #expect(scene[1]?.interruption?.interrupters == [.session(id: Self.two)])
    scene.do(.sessionClosed(session: Self.two, cause: .died))
    #expect(scene[1]?.isGateOpen == true)
  }
}
