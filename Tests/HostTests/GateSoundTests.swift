// SPDX-License-Identifier: MIT

import JACK
import Mixing
import TestSupport
import Testing

@testable import Host

/// The gates that count connections, cycle by cycle, on a real server whose clock is the test's.
///
/// The first hardware input plays a constant; each hardware output is heard sample by sample.
@Suite(.serialized, .timeLimit(.minutes(1)))
struct GateSoundTests {
  private static let level: Float = 0.25
  private static let source = "system:capture_1"
  private static let speakers = ["system:playback_1", "system:playback_2"]

  @Test(.steppedServer(frames: 64))
  func `INT-1 a strip sounds from the very cycle in which the direct connection has gone`()
    async throws
  {
    let server = try steppedServer()
    let strip = try GatedStrip(server: server.name)
    defer { strip.close() }
    let connection = strip.connection
    server.play([[Self.level]], loops: true)
    try connection.connect(Self.source, to: Self.speakers[0], awaiting: .nothing)
    try connection.connect("strip:out", to: Self.speakers[1], awaiting: .nothing)
    let port = try #require(try connection.watchedPort(named: Self.source))
    strip.gate.watch(port, limit: 1)
    try await server.run(until: "it is heard directly") {
      server.heard(0, from: max(0, server.frame - 64)).contains(Self.level)
    }
    await server.hold()
    let start = server.frame
    try connection.connect(Self.source, to: "strip:in", awaiting: .nothing)
    for _ in 0..<8 {
      let direct = try await server.step(4)
      #expect(direct[0].last == Self.level && direct[1].last == 0)
      try connection.disconnect(Self.source, from: Self.speakers[0])
      let moved = try await server.step(4)
      #expect(moved[0].last == 0 && moved[1].last == Self.level)
      try connection.connect(Self.source, to: Self.speakers[0], awaiting: .nothing)
    }
    let sums = zip(server.heard(0, from: start), server.heard(1, from: start)).map { $0 + $1 }
    // Neither a gap nor twice the sound.
    let others = sums.count { $0 != Self.level }
    #expect(others == 0)
  }

  @Test(.steppedServer(frames: 64))
  func `PRM-1 a stranger at a permitted program's gate hears not one sample`() async throws {
    let server = try steppedServer()
    let gates = try GateClient(name: "mic", server: server.name, sampleRateHz: 48_000)
    defer { gates.close() }
    let gate = try gates.add(client: "system", source: Self.source)
    try gates.connect(Self.source, to: gate.input)
    gates.approve(gate.id, connections: 1)
    try gates.connect(gate.output, to: Self.speakers[0])
    server.play([[Self.level]], loops: true)
    #expect(try gates.set(gate.id, isOpen: true, fadeSeconds: 0))
    try await server.run(until: "the permitted one hears it") {
      server.heard(0, from: max(0, server.frame - 64)).contains(Self.level)
    }
    await server.hold()
    let start = server.frame
    for _ in 0..<8 {
      try gates.connection.connect(gate.output, to: Self.speakers[1], awaiting: .nothing)
      let together = try await server.step(4)
      #expect(together[0].last == 0, "the stranger is connected, so nobody hears the gate")
      try gates.connection.disconnect(gate.output, from: Self.speakers[1])
      let alone = try await server.step(4)
      #expect(alone[0].last == Self.level)
    }
    let leaked = server.heard(1, from: start).count { $0 != 0 }
    #expect(leaked == 0)
  }
}

/// A client with one strip, whose input has a gate, and one route, as the host's main client has many.
@safe
private final class GatedStrip {
  let connection: ClientConnection
  let gate = InputGateCell()
  private let engine: MixEngine
  private let times = CallbackTimes()
  private var arrangements = ArrangementList()
  private let state: UnsafeMutablePointer<MixProcess>
  private var client: ActiveClient?

  init(server: String) throws {
    let opened = try OpenedClient.open(name: "strip", server: server)
    connection = opened.connection
    let input: AudioInputPort = try connection.register("in")
    let output: AudioOutputPort = try connection.register("out")
    let tag = arrangements.add(
      PortArrangement.Contents(inputs: [input], gates: [gate], outputs: [output])
    )
    engine = try MixEngine(
      MixSpec(
        strips: [StripSpec(id: "strip", channels: 1)],
        routes: [RouteSpec(id: "out", channels: 1)],
        sends: [SendSpec(strip: "strip", route: "out")],
      ),
      configuration: MixEngine.Configuration(sampleRateHz: 48_000),
      tag: tag,
    )
    unsafe state = .allocate(capacity: 1)
    unsafe state.initialize(to: MixProcess(renderer: engine.renderer, durations: times.producer))
    client = try unsafe opened.activate(
      process: mixProcess,
      context: UnsafeMutableRawPointer(state),
    )
  }

  /// Closes the client, and frees the memory of its callback.
  func close() {
    guard let client = client.take(), client.close() != .timedOut else { return }
    arrangements.removeAll()
    gate.free()
    unsafe state.deinitialize(count: 1)
    unsafe state.deallocate()
  }
}
