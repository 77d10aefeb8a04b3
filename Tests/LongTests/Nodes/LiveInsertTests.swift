// SPDX-License-Identifier: MIT

import AudioFiles
import ControlProtocol
import ControlSocket
import Glibc
import InterAppAudio
import JACK
import TestSupport
import Testing

@testable import EndToEndSupport

/// Effects that are set while the host runs.
@Suite(.serialized, .timeLimit(.minutes(3)))
struct LiveInsertTests {
  private static let strip = MixTarget.strip("tone")

  private let scratch: Scratch

  init() throws { scratch = try Scratch() }

  /// A tone without effects.
  private func graph(
    server: String = "{start: never}",
    channels: Int = 2,
    options: String = "mixWithOthers",
    more: String = "",
  ) throws -> String {
    try scratch.write(
      """
      multiroute: 1
      server: \(server)
      session: {category: multiRoute, options: [\(options)]}
      routes:
        main: {type: lineOut, ports: [system:playback_1]}
      sources:
        tone: {tone: {wave: sine}, channels: \(channels)}
      mix: [{from: tone, to: main}]
      \(more)
      """,
      to: "live.yaml",
    )
  }

  private func set(_ nodes: [String], at host: HostProcess) async throws {
    let client = try await host.control()
    _ = try await client.call(SetInserts.self, SetInserts.Params(target: Self.strip, nodes: nodes))
    await client.close()
  }

  private func bypass(_ node: String, _ isBypassed: Bool, at host: HostProcess) async throws {
    let client = try await host.control()
    let params = SetBypass.Params(target: Self.strip, node: node, bypassed: isBypassed)
    _ = try await client.call(SetBypass.self, params)
    await client.close()
  }

  @Test("links of effects are never a user's patch, and not made again", .jackServer())
  func patches() async throws {
    let server = try testServer().name
    let effect = try scratch.passing("fx1", server)
    try await waitUntilPublished("fx1")
    let graph = try graph(more: "keepPatches: true")
    let name = Scratch.uniqueName("live")
    var host = try await HostProcess.running(graph: graph, server: server, name: name, in: scratch)
    for _ in 1...2 {
      try await set(["fx1"], at: host)
      try await host.waitUntilHeard(1, running: 1)
      #expect(try await host.status().patches == [])
      try await bypass("fx1", true, at: host)
      try await host.waitUntilHeard(0)
      try await bypass("fx1", false, at: host)
      try await host.waitUntilHeard(1)
    }
    try await set([], at: host)
    let looker = try Recorder(from: [nil], capacityFrames: 1, server: server, name: "looker")
    try await waitUntil("it is unpatched") {
      try looker.connection.connections(ofPort: "fx1:in_1").isEmpty
    }
    // A disconnection counts as a user's after a second.
    try await looker.pass(57_600)
    #expect(try await host.status().patches == [])
    #expect(!host.events.contains { $0.message.contains("has disconnected") })
    _ = try await host.stop()
    host = try await HostProcess.running(graph: graph, server: server, name: name, in: scratch)
    #expect(try await host.status().patches == [])
    #expect(try looker.connection.connections(ofPort: "fx1:in_1").isEmpty)
    looker.close()
    _ = try await host.stop()
    _ = effect
  }

  @Test(
    "IAA-7: on a strip of one channel an effect with two is no louder",
    .jackServer()
  )
  func mono() async throws {
    let server = try testServer().name
    let effects = try ["fx1", "fx2"].map { try scratch.passing($0, server) }
    try await waitUntilPublished("fx1", "fx2")
    let host = try await HostProcess.running(
      graph: try graph(channels: 1),
      server: server,
      in: scratch,
    )
    try await set(["fx1", "fx2"], at: host)
    try await host.waitUntilHeard(1, running: 2)
    let recorder = try Recorder(
      from: ["\(host.name)-sources:tone_1", host.port("main_out_1")],
      capacityFrames: 24_000,
      server: server,
    )
    recorder.start()
    let channels = try await recorder.finish().channels
    #expect(channels[0].contains { $0 != 0 })
    // On a machine with other work to do an effect may be left out with a bridge of 64 frames.
    #expect(zip(channels[0], channels[1]).count { abs($0 - $1) >= 1e-6 } <= 8 * 64)
    recorder.close()
    _ = try await host.stop()
    _ = effects
  }

  @Test(
    "IAA-6: what the host has started for an effect is ended when it is taken out, or the host ends",
    .jackServer()
  )
  func ended() async throws {
    let server = try testServer().name
    let host = try HostProcess(
      graph: try graph(),
      server: server,
      environment: try scratch.installNodes(["fx1": Scratch.passingNode("fx1")]),
      in: scratch,
    )
    _ = try await host.attached()
    let looker = try Recorder(from: [nil], capacityFrames: 1, server: server, name: "looker")
    func isThere() throws -> Bool {
      try looker.connection.ports().contains { $0.client == "fx1" }
    }
    // Asked for twice it is started once.
    for _ in 1...2 { try await set(["fx1"], at: host) }
    try await host.waitUntilHeard(1, running: 1)
    #expect(host.events.count { $0.kind == .nodeStarted } == 1)
    // Taken out and put in again at once it is the same.
    for nodes in [[], ["fx1"]] { try await set(nodes, at: host) }
    try await host.waitUntilHeard(1, running: 1)
    try await set([], at: host)
    try await waitUntil("it is gone") { try !isThere() }

    try await set(["fx1"], at: host)
    try await host.waitUntilHeard(1, running: 1)
    try await set([], at: host)
    _ = try await host.stop()
    try await waitUntil("it is gone with its host") { try !isThere() }
    looker.close()
  }

