// SPDX-License-Identifier: MIT

import AudioFiles
import ControlProtocol
import ControlSocket
import Foundation
import Glibc
import JACK
import TestSupport
import Testing

@testable import EndToEndSupport

/// Inter-app audio in the running host.
@Suite(.serialized, .timeLimit(.minutes(1)))
struct NodeTests {
  private let scratch: Scratch

  init() throws { scratch = try Scratch() }

  @Test("IAA-6: a chain that a user takes apart is bypassed and left so", .jackServer())
  func byHand() async throws {
    let server = try testServer().name
    let effect = try scratch.passing("fx1", server)
    let host = try await HostProcess.running(
      graph: try scratch.noiseGraph(effects: 1),
      server: server,
      in: scratch,
    )
    try await host.waitUntilHeard(1, running: 1)
    let recorder = try Recorder(from: [nil], capacityFrames: 1, server: server, name: "hand")
    try recorder.connection.disconnect("fx1:out_1", from: "\(host.name)-noise:return_1")
    try await host.waitUntilHeard(0)
    _ = try await host.waitForEvents(.nodeFault, count: 1)
    #expect(try await host.status().inserts.first?.leftAlone == true)
    let client = try await host.control()
    let params = SetBypass.Params(target: .strip("noise"), node: "fx1", bypassed: false)
    _ = try await client.call(SetBypass.self, params)
    try await host.waitUntilHeard(1)
    await client.close()
    recorder.close()
    _ = try await host.stop()
    _ = effect
  }

  @Test(
    "IAA-2: fluidsynth is an instrument and an LV2 plug-in in jalv an effect, by node files alone",
    .jackServer(),
  )
  func foreign() async throws {
    let server = try testServer().name
    let environment = try scratch.installNodes(
      Dictionary(
        uniqueKeysWithValues: ["fluidsynth", "mda-ambience"].map { name in
          (name, try Repository.text("graphs/nodes/\(name).node.yaml"))
        }
      )
    )
    let graph = try scratch.write(
      """
      multiroute: 1
      session: {category: multiRoute, options: [mixWithOthers]}
      routes:
        main: {type: lineOut, ports: [system:playback_1, system:playback_2]}
      sources:
        keys: {node: fluidsynth, inserts: [ambience]}
      mix: [{from: keys, to: main}]
      """,
      to: "foreign.yaml",
    )
    let host = try HostProcess(
      graph: graph,
      server: server,
      environment: environment,
      in: scratch,
    )
    _ = try await host.attached()
    try await host.waitUntilHeard(1, running: 1)
    let keys = try Child(
      "jack_midiseq",
      ["keys", "12000", "0", "60", "8000"],
      environment: ["JACK_DEFAULT_SERVER": server],
      in: scratch,
    )
    let recorder = try Recorder(
      from: ["fluidsynth:left", host.port("main_out_1")],
      capacityFrames: 48_000,
      server: server,
    )
    try await waitUntil("the keyboard is there") {
      (try? recorder.connection.connect("keys:out", to: "fluidsynth:midi_00")) != nil
    }
    recorder.start()
    let recording = try await recorder.finish()
    #expect(Signals.peak(recording.channels[0]) > 0.001)
    #expect(Signals.peak(recording.channels[1]) > 0.001)
    #expect(recording.channels[0] != recording.channels[1])
    keys.send(SIGINT)
    recorder.close()
    let pids = try await host.waitForEvents(.nodeStarted, count: 2).map { try $0.startedProcess() }
    #expect(pids.allSatisfy { kill($0, 0) == 0 })
    host.child.send(SIGKILL)
    _ = try await host.child.waitForEnd()
    // Neither learns of it, and `onLoss: stop` is in their files.
    try await waitUntil("they are gone with a killed host") { pids.allSatisfy { kill($0, 0) != 0 } }
  }

  /// A client that says that it delays by 100 frames.
  private func lateEffect(_ name: String, _ server: String) throws -> ActiveClient {
    let opened = try OpenedClient.open(name: name, server: server)
    let connection = opened.connection
    let inputs: [AudioInputPort] = try ["in_1", "in_2"].map { try connection.register($0) }
    let outputs: [AudioOutputPort] = try ["out_1", "out_2"].map { try connection.register($0) }
    let client = try opened.activate()
    try connection.setLatencyPaths(
      zip(inputs, outputs).map { LatencyPath(input: $0, output: $1, frames: 100) }
    )
    return client
  }

  private static func lateNode(_ name: String) -> String {
    """
    node: 1
    kind: effect
    name: \(name)
    subtype: late
    manufacturer: test
    session: held
    """
  }

  @Test("IAA-7: a node's latency is part of the host's", .jackServer())
  func latency() async throws {
    let server = try testServer().name
    let client = try lateEffect("fx1", server)
    let connection = client.connection
    let host = try HostProcess(
      graph: try scratch.noiseGraph(effects: 1),
      server: server,
      environment: try scratch.installNodes(["fx1": Self.lateNode("fx1")]),
      in: scratch,
    )
    _ = try await host.attached()
    try await host.waitUntilHeard(1, running: 1)
    // The sound without effects stays connected beside: that is the shortest path.
    let hardware = try connection.latencyRange(ofPort: "system:playback_1", .playback).maxFrames
    let source = "\(host.name)-sources:noise_1"
    try await waitUntil("both ways have the node's latency") {
      let capture = try connection.latencyRange(ofPort: host.port("main_out_1"), .capture)
      let playback = try connection.latencyRange(ofPort: source, .playback)
      return capture == LatencyRange(minFrames: 0, maxFrames: 100)
        && playback == LatencyRange(minFrames: hardware, maxFrames: hardware + 100)
    }
    _ = try await host.stop()
    _ = client.close()
  }

  @Test("IAA-7: the latency of a route's effect is part of the host's", .jackServer())
  func routeLatency() async throws {
    let server = try testServer().name
    let client = try lateEffect("post", server)
    let host = try HostProcess(
      graph: try scratch.noiseGraph(effects: 0, route: true),
      server: server,
      environment: try scratch.installNodes(["post": Self.lateNode("post")]),
      in: scratch,
    )
    _ = try await host.attached()
    try await host.waitUntilHeard(1, running: 1)
    let connection = client.connection
    let hardware = try connection.latencyRange(ofPort: "system:playback_1", .playback).maxFrames
    let source = "\(host.name)-sources:noise_1"
    try await waitUntil("both ways have the node's latency") {
      let outlet = "\(host.name)-main-out:out_1"
      let capture = try connection.latencyRange(ofPort: outlet, .capture)
      let playback = try connection.latencyRange(ofPort: source, .playback)
      return capture == LatencyRange(minFrames: 100, maxFrames: 100)
        && playback == LatencyRange(minFrames: hardware, maxFrames: hardware + 100)
    }
    _ = try await host.stop()
    _ = client.close()
  }
}
