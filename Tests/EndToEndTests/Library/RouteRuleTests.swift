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
  @Test(.steppedServer(frames: 256, channels: 4))
  func `RTE-1 to RTE-5: the route, its changes with reason and previous, override, input`()
    async throws
  {
    let rig = try await SessionRig.running()
    let session = rig.session
    try session.setCategory(.playback)
    try session.setActive(true)
    let first = try await rig.notes.routeChange(.categoryChange)
    #expect(!first.isOnMainThread)
    let output = try #require(session.currentRoute.outputs.first)
    #expect(output.portType == .headphones)
    #expect(output.uid == "phones")
    let channels = try #require(output.channels)
    #expect(channels.map(\.channelNumber) == [1, 2])
    #expect(channels.allSatisfy { $0.owningPortUID == "phones" })
    #expect(session.availableInputs == nil)
    #expect(session.inputNumberOfChannels == 0)

    // RTE-3: out and in again; the previous route is in the notification.
    try await rig.simulate(.unplug, route: "phones")
    let out = try await rig.notes.routeChange(.oldDeviceUnavailable)
    let previous = out.userInfo[AVAudioSessionRouteChangePreviousRouteKey]
    let route = try #require(previous as? AVAudioSessionRouteDescription)
    #expect(route.outputs.map(\.portType) == [.headphones])
    #expect(session.currentRoute.outputs.map(\.portType) == [.builtInSpeaker])
    try await rig.simulate(.plug, route: "phones")
    _ = try await rig.notes.routeChange(.newDeviceAvailable)
    #expect(session.currentRoute.outputs.map(\.portType) == [.headphones])

    // RTE-5: the override is playAndRecord's, and ends with the next change.
    let refused = SessionRig.error { try session.overrideOutputAudioPort(.speaker) }
    #expect(refused?.sessionCode == .incompatibleCategory)
    #expect(refused?.rule == "RTE-5")
    try session.setCategory(.playAndRecord)
    try session.overrideOutputAudioPort(.speaker)
    _ = try await rig.notes.routeChange(.override)
    #expect(session.currentRoute.outputs.map(\.portType) == [.builtInSpeaker])
    #expect(session.currentRoute.inputs.map(\.portType) == [.builtInMic])
    try session.overrideOutputAudioPort(.none)
    #expect(session.currentRoute.outputs.map(\.portType) == [.headphones])
    let microphone = try #require(session.availableInputs?.first)
    try session.setPreferredInput(microphone)
    #expect(session.preferredInput == microphone)
    try session.setPreferredInput(nil)
    #expect(session.preferredInput == nil)
    let foreign = SessionRig.error {
      try session.setPreferredInput(AVAudioSessionPortDescription())
    }
    #expect(foreign?.sessionCode == .badParam)
    #expect(session.inputDataSources == nil)
    let source = SessionRig.error {
      try session.setInputDataSource(AVAudioSessionDataSourceDescription())
    }
    #expect(source?.sessionCode == .resourceNotAvailable)
    try await rig.end()
  }

  @Test(.steppedServer(frames: 256, channels: 4))
  func `CAT-2 CAT-3 multiRoute has every output in one flat channel space, and one input`()
    async throws
  {
    let rig = try await SessionRig.running()
    let session = rig.session
    try session.setCategory(.multiRoute)
    try session.setActive(true)
    // The built-in speaker joins only when it is the only output.
    #expect(session.currentRoute.outputs.map(\.uid) == ["phones"])
    #expect(session.currentRoute.inputs.map(\.uid) == ["mic"])
    #expect(session.maximumOutputNumberOfChannels == 2)
    try session.setActive(false)
    #expect(session.maximumOutputNumberOfChannels == 0)
    let inactive = SessionRig.error { try session.setPreferredOutputNumberOfChannels(2) }
    #expect(inactive?.sessionCode == .badParam)
    try session.setCategory(.playback)
    try session.setActive(true)
    let input = SessionRig.error { try session.setPreferredInputNumberOfChannels(1) }
    #expect(input?.sessionCode == .incompatibleCategory)
    #expect(input?.rule == "CAT-1")
    try session.setPreferredOutputNumberOfChannels(1)
    #expect(session.preferredOutputNumberOfChannels == 1)
    #expect(session.outputNumberOfChannels == 1)
    try await rig.end()
  }

  @Test(.steppedServer(frames: 256, channels: 4))
  func `CAT-1: a category without output is silent, one without input hears silence`()
    async throws
  {
    let tone = try Player(
      [[Float](repeating: 0.25, count: 4_800)],
      loops: true,
      server: try testServer().name,
      name: "capture-stand-in",
    )
    tone.start()
    let rig = try await SessionRig.running(microphone: ["capture-stand-in:out_1"])
    let session = rig.session
    let heard = try rig.recorder("phones_out_1")
    let player = try AVAudioPlayer(contentsOf: rig.constant(0.5, seconds: 5))
    player.numberOfLoops = -1
    try session.setCategory(.playAndRecord)
    #expect(player.play())
    try await heard.waitForLevel(0.5)
    #expect(session.currentRoute.inputs.map(\.uid) == ["mic"])
    try session.setCategory(.record)
    try await heard.waitForLevel(0)
    #expect(session.currentRoute.outputs.isEmpty)
    #expect(session.outputLatency == 0)

    try session.setCategory(.playback)
    try await heard.waitForLevel(0.5)
    #expect(session.currentRoute.inputs.isEmpty)
    let url = URL(filePath: rig.scratch.path + "/take.wav")
    let recorder = try AVAudioRecorder(url: url, settings: [AVNumberOfChannelsKey: 1])
    #expect(!recorder.record())
    player.stop()
    tone.close()
    heard.recorder.close()
    try await rig.end()
  }

  @Test(.steppedServer(frames: 256, channels: 6))
  func `CAT-5 HW-6: an output that joins multiRoute costs those that play no sample`() async throws
  {
    let rig = try await SessionRig.running(
      routes: "hdmi: {type: HDMI, ports: [system:playback_5, system:playback_6]}"
    )
    try await rig.simulate(.unplug, route: "hdmi")
    try rig.session.setCategory(.multiRoute)
    try rig.session.setActive(true)
    #expect(rig.session.currentRoute.outputs.map(\.uid) == ["phones"])
    let player = try AVAudioPlayer(contentsOf: rig.constant(0.5, seconds: 5))
    player.numberOfLoops = -1
    #expect(player.play())
    let assigned = try AVAudioPlayer(contentsOf: rig.constant(0.25, seconds: 5))
    assigned.numberOfLoops = -1
    assigned.channelAssignments = (rig.session.currentRoute.outputs[0].channels?.last).map { [$0] }
    #expect(assigned.play())
    let heard = try rig.recorder(["phones_out_1", "phones_out_2"])
    try await heard.waitForLevels([0.5, 0.25])
    let start = heard.recorder.capturedFrames
    try await rig.simulate(.plug, route: "hdmi")
    _ = try await rig.notes.routeChange(.newDeviceAvailable)
    try await waitUntil("it has joined") {
      rig.session.currentRoute.outputs.map(\.uid) == ["phones", "hdmi"]
    }
    let joined = heard.recorder.capturedFrames
    try await waitUntil("it plays on") { heard.recorder.capturedFrames > joined + 24_000 }
    for (samples, level) in zip(heard.recorder.captured.channels, [Float(0.5), 0.25]) {
      let played = samples[start...]
      #expect(played.allSatisfy { $0 == level }, "\(played.count { $0 != level }) samples differ")
    }
    // Seconds are frames over the rate exactly.
    #expect(rig.session.ioBufferDuration == 256.0 / 48_000)
    player.stop()
    assigned.stop()
    heard.recorder.close()
    try await rig.end()
  }
}
