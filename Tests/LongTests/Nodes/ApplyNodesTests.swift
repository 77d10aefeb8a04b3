// SPDX-License-Identifier: MIT

import AudioFiles
import ControlProtocol
import ControlSocket
import Glibc
import TestSupport
import Testing

@testable import EndToEndSupport

/// Nodes that come and go with versions of the graph.
@Suite(.serialized, .timeLimit(.minutes(2)))
struct ApplyNodesTests {
  private static let level: Float = 0.5

  private let scratch: Scratch

  init() throws { scratch = try Scratch() }

  private func graph(_ source: String) -> String {
    """
    multiroute: 1
    server: {start: never}
    session: {category: multiRoute, options: [mixWithOthers]}
    routes:
      main: {type: lineOut, ports: [system:playback_1]}
      other: {type: headphones, ports: [system:playback_2]}
    sources:
      \(source)
    mix: [{from: steady, to: main}]

    """
  }

  private func apply(_ source: String, _ client: ControlClient) async throws {
    _ = try await client.call(ApplyGraph.self, .init(text: graph(source)))
  }

  /// The ports of the host's clients.
  private func ports(_ client: ControlClient) async throws -> Set<String> {
    Set(try await client.call(ListPatch.self).ports.filter(\.isHost).map(\.name))
  }

  @Test(
    "effects come and go with their ports, also at a strip that gets another number of channels",
    .jackServer(channels: 2)
  )
  func effects() async throws {
    let server = try testServer().name
    let effect = try scratch.passing("fx1", server)
    try await waitUntilPublished("fx1")
    let path = try scratch.write(graph("steady: {tone: {}, channels: 1}"), to: "nodes.yaml")
    let host = try await HostProcess.running(graph: path, server: server, in: scratch)
    let client = try await host.control(role: .user)
    let before = try await ports(client)
    for _ in 1...2 {
      try await apply("steady: {tone: {}, channels: 1, inserts: [fx1]}", client)
      try await host.waitUntilHeard(1, running: 1)
      #expect(try await ports(client).count > before.count)
      try await apply("steady: {tone: {}, channels: 1}", client)
      #expect(try await host.status().inserts == [])
      try await waitUntil("the ports are gone") { try await ports(client) == before }
    }
    try await apply("steady: {tone: {}, channels: 2, inserts: [fx1]}", client)
    try await host.waitUntilHeard(1, running: 1)
    // The ports of the effects have room once those before are gone.
    try await apply("steady: {tone: {}, channels: 1, inserts: [fx1]}", client)
    try await host.waitUntilHeard(1, running: 1)
    let renamed = graph("steady: {tone: {}, channels: 1, inserts: [fx1]}")
      .replacing("steady: {", with: "calm: {was: steady, ").replacing(
        "from: steady",
        with: "from: calm"
      )
    _ = try await client.call(ApplyGraph.self, .init(text: renamed))
    #expect(try await host.status().inserts.map(\.strip) == ["calm"])
    try await host.waitUntilHeard(1, running: 1)
    await client.close()
    _ = try await host.stop()
    _ = effect
  }

