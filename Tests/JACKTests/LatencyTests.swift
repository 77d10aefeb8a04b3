// SPDX-License-Identifier: MIT

import JACK
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1)))
struct LatencyTests {
  @Test(.jackServer(frames: 256))
  func `a client that states nothing has the latencies that libjack gives it`() async throws {
    let server = try testServer().name
    let effect = try OpenedClient.open(name: "effect", server: server)
    let _: AudioInputPort = try effect.connection.register("in")
    let _: AudioOutputPort = try effect.connection.register("out")
    let active = try effect.activate()
    let connection = active.connection
    try connection.connect("system:capture_1", to: "effect:in")
    try connection.connect("effect:out", to: "system:playback_1")
    for (from, to, mode) in [
      ("system:capture_1", "effect:out", LatencyMode.capture),
      ("system:playback_1", "effect:in", .playback),
    ] {
      let own = try connection.latencyRange(ofPort: from, mode)
      #expect(own.maxFrames > 0)
      try await waitUntil("\(to) has the \(mode) latency of \(from)") {
        try connection.latencyRange(ofPort: to, mode) == own
      }
    }
  }

  @Test(.jackServer(frames: 256))
  func `ranges add up through a chain, path by path`() async throws {
    let server = try testServer().name
    let source = try OpenedClient.open(name: "source", server: server)
    let near: AudioOutputPort = try source.connection.register("near", flags: .terminal)
    let far: AudioOutputPort = try source.connection.register("far", flags: .terminal)
    try source.connection.setLatencyPaths(
      [],
      own: [
        OwnLatency(source: near, range: LatencyRange(minFrames: 5, maxFrames: 7)),
        OwnLatency(source: far, range: LatencyRange(minFrames: 1000, maxFrames: 1000)),
      ],
    )
    let effect = try OpenedClient.open(name: "effect", server: server)
    let in1: AudioInputPort = try effect.connection.register("in_1")
    let in2: AudioInputPort = try effect.connection.register("in_2")
    let out1: AudioOutputPort = try effect.connection.register("out_1")
    let mix: AudioOutputPort = try effect.connection.register("mix")
    try effect.connection.setLatencyPaths([
      LatencyPath(input: in1, output: out1, frames: 10),
      LatencyPath(input: in1, output: mix, frames: 20),
      LatencyPath(input: in2, output: mix, frames: 30),
    ])
    let sink = try OpenedClient.open(name: "sink", server: server)
    let end: AudioInputPort = try sink.connection.register("end", flags: .terminal)
    try sink.connection.setLatencyPaths(
      [],
      own: [OwnLatency(sink: end, range: LatencyRange(minFrames: 400, maxFrames: 500))],
    )

    let activeSource = try source.activate()
    let activeEffect = try effect.activate()
    let activeSink = try sink.activate()
    let connection = activeEffect.connection
    try connection.connect("source:near", to: "effect:in_1")
    try connection.connect("source:far", to: "effect:in_2")
    try connection.connect("effect:mix", to: "sink:end")

    func expect(
      _ port: String,
      _ mode: LatencyMode,
      _ minFrames: UInt32,
      _ maxFrames: UInt32,
    ) async throws {
      try await waitUntil("\(port) has \(mode) latency \(minFrames)…\(maxFrames)") {
        let range = try connection.latencyRange(ofPort: port, mode)
        return range == LatencyRange(minFrames: minFrames, maxFrames: maxFrames)
      }
    }
    try await expect("source:near", .capture, 5, 7)
    try await expect("effect:in_1", .capture, 5, 7)
    try await expect("effect:out_1", .capture, 15, 17)
    try await expect("effect:mix", .capture, 25, 1030)
    try await expect("sink:end", .capture, 25, 1030)
    try await expect("sink:end", .playback, 400, 500)
    try await expect("effect:mix", .playback, 400, 500)
    try await expect("effect:in_2", .playback, 430, 530)
    try await expect("source:far", .playback, 430, 530)

    try connection.setLatencyPaths([LatencyPath(input: in2, output: mix, frames: 0)])
    try await expect("sink:end", .capture, 1000, 1000)
    #expect(try connection.latencyRange(of: mix, .capture).minFrames == 1000)

    // A path whose port is gone is ignored, without harm.
    try connection.unregister(in2)
    try connection.recomputeTotalLatencies()
    let error = #expect(throws: JACKError.self) {
      try connection.latencyRange(ofPort: "effect:in_2", .capture)
    }
    #expect(error?.code == .noSuchPort)
    activeSink.close()
    activeEffect.close()
    activeSource.close()
  }

  @Test(.jackServer(frames: 256))
  func `the hardware's latencies are readable, and follow the buffer size`() async throws {
    let client = try OpenedClient.open(name: "reader", server: try testServer().name).activate()
    let connection = client.connection
    let before = try connection.latencyRange(ofPort: "system:capture_1", .capture)
    #expect(before == LatencyRange(minFrames: 256, maxFrames: 256))
    try connection.setBufferFrames(128)
    try await waitUntil("128 frames") {
      try connection.latencyRange(ofPort: "system:capture_1", .capture).maxFrames == 128
    }
    client.close()
  }
}
