// SPDX-License-Identifier: MIT

import Sessions
import Testing

@Suite("RTE: routes")
struct RTETests {
  static let one = SessionID(rawValue: 1)

  @Test("RTE-1 the current route lists type, name, uid, channels and data sources")
  func description() {
    let source = DataSourceDescription(id: 3, name: "Front", orientation: "Front")
    let port = PortDescription(
      uid: "usb:1",
      name: "USB",
      type: .usbAudio,
      direction: .output,
      channelNames: ["a", "b", "c", "d"],
      dataSources: [source],
      selectedDataSource: 3
    )
    var scene = Scene()
    scene.do(.routeAppeared(port: port))
    scene.play(1, .music)
    #expect(scene[1]?.route == RouteDescription(outputs: [port]))
  }

  @Test("RTE-2 raw values of the reasons are the SDK's")
  func rawValues() {
    #expect(RouteChangeReason.allCases.map(\.rawValue) == [0, 1, 2, 3, 4, 6, 7, 8])
  }

  @Test("RTE-2 a change by a device is logged as one, not as one of the category (RTE-4)")
  func loggedRule() {
    var scene = Scene()
    scene.play(1, .music)
    scene.do(.routeAppeared(port: Scene.headphones))
    #expect(scene.rules(1).contains(.rte2))
    #expect(!scene.rules(1).contains(.rte4))
  }

