// SPDX-License-Identifier: MIT

import AudioSession
import ControlProtocol
import Foundation
import TestSupport
import Testing

@testable import EndToEndSupport

/// Several outputs at once as an app sees them: the flat channel space, channel by channel.
@Suite(.serialized, .timeLimit(.minutes(3)))
struct MultiRouteAPITests {
  @Test(.steppedServer(frames: 256, channels: 6))
  func `CAT-2 CAT-4: one file left, another right in the headphones, a third to HDMI right`()
    async throws
  {
    let rig = try await SessionRig.running(
      routes: "hdmi: {type: HDMI, ports: [system:playback_5, system:playback_6]}"
    )
    try rig.session.setCategory(.multiRoute)
    try rig.session.setActive(true)
    let outputs = rig.session.currentRoute.outputs
    #expect(outputs.map(\.uid) == ["phones", "hdmi"])
    #expect(rig.session.maximumOutputNumberOfChannels == 4)
    let channels = outputs.flatMap { $0.channels ?? [] }
    #expect(channels.map(\.owningPortUID) == ["phones", "phones", "hdmi", "hdmi"])
    #expect(channels.map(\.channelNumber) == [1, 2, 1, 2])
    #expect(channels.map(\.channelLabel) == [1, 2, 1, 2])
    #expect(channels.map { rig.session.flatOutputIndex(of: $0) } == [0, 1, 2, 3])
    var players: [AVAudioPlayer] = []
    for (level, channel) in zip([Float(0.1), 0.2, 0.3], [0, 1, 3]) {
      let player = try AVAudioPlayer(contentsOf: rig.constant(level, seconds: 5))
      player.channelAssignments = [channels[channel]]
      player.numberOfLoops = -1
      #expect(player.play())
      players.append(player)
    }
    // One recorder for all: a host gives a client of the same name its connections back.
    let heard = try rig.recorder(["phones_out_1", "phones_out_2", "hdmi_out_1", "hdmi_out_2"])
    try await heard.waitForLevels([0.1, 0.2, 0, 0.3])

    // A file that plays moves to another channel.
    players[2].channelAssignments = [channels[2]]
    try await heard.waitForLevels([0.1, 0.2, 0.3, 0])
    // The channel space shrinks with its ports; those that are left play on.
    try await rig.simulate(.unplug, route: "hdmi")
    _ = try await rig.notes.routeChange(.oldDeviceUnavailable)
    #expect(rig.session.maximumOutputNumberOfChannels == 2)
    #expect(rig.session.flatOutputIndex(of: channels[3]) == nil)
    for player in players { player.stop() }
    try await heard.waitForLevels([0, 0, 0, 0])
    heard.recorder.close()
    try await rig.end()
  }
}
