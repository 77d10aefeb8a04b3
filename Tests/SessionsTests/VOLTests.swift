// SPDX-License-Identifier: MIT

import Sessions
import Testing

@Suite("VOL and PLR: remote control and players")
struct VOLTests {
  @Test("VOL-2 commands reach the app that is now playing and registered")
  func nowPlaying() {
    var scene = Scene()
    scene.play(1, .music)
    scene.do(.remoteCommand(command: .next, session: nil))
    #expect(scene.told(1).isEmpty)
    scene.ask(1, .setTakesRemoteCommands(isOn: true))
    scene.do(.remoteCommand(command: .next, session: nil))
    #expect(scene.told(1) == [.remoteCommand(command: .next)])
    scene.open(2, .mixing, traits: SessionTraits(takesRemoteCommands: true))
    scene.play(2)
    scene.do(.remoteCommand(command: .seek(seconds: 3), session: nil))
    #expect(scene.told(2) == [.remoteCommand(command: .seek(seconds: 3))])
    #expect(scene.told(1).isEmpty)
    scene.do(.sessionClosed(session: SessionID(rawValue: 2), cause: .closed))
    #expect(scene.tower.state.nowPlaying == nil)
  }

  @Test("VOL-2 an adopted player gets commands through its own handle; pause also mutes it")
  func adopted() {
    var scene = Scene()
    let id = SessionID(rawValue: 1)
    scene.open(1, .music, isAdopted: true, traits: SessionTraits(takesRemoteCommands: true))
    scene.do(.ioStarted(session: id))
    for (command, isHeard) in [
      (RemoteCommand.pause, false), (.play, true), (.toggle, false), (.toggle, true),
      (.stop, false),
      (.next, false),
    ] {
      scene.do(.remoteCommand(command: command, session: nil))
      #expect(scene.effects.contains(.commandPlayer(session: id, command: command)))
      #expect(scene[1]?.isGateOpen == isHeard, "\(command)")
    }
  }

  @Test("PLR-1 a player with its own session mixes with mixable apps only, and can be ducked")
  func ownSession() {
    var scene = Scene()
    scene.play(1, .music)
    scene.play(2, .ambience)
    #expect(scene[1]?.isGateOpen == true)
    scene.play(3, .prompt)
    #expect(scene[1]?.duckGainDB == -14)
    scene.play(4, .music)
    #expect(scene[1]?.isGateOpen == false)
  }

  @Test("PLR-3 an app that only uses such players leaves its own session alone")
  func onlyPlayers() {
    var scene = Scene()
    // The app's own session, never asked for anything, beside its player's.
    scene.open(1, SessionConfiguration(), app: "reader")
    scene.open(2, .music, app: "reader")
    scene.play(2)
    #expect(scene[1]?.configuration == SessionConfiguration())
    #expect(scene[1]?.isActive == false)
    #expect(scene[2]?.isGateOpen == true)
    scene.do(.simulatedInterruptionBegan(class: .phone, isRinging: false))
    scene.do(.simulatedInterruptionEnded(class: .phone, shouldResume: true))
    #expect(scene.told(1).isEmpty)
    #expect(scene[1]?.isActive == false)
  }

  @Test("PLR-2 a film's own session silences the app's; the app goes on when it is thrown away")
  func filmSession() {
    var scene = Scene()
    scene.open(1, .music, app: "cinema")
    scene.play(1)
    scene.open(2, .music, app: "cinema")
    scene.play(2)
    #expect(scene[1]?.isGateOpen == false)
    scene.do(.sessionClosed(session: SessionID(rawValue: 2), cause: .closed))
    #expect(scene.told(1).first == .interruptionEnded(shouldResume: true, heldCommands: []))
    #expect(scene.ask(1, .activate) == .done)
  }
}
