// SPDX-License-Identifier: MIT

import Sessions
import Testing

@Suite("RTE: whom a device concerns, and with which reason")
struct RouteReasonTests {
  /// The reasons of the route changes that a session was told.
  private static func reasons(_ scene: Scene, _ id: UInt32) -> [RouteChangeReason] {
    scene.notices(id).compactMap {
      if case .routeChanged(let reason, _, _) = $0 { reason } else { nil }
    }
  }

  @Test(
    "RTE-2 a session of both directions that loses its input has a route, without outputs it has none"
  )
  func unsuitable() {
    var scene = Scene()
    scene.play(1, .both)
    scene.open(2, .music)
    scene.ask(2, .activate)
    scene.do(.routeVanished(uid: Scene.microphone.uid))
    #expect(Self.reasons(scene, 1) == [.oldDeviceUnavailable])
    scene.do(.routeVanished(uid: Scene.speaker.uid))
    #expect(Self.reasons(scene, 2) == [.noSuitableRouteForCategory])
    scene.do(.routeAppeared(port: Scene.microphone))
    scene.do(.routeVanished(uid: Scene.receiver.uid))
    #expect(Self.reasons(scene, 1) == [.noSuitableRouteForCategory])
    scene.do(.routeAppeared(port: Scene.speaker))
    #expect(Self.reasons(scene, 1) == [.newDeviceAvailable])
  }

  @Test("RTE-2 a session is told of devices in its directions alone")
  func directions() {
    let input = PortDescription(uid: "usb-in", type: .usbAudio, direction: .input)
    let hidden = PortDescription(uid: "buds", type: .bluetoothHFP, direction: .input)
    var scene = Scene()
    scene.play(1, .ambience)
    scene.play(2, .make(.record, options: []))
    for (port, isInput) in [(input, true), (Scene.usb, false), (hidden, false)] {
      scene.do(.routeAppeared(port: port))
      #expect(scene.notices(2).contains(.availableInputsChanged) == isInput)
      #expect(scene.notices(2).isEmpty == !isInput)
      #expect(!scene.notices(1).contains(.availableInputsChanged))
      #expect(Self.reasons(scene, 1) == (port.direction == .output ? [.newDeviceAvailable] : []))
    }
  }
}
