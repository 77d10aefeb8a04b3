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
  @Test(.jackServer(channels: 6))
  func `CAT-2: raw audio reaches any channel of any output by a channel map`() async throws {
    let rig = try await SessionRig.running(
      routes: "hdmi: {type: HDMI, ports: [system:playback_5, system:playback_6]}"
    )
    try rig.session.setCategory(.multiRoute)
    try rig.session.setActive(true)
    let source = try ConstantSource(0.5)
    try source.io?.start()
    let heard = try rig.recorder(["phones_out_1", "phones_out_2", "hdmi_out_1", "hdmi_out_2"])
    try await heard.waitForLevels([0.5, 0.5, 0, 0])
    // As many entries as all outputs have channels together.
    let count = rig.session.maximumOutputNumberOfChannels
    try source.io?.setOutputChannelMap([-1, 0, -1, 1])
    #expect(count == 4)
    try await heard.waitForLevels([0, 0.5, 0, 0.5])
    try source.io?.setOutputChannelMap([1, -1, 0, -1])
    try await heard.waitForLevels([0.5, 0, 0.5, 0])
    let refused = SessionRig.error { try source.io?.setOutputChannelMap([2, -1, -1, -1]) }
    #expect(refused?.sessionCode == .badParam)
    #expect(refused?.allowed == ["0…64 entries", "-1…1 in each"])
    try await heard.waitForLevels([0.5, 0, 0.5, 0])
    try source.io?.setOutputChannelMap(nil)
    try await heard.waitForLevels([0.5, 0.5, 0, 0])
    heard.recorder.close()
    try await rig.end()
  }

  @Test(.jackServer(channels: 4))
  func `CAT-3 RTE-5: one input of several, chosen, and its channels mapped`() async throws {
    let server = try testServer().name
    let levels: [Float] = [0.125, 0.25, 0.5, 0.75]
    let tones = try Player(
      levels.map { [Float](repeating: $0, count: 4_800) },
      loops: true,
      server: server,
      name: "inputs",
    )
    tones.start()
    let rig = try await SessionRig.running(
      routes: """
        usb: {type: usbAudio, direction: input, ports: ["inputs:out_3", "inputs:out_4"]}
        """,
      microphone: ["inputs:out_1", "inputs:out_2"],
    )
    let session = rig.session
    try session.setCategory(.multiRoute)
    try session.setActive(true)
    // The device that came last, and not both.
    #expect(session.currentRoute.inputs.map(\.uid) == ["usb"])
    #expect(session.availableInputs?.map(\.uid).sorted() == ["mic", "usb"])
    #expect(session.maximumInputNumberOfChannels == 2)
    let right = try #require(session.currentRoute.inputs.first?.channels?.last)
    #expect(session.flatInputIndex(of: right) == 1)
    let url = URL(filePath: rig.scratch.path + "/take.wav")
    let recorder = try AVAudioRecorder(url: url, settings: [AVNumberOfChannelsKey: 1])
    recorder.channelAssignments = [right]
    #expect(recorder.record())
    try await waitUntil("it has recorded") { recorder.currentTime > 0.5 }
    recorder.updateMeters()
    #expect(abs(recorder.peakPower(forChannel: 0) - 20 * log10(0.75)) < 0.01)
    try await waitUntil("the mean has settled") {
      recorder.updateMeters()
      return abs(recorder.averagePower(forChannel: 0) - 20 * log10(0.75)) < 0.1
    }
    #expect(recorder.peakPower(forChannel: 1) == -160)
    recorder.stop()
    #expect(abs(try rig.peak(of: url) - 0.75) < 0.01)

    // Raw audio plays its input, the second channel first.
    var nothing: UInt8 = 0
    let io = try unsafe withUnsafeMutablePointer(to: &nothing) { pointer in
      try unsafe AudioIO(
        inputChannels: 2,
        outputChannels: 2,
        state: UnsafeMutableRawPointer(pointer),
        render: throughRender,
      )
    }
    try io.start()
    let heard = try rig.recorder(["phones_out_1", "phones_out_2"])
    try await heard.waitForLevels([0.5, 0.75])
    try io.setInputChannelMap([1, -1])
    try await heard.waitForLevels([0.75, 0])
    #expect(SessionRig.error { try io.setInputChannelMap([0]) }?.sessionCode == .badParam)
    let microphone = try #require(session.availableInputs?.first { $0.uid == "mic" })
    try session.setPreferredInput(microphone)
    try await waitUntil("it is in the route") { session.currentRoute.inputs == [microphone] }
    // It follows, with its map.
    try await heard.waitForLevels([0.25, 0])
    try io.setInputChannelMap(nil)
    try await heard.waitForLevels([0.125, 0.25])
    recorder.channelAssignments = nil
    #expect(recorder.record())
    try await waitUntil("it has recorded") { recorder.currentTime > 0.5 }
    recorder.stop()
    #expect(abs(try rig.peak(of: url) - 0.125) < 0.01)
    io.stop()
    try await heard.waitForLevels([0, 0])
    heard.recorder.close()
    tones.close()
    try await rig.end()
  }
}

@c(multiroute_test_through_render) @_noLocks @_noAllocation
func throughRender(_ frames: UInt32, _ context: UnsafeMutableRawPointer?) -> Int32 {
  unsafe AudioIOCycle.run(frames, context, as: UInt8.self) { _, cycle in
    for channel in 0..<2 {
      let input = unsafe cycle.input(channel)
      let output = unsafe cycle.output(channel)
      for frame in 0..<cycle.frames {
        unsafe output[frame] = frame < input.count ? input[frame] : 0
      }
    }
  }
}
