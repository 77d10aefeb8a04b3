// SPDX-License-Identifier: MIT

import ControlProtocol
import ControlSocket
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import AudioSession
@testable import EndToEndSupport

/// The route picker and the volume control: of an app in the library, and of its user on the command line (VOL-4).
@Suite(.serialized, .timeLimit(.minutes(3)))
struct RoutePickerTests {
  @Test(.jackServer(channels: 4))
  func `VOL-4 VOL-1: the volume of the app's view, of the command and of the session are one`()
    async throws
  {
    let rig = try await SessionRig.running()
    try rig.session.setCategory(.playback)
    let player = try AVAudioPlayer(contentsOf: rig.constant(0.5, seconds: 5))
    player.numberOfLoops = -1
    #expect(player.play())
    let heard = try rig.recorder("phones_out_1")
    try await heard.waitForLevel(0.5)
    let model = MPVolumeViewModel()
    #expect(model.volume == 1)
    #expect(model.isVolumeControlEnabled)
    try model.setVolume(0.5)
    try await heard.waitForLevel(0.25)
    #expect(abs(model.volume - 0.5) < 0.001)
    #expect(model.volume == rig.session.outputVolume)
    let shown = try await rig.command("volume", "phones")
    #expect(shown.standardOutput == "phones: 50 %\n")
    #expect(try await rig.command("volume", "phones", "20%").end == .code(0))
    try await heard.waitForLevel(0.1)
    try await waitUntil("the model has it") { abs(model.volume - 0.2) < 0.001 }
    try model.setVolume(0)
    try await heard.waitForLevel(0)
    #expect(model.volume == 0)
    _ = try await rig.client.call(SetMute.self, .init(target: .route("phones"), muted: true))
    try model.setVolume(1)
    try await heard.waitForLevel(0.5)
    let app = try await rig.command("volume", "test-app", "0.5")
    #expect(app.end == .code(0), "\(app.standardError)")
    try await heard.waitForLevel(0.25)
    #expect(SessionRig.error { try model.setVolume(.nan) }?.sessionCode == .badParam)
    player.stop()
    heard.recorder.close()
    try await rig.end()
  }

  @Test(.jackServer(channels: 8))
  func
    `VOL-4: a route that the category forbids is refused with the reason, and wireless ones are told`()
    async throws
  {
    let rig = try await SessionRig.running(
      routes: """
        buds: {type: bluetoothA2DP, ports: [system:playback_5, system:playback_6]}
          handset: {type: bluetoothHFP, ports: [system:playback_7, system:playback_8]}
        """
    )
    try rig.session.setCategory(.playback)
    try rig.session.setActive(true)
    let model = MPVolumeViewModel()
    let told = Mutex<[Notification.Name]>([])
    let names: [Notification.Name] = [
      .MPVolumeViewWirelessRoutesAvailableDidChange, .MPVolumeViewWirelessRouteActiveDidChange,
    ]
    let tokens = names.map { name in
      NotificationCenter.default.addObserver(forName: name, object: model, queue: nil) { note in
        told.withLock { $0.append(note.name) }
      }
    }
    #expect(model.routes.map(\.uid) == ["speaker", "phones", "buds"])
    #expect(model.areWirelessRoutesAvailable)
    #expect(model.isWirelessRouteActive)
    let handset = try await rig.command("route", "test-app", "handset")
    #expect(handset.end == .code(65))
    #expect(handset.standardError.contains("bluetoothHFP needs option allowBluetoothHFP"))
    let list = try await rig.command("route", "test-app")
    #expect(list.standardOutput.contains("not available: bluetoothHFP needs option"))
    let typing = try await rig.command("route", "test-ap")
    #expect(typing.end == .code(65))
    #expect(typing.standardError.contains("did you mean 'test-app'"))
    let refused = SessionRig.error { try SessionController.shared.chooseOutput("handset") }
    #expect(refused?.sessionCode == .resourceNotAvailable)
    #expect(refused?.rule == "VOL-4")

    try model.choose(model.routes.first { $0.uid == "phones" })
    try await waitUntil("that it is not wireless is told") {
      told.withLock { $0 } == [.MPVolumeViewWirelessRouteActiveDidChange]
    }
    #expect(!model.isWirelessRouteActive)
    try await rig.simulate(.unplug, route: "buds")
    try await waitUntil("that none is available is told") {
      told.withLock { $0 }.last == .MPVolumeViewWirelessRoutesAvailableDidChange
    }
    #expect(!model.areWirelessRoutesAvailable)
    for token in tokens { NotificationCenter.default.removeObserver(token) }
    try await rig.end()
  }
}
