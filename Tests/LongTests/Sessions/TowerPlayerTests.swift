// SPDX-License-Identifier: MIT

import AudioFiles
import ControlProtocol
import ControlSocket
import Sessions
import TestSupport
import Testing

@testable import EndToEndSupport

/// The host's own players under interruptions.
@Suite(.serialized, .timeLimit(.minutes(3)))
struct TowerPlayerTests {
  /// Frames of the file; each sample is its frame's number.
  private static let frames = 960_000

  @Test(.jackServer(frames: 64))
  func `INT-5 INT-6 a file waits while it is interrupted, and goes on where it stopped`()
    async throws
  {
    let scratch = try Scratch()
    let file = try scratch.write(
      [(1...Self.frames).map { Float($0) / Float(Self.frames) }],
      to: "ramp.wav",
      format: .wavPCM16,
    )
    let graph = try scratch.write(
      """
      multiroute: 1
      server: {start: never}
      routes: {main: {type: lineOut, ports: [system:playback_1]}}
      sources: {ramp: {file: \(file)}}
      mix: [{from: ramp, to: main}]
      """,
      to: "ramp.yaml",
    )
    let host = try await HostProcess.running(graph: graph, server: testServer().name, in: scratch)
    let recorder = try Recorder(
      from: [host.port("main_out_1")],
      capacityFrames: 60 * 48_000,
      server: host.server,
    )
    recorder.start()
    func samples() -> [Float] { recorder.latest(256)[0] }
    try await waitUntil("the file sounds") {
      samples().count == 256 && samples().allSatisfy { $0 > 0 }
    }
    let begun = recorder.capturedFrames
    // The sound that is looked for below, before the call.
    try await recorder.pass(4_800)
    let client = try await host.control()
    var call = Simulate.Params(event: .interruptionBegin)
    call.priorityClass = .phone
    _ = try await client.call(Simulate.self, call)
    try await waitUntil("the call silences it") { samples().allSatisfy { $0 == 0 } }
    // The silence that is looked for below.
    try await recorder.pass(72_000)
    call.event = .interruptionEnd
    _ = try await client.call(Simulate.self, call)
    try await waitUntil("it goes on") { samples().allSatisfy { $0 > 0 } }

    let recording = Array(recorder.captured.channels[0].dropFirst(begun))
    let silence = try #require(Signals.silentRuns(recording).max { $0.count < $1.count })
    #expect(silence.count > 48_000)
    // Around the fades, where the samples are the file's.
    try #require(silence.lowerBound >= 480)
    let before = recording[silence.lowerBound - 480]
    let after = recording[min(silence.upperBound + 2_400, recording.count - 1)]
    let skipped = (after - before) * Float(Self.frames)
    #expect(skipped > 0 && skipped < 36_000, "it went on \(skipped) frames further")
    recorder.close()
    await client.close()
    #expect(try await host.stop() == .code(0))
  }
}
