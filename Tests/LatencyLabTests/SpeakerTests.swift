// SPDX-License-Identifier: MIT

import JACK
import TestSupport
import Testing

@testable import LatencyLab

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
      #expect(heard.requestIndex > 0 && heard.requestIndex < 4800)
      let change = try #require(
        LevelTrace(heard.recording.channels[1], fullLevelLinear: 0.25).change
      )
      #expect(change.fromGainLinear == 1)
      #expect(change.toGainLinear == 0)
      #expect(change.end > heard.requestIndex)
      #expect(heard.recording.channels[0].allSatisfy { $0 == 0 })
    }
  }
}