  @Test(
    "a node becomes the source of a strip with effects, and one with other channels takes its place",
    .jackServer(channels: 2)
  )
  func sourceWithEffects() async throws {
    let server = try testServer().name
    let samples = [Float](repeating: Self.level, count: 60 * 48_000)
    let files = [
      "wide": try scratch.write([samples, samples], to: "wide.wav", format: .wavFloat32),
      "narrow": try scratch.write([samples], to: "narrow.wav", format: .wavFloat32),
    ]
    let program = try Multiroute.path()
    let nodes = files.map { name, file in
      (
        name,
        """
        node: 1
        kind: generator
        name: \(name)
        client: \(name)
        subtype: \(name == "wide" ? "wide" : "narr")
        manufacturer: mrte
        publishesItself: true
        command: ["\(program)", node, run, player, "--file=\(file)", --name=\(name), --on-loss=stop]
        """
      )
    }
    let effect = try scratch.passing("fx1", server)
    try await waitUntilPublished("fx1")
    let host = try HostProcess(
      graph: try scratch.write(
        graph("steady: {tone: {}, channels: 2, inserts: [fx1]}"),
        to: "nodes.yaml"
      ),
      server: server,
      environment: try scratch.installNodes(Dictionary(uniqueKeysWithValues: nodes)),
      in: scratch,
    )
    _ = try await host.attached()
    try await host.waitUntilHeard(1, running: 1)
    let client = try await host.control(role: .user)
    let recorder = try Recorder(
      from: [host.port("main_out_1")],
      capacityFrames: 24_000,
      server: server,
    )
    // The player has two outputs, which JACK adds at the one port of a narrow strip; effects are fed channel by channel.
    for (source, level) in [
      ("{node: wide, inserts: [fx1]}", Self.level),
      ("{node: narrow, channels: 1, inserts: [fx1]}", Self.level),
      ("{node: narrow, channels: 1}", 2 * Self.level), ("{node: wide}", Self.level),
    ] {
      let dry = try await client.call(
        ApplyGraph.self,
        .init(text: graph("steady: \(source)"), dryRun: true)
      )
      #expect(dry.plan.server == nil && dry.plan.heard.map(\.strip).contains("steady"))
      try await apply("steady: \(source)", client)
      try await waitUntil("\(source) is heard", within: .seconds(20)) {
        recorder.start()
        return try await recorder.finish().channels[0].last == level
      }
      if source.contains("inserts") { try await host.waitUntilHeard(1, running: 1) }
    }
    try await apply("steady: {tone: {}, channels: 2, inserts: [fx1]}", client)
    try await host.waitUntilHeard(1, running: 1)
    #expect(try await host.status().handovers.count == 1)
    await client.close()
    recorder.close()
    _ = try await host.stop()
    _ = effect
  }

  @Test(
    "a node becomes a source, is left alone by other changes, and leaves",
    .steppedServer()
  )
  func source() async throws {
    let server = try testServer().name
    let samples = [Float](repeating: Self.level, count: 60 * 48_000)
    let file = try scratch.write([samples, samples], to: "level.wav", format: .wavFloat32)
    let node = """
      node: 1
      kind: generator
      name: gen
      client: gen
      subtype: play
      manufacturer: mrte
      publishesItself: true
      command: ["\(try Multiroute.path())", node, run, player, "--file=\(file)", --name=gen, --on-loss=stop]
      """
    let host = try HostProcess(
      graph: try scratch.write(graph("steady: {tone: {}}"), to: "nodes.yaml"),
      server: server,
      environment: try scratch.installNodes(["gen": node]),
      in: scratch,
    )
    _ = try await host.attached()
    let client = try await host.control(role: .user)
    let before = try await ports(client)
    let stepped = try steppedServer()
    try await apply("steady: {node: gen}", client)
    try await waitUntil("the node is heard") {
      try await stepped.step(100)[0].allSatisfy { $0 == Self.level }
    }
    // Something else changes: the node goes on, sample for sample.
    let start = stepped.frame
    // As a sound card does: the node reads a file, and steps without a pause would race its disk.
    stepped.run()
    for others in ["\n  more: {tone: {}}", ""] {
      try await apply("steady: {node: gen}\(others)", client)
      let end = stepped.frame + 400 * stepped.periodFrames
      try await waitUntil("400 cycles") { stepped.frame >= end }
    }
    #expect(stepped.heard(0, from: start).allSatisfy { $0 == Self.level })
    let pid = try #require(try await host.waitForEvents(.nodeStarted, count: 1).last)
      .startedProcess()
    try await apply("steady: {tone: {}}", client)
    try await waitUntil("the ports are gone") { try await ports(client) == before }
    try await waitUntil("the node has ended", within: .seconds(20)) { kill(pid, 0) != 0 }
    await client.close()
    _ = try await host.stop()
  }
}
