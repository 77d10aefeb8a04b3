// SPDX-License-Identifier: MIT

import ControlProtocol
import JACK
import TestSupport
import Testing

@testable import EndToEndSupport

/// The host adds no frame, at any buffer size, with and without the server's extra period.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct LatencyTests {
  private static let frames: [UInt32] = [16, 64, 100, 1024]

  @Test(.aloneWithJACK, arguments: frames, [true, false])
  func `a frame leaves in the cycle in which it came, and the host reports that`(
    frames: UInt32,
    isSynchronous: Bool,
  ) async throws {
    let server = try await TestServer.start(frames: frames, synchronous: isSynchronous)
    let result: Result<Void, any Error>
    do {
      result = .success(try await measure(server.name, frames: frames))
    } catch {
      result = .failure(error)
    }
    await server.stop()
    try result.get()
  }

  private func measure(_ server: String, frames: UInt32) async throws {
    let scratch = try Scratch()
    let graph = try scratch.write(
      """
      multiroute: 1
      server: {start: never}
      routes:
        in: {type: lineIn, ports: [system:capture_1]}
        out: {type: lineOut, ports: [system:playback_1]}
      sources:
        through: {input: in}
      mix: [{from: through, to: out}]
      """,
      to: "latency.yaml",
    )
    let host = try await HostProcess.running(graph: graph, server: server, in: scratch)
    let status = try await host.status()
    #expect(status.hardware.ioBufferFrames.actual == Double(frames))

    // The latency that JACK reports: the host adds 0 frames in both directions.
    let watcher = try OpenedClient.open(name: "watcher", server: server)
    let connection = watcher.connection
    let capture = try connection.latencyRange(ofPort: "system:capture_1", .capture)
    let playback = try connection.latencyRange(ofPort: "system:playback_1", .playback)
    #expect(try connection.latencyRange(ofPort: host.port("out_out_1"), .capture) == capture)
    let input = host.port("through_in_1")
    #expect(try connection.latencyRange(ofPort: input, .playback) == playback)
    #expect(status.hardware.inputLatency.actual == Double(capture.maxFrames) / 48_000)
    #expect(status.hardware.outputLatency.actual == Double(playback.maxFrames) / 48_000)
    #expect(status.routes.map(\.latencyFrames) == [capture.maxFrames, playback.maxFrames])

    try await expectSameCycle(from: input, to: host.port("out_out_1"), server: server)

    // The measurement of the program that others use.
    let loop = try LoopDelay(server: server, in: scratch)
    let direct = try await loop.reading(through: nil)
    let through = try await loop.reading(through: (input, host.port("out_out_1")))
    // A host is later by whole frames or not at all; cycles that JACK loses move a reading by hundredths.
    #expect((through - direct).rounded() == 0, "\(through) through the host, \(direct) without it")
    #expect(try await host.stop() == .code(0))
    try await loop.endProgram()
  }

  /// Sends an impulse from one client of the test to another, and expects it in the same frame.
  private func expectSameCycle(from input: String, to output: String, server: String) async throws {
    // A lost cycle moves all later samples: only a continuous recording counts, and a short one is so more often.
    let attempts = 30
    for attempt in 1...attempts {
      let recorder = try Recorder(from: [output], capacityFrames: 9_600, server: server)
      let player = try Player([[0.5]], to: [input], server: server)
      defer {
        player.close()
        recorder.close()
      }
      recorder.start()
      try await waitUntil("recording runs") { recorder.capturedFrames > 2_048 }
      player.start()
      let recording = try await recorder.finish()
      let impulse = recording.channels[0].firstIndex { $0 != 0 }
      guard (recording.isContinuous && impulse != nil) || attempt == attempts else { continue }
      let sent = try #require(player.firstFrame)
      let arrived = try #require(impulse)
      #expect(recording.firstFrame &+ UInt32(arrived) == sent, "attempt \(attempt)")
      #expect(recording.channels[0][arrived] == 0.5)
      return
    }
  }
}
