// SPDX-License-Identifier: MIT

import ControlProtocol
import ControlSocket
import Foundation
import TestSupport
import Testing

@testable import AudioSession
@testable import EndToEndSupport

/// The routes that a session may use, and its sound when they change.
@Suite(.serialized, .timeLimit(.minutes(3)))
struct RouteRuleTests {
  @Test(.jackServer(channels: 6))
  func `RTE-7: in multiRoute a lost output pauses the players that were heard there, no others`()
    async throws
  {
    let rig = try await SessionRig.running(
      routes: "hdmi: {type: HDMI, ports: [system:playback_5, system:playback_6]}"
    )
    let session = rig.session
    try session.setCategory(.multiRoute)
    try session.setActive(true)
    #expect(session.currentRoute.outputs.map(\.uid) == ["phones", "hdmi"])
    var players: [AVAudioPlayer] = []
    let file = try rig.constant(0.5, seconds: 5)
    for output in session.currentRoute.outputs {
      let player = try AVAudioPlayer(contentsOf: file)
      player.numberOfLoops = -1
      player.channelAssignments = output.channels
      #expect(player.play())
      players.append(player)
    }
    let phones = try rig.recorder("phones_out_1")
    try await phones.waitForLevel(0.5)
    try await rig.simulate(.unplug, route: "hdmi")
    _ = try await rig.notes.routeChange(.oldDeviceUnavailable)
    try await waitUntil("its player is paused") { !players[1].isPlaying }
    #expect(players[0].isPlaying)
    // A route that appears leaves the stream with assignments as it is, sample by sample.
    let start = phones.recorder.capturedFrames
    try await rig.simulate(.plug, route: "hdmi")
    try await waitUntil("it has joined") {
      session.currentRoute.outputs.map(\.uid) == ["phones", "hdmi"]
    }
    let joined = phones.recorder.capturedFrames
    try await waitUntil("it plays on") { phones.recorder.capturedFrames > joined + 24_000 }
    let played = phones.recorder.captured.channels[0][start...]
    #expect(played.allSatisfy { $0 == 0.5 }, "\(played.count { $0 != 0.5 }) samples differ")
    for player in players { player.stop() }
    phones.recorder.close()
    try await rig.end()
  }

  @Test(.jackServer(channels: 10))
  func `OPT-2 MOD-4 RTE-6: hands-free and network outputs are routes only where they may be`()
    async throws
  {
    let rig = try await SessionRig.running(
      routes: """
        headset: {type: bluetoothHFP, ports: [system:playback_5, system:playback_6]}
          network: {type: airPlay, mirrored: true, ports: [system:playback_7, system:playback_8]}
          kitchen: {type: airPlay, ports: [system:playback_9, system:playback_10]}
        """
    )
    let session = rig.session
    func output() -> AVAudioSession.Port? { session.currentRoute.outputs.first?.portType }
    func name() -> String? { session.currentRoute.outputs.first?.uid }
    // MOD-4: mirrored without an option in mode default, never unmirrored.
    try session.setCategory(.playAndRecord)
    try session.setActive(true)
    #expect(name() == "network")
    try session.setCategory(.playAndRecord, mode: .gameChat)
    #expect(name() == "network")
    // Voice goes to the network with the option only.
    try session.setCategory(.playAndRecord, mode: .voiceChat)
    #expect(output() == .bluetoothHFP)
    try session.setCategory(.playAndRecord, mode: .voiceChat, options: .allowAirPlay)
    #expect(name() == "network")
    // Playback takes mirrored and unmirrored ones, and no hands-free ones.
    try session.setCategory(.playback)
    #expect(name() == "kitchen")
    try await rig.simulate(.unplug, route: "kitchen")
    try await waitUntil("the mirrored one plays") { name() == "network" }
    try await rig.simulate(.unplug, route: "network")
    try await waitUntil("the last but one plays") { output() == .headphones }
    try await rig.end()
  }
}