  @Test("IAA-6: effects set live are heard again when the server is back", .aloneWithJACK)
  func serverBack() async throws {
    let host = try HostProcess(
      graph: try graph(server: "{driver: dummy, channels: {playback: 2}}"),
      server: Scratch.uniqueName("server"),
      environment: try scratch.installNodes(["fx1": Scratch.passingNode("fx1")]),
      in: scratch,
    )
    let pid = try #require(try await host.attached().server.pid)
    try await set(["fx1"], at: host)
    try await host.waitUntilHeard(1, running: 1)
    let count = host.attachments
    kill(pid, SIGKILL)
    _ = try await host.attached(after: count) { $0.server.pid != pid }
    try await host.waitUntilHeard(1, running: 1)
    _ = try await host.stop()
  }

  @Test("IAA-3: a node unfit as an effect here is refused, and the sound stays", .jackServer())
  func refused() async throws {
    let server = try testServer().name
    let effects = try [
      OwnEffect("fx1", server: server),
      OwnEffect("alone", server: server) { $0.mixesWithOthers = false },
    ]
    let instrument = try Child(
      Multiroute.path(),
      ["node", "run", "synth", "--name", "gen", "--server", server],
      environment: scratch.hostEnvironment,
      in: scratch,
    )
    try await waitUntilPublished("gen")
    let host = try await HostProcess.running(graph: try graph(), server: server, in: scratch)
    try await set(["fx1"], at: host)
    try await host.waitUntilHeard(1, running: 1)
    let faults = [
      (
        "fxl",
        "there is no node 'fxl', neither running nor installed; "
          + "allowed: alone, delay, equalizer, fx1, gate"
      ),
      ("gen", "node 'gen' is no effect: it takes no audio"),
      ("alone", "IAA-3: the session of node 'alone' lacks mixWithOthers"),
      (String(repeating: "x", count: 2_000), "a name is empty or too long"),
    ]
    for (name, words) in faults {
      let output = try await Multiroute.run(
        "insert",
        "--host",
        host.name,
        "--strip",
        "tone",
        "fx1",
        name,
        in: scratch,
      )
      #expect(output.end != .code(0), "\(name)")
      #expect(output.standardError.contains(words), "\(output.standardError)")
    }
    try await host.waitUntilHeard(1, running: 1)
    #expect(try await host.status().inserts.first?.nodes.map(\.name) == ["fx1"])
    _ = try await host.stop()
    for effect in effects { effect.node.close() }
    _ = instrument
  }

  @Test("IAA-3: a host whose session lacks mixWithOthers refuses effects", .jackServer())
  func hostLacks() async throws {
    let server = try testServer().name
    let effect = try OwnEffect("fx1", server: server)
    let host = try await HostProcess.running(
      graph: try graph(options: ""),
      server: server,
      in: scratch,
    )
    let output = try await Multiroute.run(
      "insert",
      "--host",
      host.name,
      "--strip",
      "tone",
      "fx1",
      in: scratch,
    )
    #expect(output.end != .code(0))
    let words = "IAA-3: the session of host '\(host.name)' lacks mixWithOthers"
    #expect(output.standardError.contains(words), "\(output.standardError)")
    _ = try await host.stop()
    effect.node.close()
  }

  @Test("a node that is killed while it is stopped is not reported as connected", .jackServer())
  func stoppedAndKilled() async throws {
    let server = try testServer().name
    let effect = try scratch.passing("fx1", server)
    try await waitUntilPublished("fx1")
    let host = try await HostProcess.running(graph: try graph(), server: server, in: scratch)
    try await set(["fx1"], at: host)
    try await host.waitUntilHeard(1, running: 1)
    effect.send(SIGSTOP)
    let faults = try await host.waitForEvents(.nodeFault)
    #expect(faults.first?.message.hasPrefix("node 'fx1': it is stopped") == true)
    effect.send(SIGKILL)
    _ = try await host.waitForEvents(.nodeGone)
    #expect(host.events.count { $0.kind == .nodeConnected } == 1)
    _ = try await host.stop()
  }

  @Test("metadata that a killed client left under an id is not the host's", .jackServer())
  func introduced() async throws {
    let server = try testServer().name
    let effect = try scratch.passing("fx1", server)
    try await waitUntilPublished("fx1")
    let looker = try Recorder(from: [nil], capacityFrames: 1, server: server, name: "looker")
    let connection = looker.connection
    // Servers count their clients: these are the ids of those to come.
    let leftKey = MetadataKey(rawValue: "urn:multiroute:node:kind")
    let ids = (1...24).map {
      max(connection.uuid, (try? connection.uuid(ofClient: "fx1")) ?? 0) + $0
    }
    for id in ids {
      try connection.setMetadata(MetadataValue("left"), for: .prettyName, of: id)
      try connection.setMetadata(MetadataValue("left"), for: leftKey, of: id)
    }
    let host = try await HostProcess.running(graph: try graph(), server: server, in: scratch)
    try await set(["fx1"], at: host)
    try await host.waitUntilHeard(1, running: 1)
    for (client, name) in [
      (host.name, host.name), ("\(host.name)-sources", "\(host.name): sources"),
      ("\(host.name)-tone", "\(host.name): tone"),
    ] {
      let id = try connection.uuid(ofClient: client)
      #expect(ids.contains(id))
      #expect(try connection.metadata(for: .prettyName, of: id)?.text == name)
      #expect(try connection.metadata(for: leftKey, of: id) == nil)
    }
    _ = try await host.stop()
    for id in ids { try connection.removeAllMetadata(of: id) }
    looker.close()
    _ = effect
  }
}
