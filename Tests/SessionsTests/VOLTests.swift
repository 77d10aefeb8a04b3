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
    #expect(scene.notices(1).isEmpty)
    scene.ask(1, .setTakesRemoteCommands(isOn: true))
    scene.do(.remoteCommand(command: .next, session: nil))
    #expect(scene.notices(1) == [.remoteCommand(command: .next)])
    scene.open(2, .mixing, traits: SessionTraits(takesRemoteCommands: true))
    scene.play(2)
    scene.do(.remoteCommand(command: .seek(seconds: 3), session: nil))
    #expect(scene.notices(2) == [.remoteCommand(command: .seek(seconds: 3))])
    #expect(scene.notices(1).isEmpty)
    scene.do(.sessionClosed(session: SessionID(rawValue: 2), cause: .closed))
    #expect(scene.nowPlaying == 1)
    scene.ask(1, .setTakesRemoteCommands(isOn: false))
    #expect(scene.nowPlaying == nil)
  }

  @Test("VOL-3 keys go to the one that sounds, and when it ends to the one before that still does")
  func sounding() {
    var scene = Scene()
    for id in 1...3 as ClosedRange<UInt32> {
      scene.open(id, .mixing, traits: SessionTraits(takesRemoteCommands: true))
      scene.play(id)
      #expect(scene.nowPlaying == id)
    }
    // The last one is active and sends silence, as between two pieces and then for long.
    scene.do(.audioLevelChanged(session: SessionID(rawValue: 3), isSilent: true))
    #expect(scene.nowPlaying == 3)
    scene.time += 5_000_000_000
    #expect(scene.nowPlaying == 2)
    scene.do(.audioLevelChanged(session: SessionID(rawValue: 3), isSilent: false))
    #expect(scene.nowPlaying == 3)
    scene.do(.sessionClosed(session: SessionID(rawValue: 3), cause: .died))
    #expect(scene.nowPlaying == 2)
    scene.ask(2, .deactivate(notifyOthers: false))
    #expect(scene.nowPlaying == 1)
    // When none sounds, the last one gets a play.
    scene.ask(1, .deactivate(notifyOthers: false))
    #expect(scene.nowPlaying == 2)
  }

  @Test("VOL-3 a player that a key has stopped keeps the keys until another begins to play")
  func stopped() {
    var scene = Scene()
    for id in 1...2 as ClosedRange<UInt32> {
      scene.open(id, .mixing, isAdopted: true, traits: SessionTraits(takesRemoteCommands: true))
      scene.do(.ioStarted(session: SessionID(rawValue: id)))
    }
    for (command, isHeard) in [(RemoteCommand.toggle, false), (.toggle, true), (.pause, false)] {
      scene.do(.remoteCommand(command: command, session: nil))
      #expect(scene[2]?.isGateOpen == isHeard)
      #expect(scene[1]?.isGateOpen == true)
      #expect(scene.nowPlaying == 2)
    }
    scene.do(.remoteCommand(command: .pause, session: SessionID(rawValue: 1)))
    scene.do(.remoteCommand(command: .play, session: SessionID(rawValue: 1)))
    #expect(scene.nowPlaying == 1)
  }

  @Test("VOL-3 it keeps them when a third one goes, and loses them with its output")
  func keepsKeys() {
    var scene = Scene()
    for id in 1...3 as ClosedRange<UInt32> {
      scene.open(id, .mixing, isAdopted: true, traits: SessionTraits(takesRemoteCommands: true))
      scene.do(.ioStarted(session: SessionID(rawValue: id)))
    }
    scene.do(.remoteCommand(command: .pause, session: nil))
    #expect(scene.nowPlaying == 3)
    scene.do(.sessionClosed(session: SessionID(rawValue: 1), cause: .died))
    #expect(scene.nowPlaying == 3)
    scene.ask(3, .setCategory(category: .record, options: []))
    #expect(scene.nowPlaying == 2)
    scene.ask(3, .setCategory(category: .playback, options: .mixWithOthers))
    #expect(scene.nowPlaying == 3)
    scene.do(.sessionClosed(session: SessionID(rawValue: 3), cause: .died))
    #expect(scene.nowPlaying == 2)
  }

  @Test("VOL-2 a command is of its kind, with what belongs to it and nothing else")
  func commands() {
    let transport: Set<RemoteCommand.Kind> = [.play, .pause, .toggle, .stop]
    let timed: Set<RemoteCommand.Kind> = [.seek, .skipForward, .skipBackward]
    for kind in RemoteCommand.Kind.allCases {
      let command = RemoteCommand(kind, seconds: 3, factor: 2)
      #expect(command?.kind == kind)
      #expect(command?.isTransport == transport.contains(kind), "\(kind)")
      #expect(command?.seconds == (timed.contains(kind) ? 3 : nil), "\(kind)")
      #expect(command?.factor == (kind == .rate ? 2 : nil), "\(kind)")
      #expect(RemoteCommand(kind)?.seconds == (timed.contains(kind) ? 0 : nil), "\(kind)")
    }
    #expect(RemoteCommand(.rate) == nil)
  }

  @Test("VOL-4 the choices of a session are all outputs, with the one in use and the one picked")
  func choices() {
    var scene = Scene()
    scene.do(.routeAppeared(port: Scene.usb))
    scene.play(1, .music)
    scene.play(2, .mixing)
    func choices(_ id: UInt32) -> [String] {
      scene.tower.state.outputChoices(of: SessionID(rawValue: id)).map { choice in
        choice.port.uid + (choice.isInUse ? ", in use" : "") + (choice.isChosen ? ", chosen" : "")
          + (choice.fault == nil ? "" : ", not allowed")
      }
    }
    #expect(choices(1) == ["speaker", "receiver, not allowed", "usb-out, in use"])
    scene.ask(1, .chooseOutput(portUID: "speaker"))
    #expect(choices(1) == ["speaker, in use, chosen", "receiver, not allowed", "usb-out"])
    #expect(scene.rules(1).contains(.vol4))
    scene.ask(1, .chooseOutput(portUID: "speaker"))
    #expect(scene.rules(1).isEmpty)
    #expect(choices(2) == ["speaker", "receiver, not allowed", "usb-out, in use"])
    #expect(choices(9).isEmpty)
  }

  @Test("VOL-3 a browser registers while it plays")
  func browser() {
    var scene = Scene()
    scene.open(1, .mixing, isAdopted: true, traits: SessionTraits(takesRemoteCommands: true))
    scene.do(.ioStarted(session: SessionID(rawValue: 1)))
    var traits = SessionTraits()
    Preset.browser.describe(&traits)
    scene.open(2, .mixing, isAdopted: true, traits: traits)
    #expect(scene.nowPlaying == 1)
    scene.do(.ioStarted(session: SessionID(rawValue: 2)))
    #expect(scene.nowPlaying == 2)
    scene.do(.ioStopped(session: SessionID(rawValue: 2)))
    #expect(scene.nowPlaying == 1)
    scene.do(.sessionClosed(session: SessionID(rawValue: 1), cause: .closed))
    #expect(scene.nowPlaying == nil)
    // One with a session of its own is active before it plays, and plays no longer before it is inactive.
    scene.open(3, .mixing, traits: traits)
    scene.ask(3, .activate)
    #expect(scene.nowPlaying == nil)
    scene.do(.ioStarted(session: SessionID(rawValue: 3)))
    #expect(scene.nowPlaying == 3)
    scene.do(.ioStopped(session: SessionID(rawValue: 3)))
    #expect(scene[3]?.isActive == true && scene.nowPlaying == nil)
  }

  @Test("VOL-4 the user's pick counts before the app's and the graph's, until the route goes")
  func routePick() {
    var scene = Scene()
    scene.do(.routeAppeared(port: Scene.headphones))
    scene.do(.routeAppeared(port: Scene.usb))
    scene.open(1, .music, traits: SessionTraits(pinnedOutputs: [Scene.headphones.uid]))
    scene.play(1)
    #expect(scene[1]?.route.outputs == [Scene.headphones])
    #expect(scene.ask(1, .chooseOutput(portUID: Scene.usb.uid)) == .done)
    #expect(
      scene.notices(1) == [
        .routeChanged(
          reason: .override,
          previous: RouteDescription(outputs: [Scene.headphones]),
          current: RouteDescription(outputs: [Scene.usb]),
        )
      ]
    )
    #expect(scene.rules(1).contains(.vol4))
    // A further output does not move it.
    scene.do(.routeAppeared(port: Scene.lineOut))
    #expect(scene[1]?.route.outputs == [Scene.usb])
    // The next session of the program is there too, and another program's is not.
    scene.open(2, .music, app: "app1")
    scene.open(3, .music)
    #expect(scene[2]?.route.outputs == [Scene.usb])
    #expect(scene[3]?.route.outputs == [Scene.lineOut])
    // It ends with the route, and does not come back with it.
    scene.do(.routeVanished(uid: Scene.usb.uid))
    #expect(scene[1]?.route.outputs == [Scene.headphones])
    scene.do(.routeAppeared(port: Scene.usb))
    #expect(scene[1]?.route.outputs == [Scene.headphones])
  }

  @Test("VOL-4 a pick follows its route to another name, and nothing pauses")
  func renamedPick() {
    var scene = Scene()
    scene.do(.routeAppeared(port: Scene.headphones))
    scene.do(.routeAppeared(port: Scene.usb))
    scene.play(1, .music)
    scene.ask(1, .chooseOutput(portUID: Scene.headphones.uid))
    var renamed = Scene.headphones
    (renamed.uid, renamed.name) = ("ears", "ears")
    scene.do(.routeRenamed(uid: Scene.headphones.uid, port: renamed))
    #expect(scene[1]?.route.outputs == [renamed])
    #expect(
      scene.notices(1) == [
        .routeChanged(
          reason: .routeConfigurationChange,
          previous: RouteDescription(outputs: [Scene.headphones]),
          current: RouteDescription(outputs: [renamed]),
        )
      ]
    )
    #expect(scene[1]?.isPaused == false && scene[1]?.interruption == nil)
    // The pick still holds: a further output does not move it, and it ends with the route.
    scene.do(.routeAppeared(port: Scene.lineOut))
    #expect(scene[1]?.route.outputs == [renamed])
    scene.do(.routeVanished(uid: "ears"))
    #expect(scene[1]?.route.outputs == [Scene.lineOut])
    // A name in use is nobody else's.
    scene.do(.routeRenamed(uid: Scene.usb.uid, port: Scene.lineOut))
    #expect(scene[1]?.route.outputs == [Scene.lineOut])
  }

  @Test("VOL-4 a pick ends an override, outranks a later one, and can be given back")
  func pickAndOverride() {
    var scene = Scene()
    scene.do(.routeAppeared(port: Scene.headphones))
    scene.do(.routeAppeared(port: Scene.usb))
    scene.play(1, .call)
    scene.ask(1, .overrideOutput(port: .speaker))
    #expect(scene[1]?.route.outputs == [Scene.speaker])
    scene.ask(1, .chooseOutput(portUID: Scene.headphones.uid))
    #expect(scene[1]?.route.outputs == [Scene.headphones])
    #expect(scene[1]?.override == PortOverride.none)
    scene.ask(1, .overrideOutput(port: .speaker))
    #expect(scene[1]?.route.outputs == [Scene.headphones])
    scene.ask(1, .overrideOutput(port: .none))
    scene.ask(1, .chooseOutput(portUID: nil))
    #expect(scene[1]?.route.outputs == [Scene.usb])
    #expect(scene.tower.state.chosenOutputs == [:])
  }

  @Test("VOL-4 an output that category, mode or options forbid is refused with the reason")
  func refusedPicks() {
    let bluetooth = PortDescription(uid: "buds", type: .bluetoothA2DP, direction: .output)
    let earpiece = PortDescription(uid: "handset", type: .bluetoothHFP, direction: .output)
    let television = PortDescription(uid: "tv", type: .airPlay, direction: .output)
    var scene = Scene()
    for port in [Scene.hdmi, bluetooth, earpiece, television] {
      scene.do(.routeAppeared(port: port))
    }
    scene.open(1, .both)
    scene.open(2, .call)
    scene.open(3, .recording)
    scene.open(4, .routes)
    scene.open(5, .music)
    let cases: [(UInt32, String, String)] = [
      (1, "buds", "bluetoothA2DP needs option allowBluetoothA2DP"),
      (1, "handset", "bluetoothHFP needs option allowBluetoothHFP"),
      (1, "tv", "category playAndRecord takes airPlay of mirrored screens only"),
      (2, "hdmi", "mode voiceChat does not take HDMI"),
      (3, "speaker", "category record has no output"),
      (4, "hdmi", "category multiRoute plays to every route that it may use"),
      (5, "receiver", "category playback does not take builtInReceiver"),
    ]
    for (session, port, reason) in cases {
      let before = scene[session]?.route
      let refusal = scene.refusal(session, .chooseOutput(portUID: port))
      #expect(refusal?.message == "the session cannot be moved to \(port): \(reason)")
      #expect(refusal?.rule == .vol4)
      #expect(scene[session]?.route == before)
      let choice = scene.tower.state.outputChoices(of: SessionID(rawValue: session))
        .first { $0.port.uid == port }
      #expect(choice?.fault?.message == reason)
    }
    #expect(scene.refusal(5, .chooseOutput(portUID: "mic"))?.code == .badParam)
    #expect(scene.tower.state.chosenOutputs == [:])
  }

  @Test("VOL-4 a pick waits for no suspended app, and holds through a category without output")
  func pickAndCategory() {
    var scene = Scene()
    scene.do(.routeAppeared(port: Scene.headphones))
    scene.open(1, .music, traits: SessionTraits(suspendsInBackground: true))
    scene.do(.appBackgrounded(session: SessionID(rawValue: 1)))
    #expect(scene.ask(1, .chooseOutput(portUID: Scene.speaker.uid)) == .done)
    #expect(scene[1]?.route.outputs == [Scene.speaker])
    scene.do(.appForegrounded(session: SessionID(rawValue: 1)))
    scene.ask(1, .setCategory(category: .record, options: []))
    scene.ask(1, .activate)
    #expect(scene[1]?.route.outputs == [])
    scene.ask(1, .setCategory(category: .playback, options: []))
    #expect(scene[1]?.route.outputs == [Scene.speaker])
    scene.do(.serverLost)
    scene.do(.serverReset(facts: HardwareFacts()))
    for port in [Scene.speaker, Scene.headphones] { scene.do(.routeAppeared(port: port)) }
    scene.ask(1, .setCategory(category: .playback, options: []))
    scene.ask(1, .activate)
    #expect(scene[1]?.route.outputs == [Scene.speaker])
  }

  @Test("VOL-2 the key for a speed has one")
  func speed() {
    #expect(RemoteCommand(.rate) == nil)
    #expect(RemoteCommand(.rate, factor: 1.5) == .rate(factor: 1.5))
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
    #expect(scene.notices(1).isEmpty)
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
    #expect(scene.notices(1).first == .interruptionEnded(shouldResume: true, heldCommands: []))
    #expect(scene.ask(1, .activate) == .done)
  }

  @Test("PLR-5 system sounds are heard beside everything, without an activation")
  func systemSounds() {
    let one = SessionID(rawValue: 1)
    var scene = Scene()
    scene.play(2, .music)
    scene.open(1, .ambience, app: "app2", traits: SessionTraits(playsSystemSounds: true))
    scene.do(.ioStarted(session: one))
    #expect(scene[1]?.isActive == false)
    #expect(scene[1]?.isGateOpen == true)
    #expect(scene[2]?.isGateOpen == true)
    #expect(scene[2]?.secondaryAudioShouldBeSilencedHint == false)
    // Neither a call nor a prompt silences or lowers them.
    scene.play(3, .prompt)
    scene.do(.simulatedInterruptionBegan(class: .phone, isRinging: false))
    #expect(scene[1]?.isGateOpen == true)
    #expect(scene[1]?.duckGainDB == 0)
    scene.do(.silentSwitchChanged(isOn: true))
    #expect(scene.gate(1) == false)
    #expect(scene.refusal(1, .activate)?.rule == .plr5)
  }
}
