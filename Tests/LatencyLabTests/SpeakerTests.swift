// SPDX-License-Identifier: MIT

import JACK
import TestSupport
import Testing

@testable import LatencyLab

@Suite struct SpeakerRecordingTests {
  /// Three cycles of a millisecond, the last one 4 ms late.
  private static let recording = Speaker.Recording(
    sampleRateHz: 48_000,
    channels: [],
    lostFrames: 0,
    cycles: [(0, 10_000_000), (48, 11_000_000), (96, 16_000_000)].map {
      CycleStamp(frame: $0, nanoseconds: $1)
    },
  )

  @Test func `a sample is heard when its cycle was`() {
    #expect(Self.recording.nanoseconds(ofIndex: 24) == 10_500_000)
    #expect(Self.recording.nanoseconds(ofIndex: 95) == 11_979_166)
    #expect(Self.recording.nanoseconds(ofIndex: 96) == 16_000_000)
    #expect(Self.recording.lateCycles == 1)
  }

  @Test func `the sound does not go on while a cycle is late`() {
    #expect(Self.recording.index(ofNanoseconds: 9_000_000) == 0)
    #expect(Self.recording.index(ofNanoseconds: 10_500_000) == 24)
    #expect(Self.recording.index(ofNanoseconds: 14_000_000) == 96)
    #expect(Self.recording.index(ofNanoseconds: 16_250_000) == 108)
  }
}

extension JACKSuites {
  @Suite struct SpeakerTests {
    @Test(.jackServer(frames: 64))
    func hearsWhenAnotherClientIsTakenOff() async throws {
      let server = try testServer().name
      let speaker = try Speaker(ports: 2, capacityFrames: 9600, name: "speaker", server: server)
      defer { speaker.close() }
      let music = try ConstantVoice.client(name: "music", server: server, levelLinear: 0.25)
      defer { music.close() }
      let connection = speaker.connection
      #expect(try connection.port(named: "speaker:in_1").isPhysical)
      try connection.connect("music:out", to: "speaker:in_2")

      let heard = try await speaker.record(frames: 4800) { () throws(LabError) in
        try LabError.wrapping { () throws(JACKError) in
          try connection.disconnect("music:out", from: "speaker:in_2")
        }
      }
      #expect(heard.recording.channels.map(\.count) == [4800, 4800])
      let request = heard.recording.index(ofNanoseconds: heard.requestNanoseconds)
      #expect(request > 0 && request < 4800)
      let change = try #require(
        LevelTrace(heard.recording.channels[1], fullLevelLinear: 0.25).change
      )
      #expect(change.fromGainLinear == 1)
      #expect(change.toGainLinear == 0)
      #expect(change.end > request)
      #expect(heard.recording.channels[0].allSatisfy { $0 == 0 })
    }
  }
}
