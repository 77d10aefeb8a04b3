// SPDX-License-Identifier: MIT

import AudioFiles
import ControlProtocol
import ControlSocket
import Foundation
import Glibc
import TestSupport
import Testing

@testable import EndToEndSupport

/// Recordings of strips and routes, made by the host.
@Suite(.serialized, .timeLimit(.minutes(1)))
struct RecorderTapTests {
  @Test(.steppedServer())
  func
    `a route and 32 channels of a strip are recorded sample by sample, started and stopped live`()
    async throws
  {
    let scratch = try Scratch()
    let server = try testServer().name
    let noise = (0..<32).map { Signals.noise(9_001 + $0, seed: UInt64($0)).prefix(9_001) }
    let name = Scratch.uniqueName("wide")
    let player = try Player(noise.map(Array.init), loops: true, server: server, name: name)
    player.start()
    let graph = try scratch.write(
      """
      multiroute: 1
      routes:
        main: {type: lineOut, ports: [system:playback_1, system:playback_2]}
      sources:
        wide: {ports: [\((1...32).map { "\"\(name):out_\($0)\"" }.joined(separator: ", "))]}
      mix:
        - {from: wide, to: main, channels: [[1, 1], [2, 2]]}
      recorders:
        set: {from: main, file: takes/set.flac, samples: pcm16, splitAfter: 1 s}
        tracks: {from: wide, file: takes/tracks.wav, start: false}
      """,
      to: "record.yaml",
    )
    let host = try await HostProcess.running(graph: graph, server: server, in: scratch)
    let client = try await host.control()
    let started = try await client.call(StartRecording.self, .init(recorder: "tracks"))
    #expect(started.recording && started.from == "wide")
    await #expect(throws: (any Error).self) {
      try await client.call(StartRecording.self, .init(recorder: "tracks"))
    }
    try await waitUntil("three seconds are recorded") {
      try await client.call(GetStatus.self).recorders.allSatisfy { $0.framesWritten > 144_000 }
    }
    let tracks = try await client.call(StopRecording.self, .init(recorder: "tracks"))
    let set = try await client.call(StopRecording.self, .init(recorder: "set"))
    #expect(tracks.framesLost == 0 && set.framesLost == 0)
    #expect(!tracks.recording && tracks.fault == nil)
    #expect(tracks.files == [scratch.path + "/takes/tracks.wav"])
    #expect(set.files.first == scratch.path + "/takes/set-001.flac" && set.files.count >= 3)
    // A refused request leaves no file behind, and existing ones as they were.
    let absent = StartRecording.Params(recorder: "r1", from: "nosuch", file: "/tmp/r1.wav")
    let floats = StartRecording.Params(
      recorder: "r2",
      from: "main",
      file: "\(scratch.path)/r2.flac",
      samples: .float32,
    )
    let nowhere = StartRecording.Params(recorder: "tracks", from: "main", file: "/proc/x/y.wav")
    for params in [absent, floats, nowhere] {
      await #expect(throws: (any Error).self) { try await client.call(StartRecording.self, params) }
    }
    let known = try await client.call(GetStatus.self).recorders
    #expect(known.map(\.name) == ["set", "tracks"])
    #expect(known[1].from == "wide" && known[1].files == tracks.files)
    let again = try await client.call(StartRecording.self, .init(recorder: "tracks"))
    #expect(again.files.last == scratch.path + "/takes/tracks-002.wav", "nothing is overwritten")
    await client.close()
    #expect(try await host.stop() == .code(0))
    player.close()

    let wide = try Signals.read(tracks.files[0])
    try Signals.expectLoop(wide, of: noise.map(Array.init), atLeast: 140_000)
    var whole: [[Float]] = [[], []]
    for file in set.files {
      let part = try Signals.read(file)
      for channel in 0..<2 { whole[channel] += part[channel] }
    }
    try Signals.expectLoop(whole, of: noise[..<2].map(Array.init), atLeast: 140_000)
    let firstFrames = try Signals.read(set.files[0])[0].count
    #expect(firstFrames == 48_000)
  }
}
