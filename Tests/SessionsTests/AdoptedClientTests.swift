// SPDX-License-Identifier: MIT

import Sessions
import Testing

@Suite("Adopted clients that are paused, stopped or refused")
struct AdoptedClientTests {
  private static let one = SessionID(rawValue: 1)
  private static let two = SessionID(rawValue: 2)

  @Test("INT-5 an adopted client that stays inactive gives its place up: nobody waits for it")
  func staysInactive() {
    var scene = Scene()
    scene.play(1, .music)
    scene.open(
      2,
      .music,
      isAdopted: true,
      traits: SessionTraits(reactions: Reactions(interruptionEnd: .stayInactive)),
    )
    scene.do(.ioStarted(session: Self.two))
    scene.do(.simulatedInterruptionBegan(class: .phone, isRinging: false))
    scene.do(.simulatedInterruptionEnded(class: .phone, shouldResume: true))
    #expect(scene[2]?.isActive == false && scene[2]?.interruption == nil)
    #expect(scene[1]?.interruption == nil)
    #expect(scene.notices(1).first == .interruptionEnded(shouldResume: true, heldCommands: []))
  }

  @Test(
    "INT-5 of two players that start during a call the last one plays after it, the other waits"
  )
  func startDuringCall() {
    var scene = Scene()
    scene.do(.simulatedInterruptionBegan(class: .phone, isRinging: false))
    for id in [Self.one, Self.two] {
      scene.open(id.rawValue, .music, isAdopted: true)
      scene.do(.ioStarted(session: id))
      #expect(scene[id.rawValue]?.interruption?.interrupters == [.simulated(class: .phone)])
    }
    scene.do(.simulatedInterruptionEnded(class: .phone, shouldResume: true))
    #expect(scene[2]?.isGateOpen == true)
    #expect(scene[1]?.interruption?.interrupters == [.session(id: Self.two)])
  }

  @Test("INT-5 a player that stops during a call does not play after it, unless it starts again")
  func stopsDuringCall() {
    for startsAgain in [true, false] {
      var scene = Scene()
      scene.open(1, .music, isAdopted: true)
      scene.do(.ioStarted(session: Self.one))
      scene.do(.simulatedInterruptionBegan(class: .phone, isRinging: false))
      #expect(scene[1]?.interruption?.wasPlaying == true)
      scene.do(.ioStopped(session: Self.one))
      #expect(scene[1]?.interruption?.wasPlaying == false)
      if startsAgain { scene.do(.ioStarted(session: Self.one)) }
      #expect(scene[1]?.interruption?.wasPlaying == startsAgain)
      scene.do(.simulatedInterruptionEnded(class: .phone, shouldResume: true))
      #expect(scene[1]?.isGateOpen == startsAgain)
    }
  }

  @Test("RTE-3 a player that is paused already is not paused again, and plays when it is restarted")
  func pausedTwice() {
    var scene = Scene()
    scene.do(.routeAppeared(port: Scene.headphones))
    scene.open(
      1,
      .music,
      isAdopted: true,
      traits: SessionTraits(takesRemoteCommands: true, reactions: Reactions(unplug: .pause)),
    )
    scene.do(.ioStarted(session: Self.one))
    scene.do(.remoteCommand(command: .pause, session: nil))
    scene.do(.routeVanished(uid: Scene.headphones.uid))
    #expect(scene[1]?.isPaused == true)
    #expect(!scene.effects.contains(.pausePlayer(session: Self.one)))
    scene.do(.simulatedInterruptionBegan(class: .phone, isRinging: false))
    #expect(scene[1]?.interruption?.wasPlaying == false)
    #expect(!scene.effects.contains(.pausePlayer(session: Self.one)))
    scene.do(.simulatedInterruptionEnded(class: .phone, shouldResume: true))
    scene.do(.ioStopped(session: Self.one))
    #expect(scene[1]?.isPaused == false)
    scene.do(.ioStarted(session: Self.one))
    #expect(scene[1]?.isGateOpen == true)
  }

