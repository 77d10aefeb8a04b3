// SPDX-License-Identifier: MIT

import Sessions
import Testing

@Suite("CAT: categories")
struct CATTests {
  struct Row: Sendable {
    let category: Sessions.Category
    let output: Bool
    let input: Bool
    let isMixable: Bool
    let canBeMadeMixable: Bool
    let isSilenced: Bool
  }

  static let table = [
    Row(
      category: .ambient,
      output: true,
      input: false,
      isMixable: true,
      canBeMadeMixable: false,
      isSilenced: true
    ),
    Row(
      category: .soloAmbient,
      output: true,
      input: false,
      isMixable: false,
      canBeMadeMixable: false,
      isSilenced: true
    ),
    Row(
      category: .playback,
      output: true,
      input: false,
      isMixable: false,
      canBeMadeMixable: true,
      isSilenced: false
    ),
    Row(
      category: .record,
      output: false,
      input: true,
      isMixable: false,
      canBeMadeMixable: false,
      isSilenced: false
    ),
    Row(
      category: .playAndRecord,
      output: true,
      input: true,
      isMixable: false,
      canBeMadeMixable: true,
      isSilenced: false
    ),
    Row(
      category: .audioProcessing,
      output: false,
      input: false,
      isMixable: false,
      canBeMadeMixable: false,
      isSilenced: false
    ),
    Row(
      category: .multiRoute,
      output: true,
      input: true,
      isMixable: false,
      canBeMadeMixable: true,
      isSilenced: false
    ),
  ]

  @Test("CAT-1 each category behaves as its row says", arguments: table)
  func behaviour(row: Row) throws {
    var scene = Scene()
    scene.do(.permissionAnswered(app: "app1", permission: .granted))
    scene.do(.routeAppeared(port: Scene.headphones))
    let configuration = try SessionConfiguration(category: row.category)
    #expect(configuration.isMixable == row.isMixable)
    scene.play(1, configuration)
    #expect(scene[1]?.isGateOpen == row.output)
    #expect(scene[1]?.isCaptureOpen == row.input)
    #expect(scene[1]?.route.outputs.isEmpty == !row.output)
    #expect(scene[1]?.route.inputs.isEmpty == !row.input)
    let mixable = try? SessionConfiguration(category: row.category, options: .mixWithOthers)
    // A category that always mixes takes the option without effect.
    #expect((mixable != nil) == (row.canBeMadeMixable || row.isMixable))
    scene.do(.silentSwitchChanged(isOn: true))
    #expect(scene[1]?.isGateOpen == (row.output && !row.isSilenced))
    #expect(scene[1]?.isCaptureOpen == row.input)
  }

  @Test("CAT-1 asking for input channels is an error without input")
  func inputChannels() {
    var scene = Scene()
    scene.open(1, .music)
    let error = scene.refusal(1, .prefer(change: .inputChannels(count: 1)))
    #expect(error?.code == .incompatibleCategory)
    #expect(error?.allowed == ["record", "playAndRecord", "multiRoute"])
  }

  @Test(
    "CAT-2 last-in wins for every category but multiRoute",
    arguments: [SessionConfiguration.music, .ambience, .both, SessionConfiguration()]
  )
  func lastInWins(configuration: SessionConfiguration) {
    var scene = Scene()
    scene.play(1, configuration)
    scene.do(.routeAppeared(port: Scene.usb))
    scene.do(.routeAppeared(port: Scene.headphones))
    #expect(scene[1]?.route.outputs == [Scene.headphones])
    scene.do(.routeVanished(uid: Scene.headphones.uid))
    #expect(scene[1]?.route.outputs == [Scene.usb])
  }

  @Test("CAT-2 inputs are last-in too")
  func lastInput() {
    let usbIn = PortDescription(uid: "usb-in", type: .usbAudio, direction: .input)
    var scene = Scene()
    scene.play(1, .recording)
    #expect(scene[1]?.route.inputs == [Scene.microphone])
    scene.do(.routeAppeared(port: usbIn))
    #expect(scene[1]?.route.inputs == [usbIn])
  }

  @Test("CAT-3 multiRoute has one input at a time: the last")
  func oneInput() {
    let usbIn = PortDescription(uid: "usb-in", type: .usbAudio, direction: .input)
    let headset = PortDescription(uid: "headset", type: .headsetMic, direction: .input)
    let ports = [Scene.microphone, usbIn, headset]
    #expect(RouteSelector.route(for: .routes, ports: ports).inputs == [headset])
  }

  @Test(
    "CAT-4 these pairs work at once",
    arguments: [
      [Scene.usb, Scene.headphones], [Scene.hdmi, Scene.headphones],
      [Scene.lineOut, Scene.headphones],
    ]
  )
  func pairs(ports: [PortDescription]) {
    #expect(RouteSelector.route(for: .routes, ports: [Scene.speaker] + ports).outputs == ports)
  }

  @Test("CAT-4 multiRoute takes the speaker only without other outputs, and no wireless")
  func multiRouteSpeaker() {
    let bluetooth = PortDescription(uid: "bt", type: .bluetoothA2DP, direction: .output)
    let airPlay = PortDescription(uid: "ap", type: .airPlay, direction: .output)
    let ports = [Scene.speaker, Scene.receiver, bluetooth, airPlay]
    #expect(RouteSelector.route(for: .routes, ports: ports).outputs == [Scene.speaker])
    #expect(RouteSelector.route(for: .routes, ports: ports + [Scene.usb]).outputs == [Scene.usb])
  }

  @Test("CAT-5 a new output joins; the gate of those that play is not touched")
  func joining() {
    var scene = Scene()
    scene.do(.routeAppeared(port: Scene.usb))
    scene.play(1, .routes)
    let effects = scene.do(.routeAppeared(port: Scene.headphones))
    #expect(scene[1]?.route.outputs == [Scene.usb, Scene.headphones])
    #expect(scene.gate(1) == nil)
    #expect(
      effects.contains(
        .setRoute(
          session: SessionID(rawValue: 1),
          route: RouteDescription(
            inputs: [Scene.microphone],
            outputs: [Scene.usb, Scene.headphones]
          ),
        )
      )
    )
  }
}
