// SPDX-License-Identifier: MIT

import ControlProtocol
import Glibc
import InterAppAudio
import JACK
import TestSupport
import Testing

@testable import EndToEndSupport

/// Nodes with faults in their description.
@Suite(.serialized, .timeLimit(.minutes(2)))
struct NodeOddityTests {
  private let scratch: Scratch

  init() throws { scratch = try Scratch() }

  private func graph(restart: String = "never") throws -> String {
    try scratch.write(
      """
      multiroute: 1
      session: {category: multiRoute, options: [mixWithOthers]}
      routes:
        main: {type: lineOut, ports: [system:playback_1, system:playback_2]}
      sources:
        tone: {tone: {}, channels: 2, inserts: [{name: fx1, restart: \(restart)}]}
      mix: [{from: tone, to: main}]
      """,
      to: "odd.yaml",
    )
  }

  /// Waits for a fault of `fx1`, for its reason in status, and for silence from it.
  private func expectFault(_ host: HostProcess, _ words: String) async throws {
    let events = try await host.waitForEvents(.nodeFault, count: 1)
    #expect(events.first?.message.contains(words) == true, "\(events)")
    try await host.waitForInserts { chains in
      chains.first?.heard == 0 && chains.first?.nodes.first?.fault?.contains(words) == true
    }
    // One is enough.
    #expect(host.events.count { $0.kind == .nodeFault || $0.kind == .error } == 1)
  }

  @Test("a node whose ports do not exist is bypassed, once and for all", .jackServer())
  func ghosts() async throws {
    let server = try testServer().name
    let effect = try OwnEffect("fx1", server: server)
    let connection = effect.node.connection
    try connection.setMetadata(
      MetadataValue("ghost_1\nghost_2"),
      for: MetadataKey(rawValue: "urn:multiroute:node:audio-inputs"),
      of: connection.uuid,
    )
    let host = try await HostProcess.running(graph: try graph(), server: server, in: scratch)
    try await expectFault(host, "cannot connect \(host.name)-sources:tone_1 → fx1:ghost_1")
    _ = try await host.stop()
    effect.node.close()
  }

  @Test("a node that names a thousand ports is bypassed", .jackServer())
  func thousand() async throws {
    let server = try testServer().name
    let effect = try OwnEffect("fx1", server: server)
    let connection = effect.node.connection
    try connection.setMetadata(
      MetadataValue((1...1_000).map { "in_\($0)" }.joined(separator: "\n")),
      for: MetadataKey(rawValue: "urn:multiroute:node:audio-inputs"),
      of: connection.uuid,
    )
    let host = try await HostProcess.running(graph: try graph(), server: server, in: scratch)
    try await expectFault(host, "2 channels cannot be connected with 1000")
    _ = try await host.stop()
    effect.node.close()
  }

  @Test("of two nodes with one name one is in use, and the other when that one ends", .jackServer())
  func twins() async throws {
    let server = try testServer().name
    let twins = try ["one", "two"].map { client in
      try OwnEffect(client, server: server) { $0.name = "fx1" }
    }
    let host = try await HostProcess.running(graph: try graph(), server: server, in: scratch)
    try await host.waitUntilHeard(1, running: 1)
    try await waitUntil("one is connected", within: .seconds(20)) { twins[0].node.isConnected }
    #expect(!twins[1].node.isConnected)
    twins[0].node.close()
    try await waitUntil("two is connected", within: .seconds(20)) { twins[1].node.isConnected }
    try await host.waitUntilHeard(1, running: 1)
    _ = try await host.stop()
    twins[1].node.close()
  }

  @Test(
    "a program that ends without being a node is reported with the reason, and tried once more",
    .jackServer(),
    arguments: [
      ("--mix=0", "--no-such-option", "being a node of the server: ended with status 64"),
      ("command: [", "command: [no-such-program, ", "'no-such-program' is not found (status 127)"),
    ]
  )
  func stillborn(_ from: String, _ to: String, _ reason: String) async throws {
    let server = try testServer().name
    let file = try Scratch.passingNode("fx1").replacing(from, with: to)
    let host = try HostProcess(
      graph: try graph(restart: "once"),
      server: server,
      environment: try scratch.installNodes(["fx1": file]),
      in: scratch,
    )
    _ = try await host.attached()
    let gone = try await host.waitForEvents(.nodeGone, count: 2)
    #expect(gone.allSatisfy { $0.message.contains("its program has ended without being a node") })
    #expect(gone.allSatisfy { $0.message.hasSuffix(reason) }, "\(gone)")
    #expect(host.events.count { $0.kind == .nodeStarted } == 2)
    _ = try await host.stop()
  }

  @Test("faulty node files are reported by name, and others work", .jackServer())
  func garbage() async throws {
    let server = try testServer().name
    let environment = try scratch.installNodes([
      "fx1": Scratch.passingNode("fx1"),
      "huge": String(repeating: "# no end\n", count: 20_000),
      "list": "- a\n- b\n",
      "nul": "node: 1\nkind: \u{1}\n",
      "tabs": "\t\t{{{[",
    ])
    let folder = try #require(environment["XDG_DATA_HOME"]) + "/multiroute/nodes/"
    let isPipe = unsafe mkfifo(folder + "pipe.node.yaml", 0o600) == 0
    let isFolder = unsafe mkdir(folder + "folder.node.yaml", 0o700) == 0
    #expect(isPipe && isFolder)
    let host = try HostProcess(
      graph: try graph(),
      server: server,
      environment: environment,
      in: scratch,
    )
    _ = try await host.attached()
    try await host.waitUntilHeard(1, running: 1)
    let errors = host.events.filter { $0.kind == .error }.map(\.message)
    for name in ["huge", "list", "nul", "tabs", "pipe", "folder"] {
      #expect(errors.count { $0.contains("/\(name).node.yaml:") } == 1, "\(name): \(errors)")
    }
    _ = try await host.stop()
  }
}