  @Test("RTE-2 a change carries reason, previous and current route")
  func change() {
    var scene = Scene()
    scene.play(1, .music)
    scene.do(.routeAppeared(port: Scene.headphones))
    #expect(
      scene.notices(1) == [
        .routeChanged(
          reason: .newDeviceAvailable,
          previous: RouteDescription(outputs: [Scene.speaker]),
          current: RouteDescription(outputs: [Scene.headphones]),
        )
      ]
    )
  }

  @Test("RTE-2 without a port that fits: reason 7")
  func noSuitableRoute() {
    var scene = Scene()
    scene.play(1, .recording)
    scene.do(.routeVanished(uid: Scene.microphone.uid))
    #expect(
      scene.notices(1).first
        == .routeChanged(
          reason: .noSuitableRouteForCategory,
          previous: RouteDescription(inputs: [Scene.microphone]),
          current: RouteDescription(),
        )
    )
    #expect(scene[1]?.isCaptureOpen == false)
  }

  @Test("RTE-3 unplugged headphones: the notice has the previous route, adopted players pause")
  func unplug() {
    for reaction in Reactions.Unplug.allCases {
      var scene = Scene()
      scene.do(.routeAppeared(port: Scene.headphones))
      scene.open(
        1,
        .music,
        isAdopted: true,
        traits: SessionTraits(reactions: Reactions(unplug: reaction))
      )
      scene.do(.ioStarted(session: Self.one))
      scene.do(.routeVanished(uid: Scene.headphones.uid))
      #expect(
        scene.notices(1).first
          == .routeChanged(
            reason: .oldDeviceUnavailable,
            previous: RouteDescription(outputs: [Scene.headphones]),
            current: RouteDescription(outputs: [Scene.speaker]),
          )
      )
      #expect(scene[1]?.isActive == true)
      #expect(scene[1]?.isGateOpen == (reaction == .ignore))
      #expect(scene.effects.contains(.pausePlayer(session: Self.one)) == (reaction == .pause))
      scene.do(.playerResumed(session: Self.one))
      #expect(scene[1]?.isGateOpen == true)
    }
  }

  @Test("RTE-5, CAT-2 an adopted client stays where it was connected until another output comes")
  func preferredOutputs() {
    var scene = Scene()
    scene.do(.routeAppeared(port: Scene.usb))
    let preferred = PreferredOutputs(
      uids: [Scene.speaker.uid],
      known: [Scene.speaker.uid, Scene.receiver.uid, Scene.usb.uid],
    )
    scene.open(1, .music, isAdopted: true, traits: SessionTraits(preferredOutputs: preferred))
    #expect(scene[1]?.route.outputs == [Scene.speaker])
    scene.do(.routeAppeared(port: Scene.headphones))
    #expect(scene[1]?.route.outputs == [Scene.headphones])
    scene.do(.routeVanished(uid: Scene.headphones.uid))
    #expect(scene[1]?.route.outputs == [Scene.speaker])
  }

  @Test("RTE-3 multiRoute goes on where another of its outputs is left")
  func unplugOneOfTwo() {
    var scene = Scene()
    scene.do(.routeAppeared(port: Scene.usb))
    scene.do(.routeAppeared(port: Scene.headphones))
    scene.open(1, .routes, isAdopted: true)
    scene.do(.ioStarted(session: Self.one))
    scene.do(.routeVanished(uid: Scene.headphones.uid))
    #expect(scene[1]?.isGateOpen == true)
    scene.do(.routeVanished(uid: Scene.usb.uid))
    #expect(scene[1]?.isPaused == true)
  }

  @Test("RTE-3 a session that prefers so is interrupted by the loss; plugging in does not end it")
  func interruptionOnDisconnect() {
    var scene = Scene()
    scene.do(.routeAppeared(port: Scene.headphones))
    scene.open(1, .music)
    scene.ask(1, .setPrefersInterruptionOnRouteDisconnect(isOn: true))
    scene.play(1)
    scene.do(.routeVanished(uid: Scene.headphones.uid))
    #expect(
      scene.notices(1).contains(.interruptionBegan(reason: .routeDisconnected, wasSuspended: false))
    )
    scene.do(.routeAppeared(port: Scene.headphones))
    #expect(scene[1]?.interruption != nil)
    #expect(scene.ask(1, .activate) == .done)
  }

  @Test("RTE-3 SES-4 an app whose route went is active again when it plays, one in a call is not")
  func playingAfterTheLoss() {
    var scene = Scene()
    scene.do(.routeAppeared(port: Scene.headphones))
    scene.open(1, .music)
    scene.ask(1, .setPrefersInterruptionOnRouteDisconnect(isOn: true))
    scene.play(1)
    scene.do(.routeVanished(uid: Scene.headphones.uid))
    scene.do(.ioStopped(session: SessionID(rawValue: 1)))
    #expect(scene[1]?.isActive == false)
    scene.do(.simulatedInterruptionBegan(class: .phone, isRinging: false))
    scene.do(.ioStarted(session: SessionID(rawValue: 1)))
    #expect(scene[1]?.isActive == false)
    scene.do(.ioStopped(session: SessionID(rawValue: 1)))
    scene.do(.simulatedInterruptionEnded(class: .phone, shouldResume: true))
    scene.do(.ioStarted(session: SessionID(rawValue: 1)))
    #expect(scene[1]?.isActive == true)
    #expect(scene[1]?.interruption == nil)
  }

  @Test("RTE-3 the app that is now playing is interrupted by the loss, from iOS 17 on")
  func interruptionOfNowPlaying() {
    let lost = SessionNotification.interruptionBegan(
      reason: .routeDisconnected,
      wasSuspended: false
    )
    let cases: [(compatibility: Compatibility, preference: Bool?, isInterrupted: Bool)] = [
      (.latest, nil, true), (.latest, false, false), (.ios17, nil, true),
      (Compatibility(majorVersion: 16), nil, false), (Compatibility(majorVersion: 16), true, true),
    ]
    for (compatibility, preference, isInterrupted) in cases {
      var scene = Scene()
      scene.do(.routeAppeared(port: Scene.headphones))
      scene.open(1, .music, compatibility: compatibility)
      scene.ask(1, .setTakesRemoteCommands(isOn: true))
      if let preference { scene.ask(1, .setPrefersInterruptionOnRouteDisconnect(isOn: preference)) }
      scene.play(1)
      scene.open(2, .mixing)
      scene.play(2)
      scene.do(.routeVanished(uid: Scene.headphones.uid))
      #expect(
        scene.notices(1).contains(lost) == isInterrupted,
        "\(compatibility), \(preference as Any)"
      )
      #expect(!scene.notices(2).contains(lost))
      #expect(scene[2]?.isActive == true)
    }
  }

  @Test("RTE-4 a category change of an active session is a route change with equal ports")
  func categoryChange() {
    var scene = Scene()
    scene.play(1, .music)
    scene.ask(1, .setCategory(category: .playback, options: .mixWithOthers))
    let route = RouteDescription(outputs: [Scene.speaker])
    #expect(
      scene.notices(1) == [.routeChanged(reason: .categoryChange, previous: route, current: route)]
    )
  }

  @Test("RTE-5 the speaker override: playAndRecord only, until the next route change")
  func override() {
    var scene = Scene()
    scene.play(1, .both)
    #expect(scene[1]?.route.outputs == [Scene.receiver])
    scene.ask(1, .overrideOutput(port: .speaker))
    #expect(scene[1]?.route.outputs == [Scene.speaker])
    #expect(scene[1]?.route.inputs == [Scene.microphone])
    scene.ask(1, .overrideOutput(port: .none))
    #expect(scene[1]?.route.outputs == [Scene.receiver])
    scene.ask(1, .overrideOutput(port: .speaker))
    scene.do(.routeAppeared(port: Scene.headphones))
    #expect(scene[1]?.override == PortOverride.none)
    #expect(scene[1]?.route.outputs == [Scene.headphones])
    scene.open(2, .music)
    #expect(scene.refusal(2, .overrideOutput(port: .speaker))?.allowed == ["playAndRecord"])
  }

  @Test(
    "RTE-5 ending an override never fails; one that is made while inactive waits for activation"
  )
  func overrideWhileInactive() {
    var scene = Scene()
    scene.open(1, .music)
    #expect(scene.ask(1, .overrideOutput(port: .none)) == .done)
    scene.open(2, .both)
    #expect(scene.ask(2, .overrideOutput(port: .none)) == .done)
    #expect(scene.ask(2, .overrideOutput(port: .speaker)) == .done)
    #expect(scene[2]?.route.outputs == [Scene.receiver])
    // A device that comes meanwhile changes no route that is in use.
    scene.do(.routeAppeared(port: Scene.headphones))
    scene.play(2)
    #expect(scene[2]?.route.outputs == [Scene.speaker])
    scene.ask(2, .overrideOutput(port: .none))
    #expect(scene[2]?.route.outputs == [Scene.headphones])
    // Another category forgets it.
    scene.ask(2, .deactivate(notifyOthers: true))
    scene.ask(2, .overrideOutput(port: .speaker))
    scene.ask(2, .setCategory(category: .playAndRecord, options: []))
    #expect(scene[2]?.override == PortOverride.none)
  }

  @Test("RTE-5 an override after a deactivation waits for the next activation")
  func overrideBetweenActivations() {
    var scene = Scene()
    scene.open(1, .both)
    scene.ask(1, .activate)
    scene.ask(1, .deactivate(notifyOthers: true))
    scene.ask(1, .overrideOutput(port: .speaker))
    #expect(scene[1]?.route.outputs == [Scene.receiver])
    scene.ask(1, .activate)
    #expect(scene[1]?.route.outputs == [Scene.speaker])
  }

  @Test("RTE-5 defaultToSpeaker survives what clears the override")
  func defaultToSpeaker() {
    var scene = Scene()
    scene.play(1, .make(.playAndRecord, options: .defaultToSpeaker))
    #expect(scene[1]?.route.outputs == [Scene.speaker])
    scene.do(.routeAppeared(port: Scene.headphones))
    scene.do(.routeVanished(uid: Scene.headphones.uid))
    #expect(scene[1]?.route.outputs == [Scene.speaker])
  }

  @Test("RTE-5 an interruption clears the override")
  func overrideInterrupted() {
    var scene = Scene()
    scene.play(1, .both)
    scene.ask(1, .overrideOutput(port: .speaker))
    scene.do(.simulatedInterruptionBegan(class: .phone, isRinging: false))
    #expect(scene[1]?.route.outputs == [Scene.receiver])
  }

  @Test("RTE-5 the preferred input holds until it vanishes; a foreign one is refused")
  func preferredInput() {
    let usbIn = PortDescription(uid: "usb-in", type: .usbAudio, direction: .input)
    var scene = Scene()
    scene.do(.routeAppeared(port: usbIn))
    scene.play(1, .recording)
    #expect(scene[1]?.route.inputs == [usbIn])
    scene.ask(1, .setPreferredInput(portUID: "mic"))
    #expect(scene[1]?.route.inputs == [Scene.microphone])
    #expect(
      scene.refusal(1, .setPreferredInput(portUID: "nothing"))?.message.contains("usb-in") == true
    )
    scene.do(.routeVanished(uid: "mic"))
    #expect(scene[1]?.preferredInput == nil)
    #expect(scene.notices(1).contains(.availableInputsChanged))
  }

  @Test("RTE-5 data sources and polar patterns where the port has them, and said so where not")
  func dataSources() {
    let source = DataSourceDescription(id: 1, name: "Back", polarPatterns: ["Cardioid"])
    let port = PortDescription(
      uid: "array",
      type: .usbAudio,
      direction: .input,
      dataSources: [source]
    )
    var scene = Scene()
    scene.do(.routeAppeared(port: port))
    scene.play(1, .recording)
    let good = SessionRequest.setDataSource(
      portUID: "array",
      dataSource: 1,
      polarPattern: "Cardioid"
    )
    #expect(scene.ask(1, good) == .done)
    #expect(
      scene.effects.contains(
        .setDataSource(portUID: "array", dataSource: 1, polarPattern: "Cardioid")
      )
    )
    #expect(scene[1]?.route.inputs.first?.selectedDataSource == 1)
    for request in [
      SessionRequest.setDataSource(portUID: "array", dataSource: 2, polarPattern: nil),
      .setDataSource(portUID: "array", dataSource: 1, polarPattern: "Stereo"),
    ] {
      #expect(scene.refusal(1, request)?.code == .resourceNotAvailable)
    }
    #expect(
      scene.refusal(1, .setDataSource(portUID: "mic", dataSource: 1, polarPattern: nil))?.code
        == .badParam
    )
  }

  @Test("RTE-3 an adopted recorder without input begins when one is plugged in")
  func inputLater() {
    var scene = Scene { $0.defaultPermission = .granted }
    scene.do(.routeVanished(uid: Scene.microphone.uid))
    scene.open(1, .recording, isAdopted: true)
    scene.do(.ioStarted(session: Self.one))
    #expect(scene[1]?.isActive == false)
    scene.do(.routeAppeared(port: Scene.microphone))
    #expect(scene[1]?.isCaptureOpen == true)
  }

  @Test(
    "RTE-3 a recorder that is interrupted waits, whatever is plugged in; an app asks again by itself"
  )
  func noRetry() {
    var scene = Scene()
    scene.open(1, .recording, isAdopted: true)
    scene.do(.ioStarted(session: SessionID(rawValue: 1)))
    #expect(scene[1]?.isActive == true)
    scene.play(2, .music)
    #expect(scene[1]?.interruption?.interrupters == [.session(id: SessionID(rawValue: 2))])
    scene.open(3, .recording)
    scene.do(.ioStarted(session: SessionID(rawValue: 3)))
    for _ in 1...2 {
      scene.do(.routeVanished(uid: "mic"))
      scene.do(.routeAppeared(port: Scene.microphone))
      #expect(scene[1]?.isActive == false && scene[1]?.interruption != nil)
    }
    scene.ask(3, .deactivate(notifyOthers: true))
    scene.do(.routeVanished(uid: "mic"))
    scene.do(.ioStarted(session: SessionID(rawValue: 3)))
    #expect(scene[3]?.isActive == false)
    scene.do(.routeAppeared(port: Scene.microphone))
    #expect(scene[3]?.isActive == false && scene[3]?.isRunningIO == true)
  }

  @Test("RTE-4 a second activation on the same route posts no change of it")
  func sameRoute() {
    var scene = Scene()
    scene.open(1, .music)
    var changes: [Bool] = []
    for _ in 1...3 {
      scene.ask(1, .activate)
      changes.append(
        scene.notices(1).contains { if case .routeChanged = $0 { true } else { false } }
      )
      scene.ask(1, .deactivate(notifyOthers: true))
      scene.ask(1, .overrideOutput(port: .none))
    }
    #expect(changes == [true, false, false])
  }

  @Test("RTE-2 a port with another name takes the place of the old one, and of no other")
  func renamed() {
    var scene = Scene()
    scene.do(.routeAppeared(port: Scene.usb))
    let before = scene.tower.state.ports.map(\.uid)
    for (uid, port, expected) in [
      ("usb-out", Scene.lineOut, "line-out"), ("line-out", Scene.speaker, "line-out"),
      ("none", Scene.hdmi, "line-out"), ("line-out", Scene.hdmi, "hdmi"),
    ] {
      scene.do(.routeRenamed(uid: uid, port: port))
      #expect(scene.tower.state.ports.map(\.uid) == before.map { $0 == "usb-out" ? expected : $0 })
    }
  }

  @Test("RTE-5 an override ends with the device that was used, and not with another form of it")
  func overrideAndDevices() {
    var scene = Scene()
    scene.play(1, .both)
    scene.ask(1, .overrideOutput(port: .speaker))
    var other = Scene.microphone
    other.channelNames = ["left", "right"]
    scene.do(.routeAppeared(port: other))
    #expect(scene[1]?.override == .speaker)
    #expect(scene[1]?.route.outputs.map(\.uid) == ["speaker"])
    scene.do(.routeVanished(uid: "mic"))
    #expect(scene[1]?.override == PortOverride.none)
  }

  @Test("RTE-6 every port type has the SDK's raw value and at least one direction")
  func portTypes() {
    #expect(PortType.builtInMic.rawValue == "MicrophoneBuiltIn")
    #expect(PortType.bluetoothA2DP.rawValue == "BluetoothA2DPOutput")
    #expect(Set(PortType.allCases.map(\.rawValue)).count == PortType.allCases.count)
    for type in PortType.allCases { #expect(type.canBeInput || type.canBeOutput) }
  }

  @Test("RTE-6 outputs pinned by the graph file are used while they are connected")
  func pinned() {
    let ports = [Scene.speaker, Scene.usb, Scene.headphones]
    let route = { (pins: [String]) in
      RouteSelector.route(for: .music, ports: ports, pinnedOutputs: pins).outputs
    }
    #expect(route(["usb-out"]) == [Scene.usb])
    #expect(route(["gone"]) == [Scene.headphones])
  }

  @Test("RTE-7 an unused device that goes changes no override and posts nothing")
  func unusedDevice() {
    var scene = Scene()
    scene.do(.routeAppeared(port: Scene.usb))
    scene.do(.routeAppeared(port: Scene.headphones))
    scene.play(1, .both)
    scene.ask(1, .overrideOutput(port: .speaker))
    #expect(scene.do(.routeVanished(uid: "usb-out")) == [])
    #expect(scene[1]?.override == .speaker)
    #expect(scene[1]?.route.outputs == [Scene.speaker])
    // The device in use ends the override, as a new one does.
    scene.do(.routeAppeared(port: Scene.usb))
    #expect(scene[1]?.override == PortOverride.none)
  }

  @Test("RTE-7 in multiRoute an adopted player plays on while one of its outputs is there")
  func multiRouteLoss() {
    var scene = Scene()
    scene.do(.routeAppeared(port: Scene.usb))
    scene.do(.routeAppeared(port: Scene.headphones))
    let traits = SessionTraits(reactions: Reactions(unplug: .pause))
    scene.open(1, .routes, isAdopted: true, traits: traits)
    scene.play(1)
    scene.do(.routeVanished(uid: "headphones"))
    #expect(scene[1]?.isPaused == false)
    // An input that goes pauses no player.
    scene.do(.routeVanished(uid: "mic"))
    #expect(scene[1]?.isPaused == false)
    #expect(scene[1]?.isGateOpen == true)
  }
}
