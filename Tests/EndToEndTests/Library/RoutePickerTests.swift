// SPDX-License-Identifier: MIT

import ControlProtocol
import ControlSocket
import Foundation
import Observation
import Synchronization
import TestSupport
import Testing

@testable import AudioSession
@testable import EndToEndSupport

/// The route picker and the volume control: of an app in the library, and of its user on the command line (VOL-4).
@Suite(.serialized, .timeLimit(.minutes(3)))
struct RoutePickerTests {
  @Test(.steppedServer(frames: 256, channels: 6))
  func
    `VOL-4: multiroute route moves a playing app, and every sample is at the one route or the other`()
    async throws
  {
    let rig = try await SessionRig.running(
      routes: "line: {type: lineOut, ports: [system:playback_5, system:playback_6]}"
    )
    try rig.session.setCategory(.playback)
    let player = try AVAudioPlayer(contentsOf: rig.constant(0.5, seconds: 5))
    player.numberOfLoops = -1
    #expect(player.play())
    let heard = try rig.recorder(["phones_out_1", "line_out_1", "speaker_out_1"])
    try await heard.waitForLevels([0, 0.5, 0])
    let model = MPVolumeViewModel()
    #expect(model.routes.map(\.uid) == ["speaker", "phones", "line"])
    #expect(model.activeRoutes.map(\.uid) == ["line"])
    #expect(model.chosenRoute == nil)
    let isTold = Mutex(false)
    withObservationTracking {
      _ = model.activeRoutes
    } onChange: {
      isTold.withLock { $0 = true }
    }
    let start = heard.recorder.capturedFrames

    let moved = try await rig.command("route", "test-app", "phones")
    #expect(moved.end == .code(0), "\(moved.standardError)")
    #expect(moved.standardOutput.contains("* phones"))
    #expect(moved.standardOutput.contains("test-app stays on phones, as you chose"))
    _ = try await rig.notes.routeChange(.override)
    try await heard.waitForLevels([0.5, 0, 0])
    #expect(player.isPlaying)
    #expect(rig.session.currentRoute.outputs.map(\.uid) == ["phones"])
    try await waitUntil("the model has it") { model.chosenRoute?.uid == "phones" }
    #expect(model.activeRoutes.map(\.uid) == ["phones"])
    #expect(isTold.withLock { $0 })

    // Outside of one ramp each sample is exact, and the third route hears nothing.
    let channels = heard.recorder.captured.channels.map { Array($0[start...]) }
    let (new, old) = (channels[0], channels[1])
    let begin = try #require(old.firstIndex { $0 != 0.5 })
    let end = max(
      try #require(new.lastIndex { $0 != 0.5 }),
      try #require(old.lastIndex { $0 != 0 }),
    )
    #expect(new.firstIndex { $0 != 0 }.map { $0 >= begin - 1 } == true)
    #expect(end - begin < 4_800, "the ramp has \(end - begin) frames")
    #expect(channels[2].allSatisfy { $0 == 0 })

    // The user leaves it to the rules again, and the app's own picker chooses.
    #expect(try await rig.command("route", "test-app", "--automatic").end == .code(0))
    try await heard.waitForLevels([0, 0.5, 0])
    try model.choose(model.routes.first { $0.uid == "speaker" })
    try await heard.waitForLevels([0, 0, 0.5])
    #expect(model.chosenRoute?.uid == "speaker")
    try await rig.simulate(.unplug, route: "speaker")
    try await waitUntil("the pick has ended") { model.chosenRoute == nil }
    #expect(model.reason(against: "speaker") == "its ports are not there")
    player.stop()
    heard.recorder.close()
    try await rig.end()
  }
}