  @Test("RTE-3 a recorder without input is refused once, and asks again only with an input")
  func refusedOnce() {
    var scene = Scene { $0.defaultPermission = .granted }
    scene.do(.routeVanished(uid: Scene.microphone.uid))
    scene.open(1, .both, isAdopted: true)
    scene.open(2, .both, isAdopted: true)
    scene.do(.ioStarted(session: Self.one))
    #expect(scene.rules(1).contains(.act1))
    scene.do(.routeAppeared(port: Scene.headphones))
    #expect(!scene.rules(1).contains(.act1) && scene[1]?.isActive == false)
    scene.do(.routeAppeared(port: Scene.microphone))
    #expect(scene[1]?.isCaptureOpen == true)
    // One whose audio does not run stays as it is.
    #expect(scene[2]?.isActive == false)
  }

  @Test("HW-1 an input that comes back to an active client is no activation: preferences wait")
  func inputComesBack() {
    var scene = Scene()
    scene.open(1, .both, isAdopted: true)
    scene.do(.ioStarted(session: Self.one))
    scene.do(.routeVanished(uid: Scene.microphone.uid))
    #expect(scene[1]?.isActive == true && scene[1]?.route.inputs == [])
    scene.ask(1, .prefer(change: .ioBuffer(seconds: 0.001)))
    scene.do(.routeAppeared(port: Scene.microphone))
    #expect(scene[1]?.route.inputs == [Scene.microphone])
    #expect(HWTests.set(scene.effects) == nil)
    #expect(scene[1]?.appliedPreferences == HardwarePreferences())
  }

  @Test("ACT-9 a prompt that is not connected, or paused by a key, waits for no sound")
  func pausedPrompt() {
    var scene = Scene()
    var traits = SessionTraits()
    Preset.navigation.describe(&traits)
    scene.open(1, .prompt, isAdopted: true, traits: traits)
    #expect(scene[1]?.isWaitingForSound == false && scene[1]?.isGateOpen == false)
    scene.do(.ioStarted(session: Self.one))
    for (command, isWaiting) in [(RemoteCommand.pause, false), (.play, true), (.stop, false)] {
      scene.do(.remoteCommand(command: command, session: Self.one))
      #expect(scene[1]?.isWaitingForSound == isWaiting)
      #expect(scene[1]?.isGateOpen == isWaiting && scene[1]?.isActive == false)
    }
  }

  @Test("RST-2 SES-6 an adopted client that ends with the server leaves its preferences")
  func preferencesAfterLoss() {
    var scene = Scene()
    scene.open(1, .mixing, app: "mixxx", isAdopted: true)
    scene.ask(1, .prefer(change: .ioBuffer(seconds: 0.005)))
    scene.do(.serverLost)
    scene.do(.serverReset(facts: HardwareFacts()))
    scene.open(2, .mixing, app: "mixxx", isAdopted: true)
    #expect(scene[2]?.preferences.ioBufferSeconds == 0.005)
  }

  @Test("VOL-3 a recorder that begins takes no keys from a player that a key has stopped")
  func recorderAndKeys() {
    var scene = Scene()
    let traits = SessionTraits(takesRemoteCommands: true)
    for id in 1...2 as ClosedRange<UInt32> {
      scene.open(id, .mixing, isAdopted: true, traits: traits)
      scene.do(.ioStarted(session: SessionID(rawValue: id)))
    }
    scene.do(.remoteCommand(command: .pause, session: nil))
    scene.open(3, .recording, isAdopted: true, traits: traits)
    scene.do(.ioStarted(session: SessionID(rawValue: 3)))
    #expect(scene[3]?.isActive == true && scene.nowPlaying == 2)
  }

  @Test("VOL-3 a play key does not bind the keys to a player that falls silent afterwards")
  func keyOfPlayer() {
    var scene = Scene()
    for id in 1...2 as ClosedRange<UInt32> {
      scene.open(id, .mixing, isAdopted: true, traits: SessionTraits(takesRemoteCommands: true))
      scene.do(.ioStarted(session: SessionID(rawValue: id)))
    }
    scene.do(.remoteCommand(command: .play, session: nil))
    #expect(scene.nowPlaying == 2)
    scene.do(.audioLevelChanged(session: Self.two, isSilent: true))
    scene.time += 5_000_000_000
    #expect(scene.nowPlaying == 1)
  }
}
