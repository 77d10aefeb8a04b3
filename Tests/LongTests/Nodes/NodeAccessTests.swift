// SPDX-License-Identifier: MIT

import ControlProtocol
import ControlSocket
import InterAppAudio
import Sessions
import TestSupport
import Testing

@testable import EndToEndSupport

/// The sessions and entitlements that a connection with a node needs.
@Suite(.serialized, .timeLimit(.minutes(2)))
struct NodeAccessTests {
  private let scratch: Scratch

  init() throws { scratch = try Scratch() }

  /// Waits for a fault that speaks of this.
  private func waitForFault(_ host: HostProcess, _ words: String) async throws {
    try await waitUntil("a fault with '\(words)'", within: .seconds(30)) {
      host.events.contains { $0.kind == .nodeFault && $0.message.contains(words) }
    }
  }

  @Test("IAA-3: a node without the option mixWithOthers is not let in", .jackServer())
  func nodeMixes() async throws {
    let server = try testServer().name
    let effect = try OwnEffect("fx1", server: server) { $0.mixesWithOthers = false }
    let host = try await HostProcess.running(
      graph: try scratch.effectGraph(),
      server: server,
      in: scratch
    )
    try await waitForFault(host, "IAA-3: the session of node 'fx1' lacks mixWithOthers")
    #expect(try await host.status().inserts.first?.heard == 0)
    #expect(!effect.node.isConnected)
    _ = try await host.stop()
    effect.node.close()
  }

  @Test("IAA-3: a graph with nodes needs the option mixWithOthers")
  func graphMixes() async throws {
    let output = try await Multiroute.run(
      "check",
      try scratch.effectGraph(options: ""),
      in: scratch
    )
    #expect(output.end == .code(65))
    #expect(output.standardError.contains("needs 'options: [mixWithOthers]' (IAA-3)"))
  }

  @Test(
    "IAA-4: a node that uses system audio, or an effect, is connected while its session is active",
    .jackServer(),
    arguments: [true, false]
  )
  func activeSession(usesSystemAudio: Bool) async throws {
    let server = try testServer().name
    let effect = try OwnEffect("fx1", server: server) {
      $0.usesSystemAudio = usesSystemAudio
      $0.isSessionActive = false
    }
    let host = try await HostProcess.running(
      graph: try scratch.effectGraph(),
      server: server,
      in: scratch
    )
    let use = usesSystemAudio ? "uses system audio" : "takes the host's audio"
    let words = "IAA-4: node 'fx1' \(use) and its session is not active"
    try await waitForFault(host, words)
    for _ in 1...2 {
      try effect.node.setSessionActive(true)
      try await host.waitUntilHeard(1)
      try await waitUntil("it is connected", within: .seconds(20)) { effect.node.isConnected }
      try effect.node.setSessionActive(false)
      try await host.waitUntilHeard(0)
      try await waitUntil("it is connected no more", within: .seconds(20)) {
        !effect.node.isConnected
      }
      #expect(try await host.status().inserts.first?.nodes.first?.fault?.hasPrefix(words) == true)
    }
    _ = try await host.stop()
    effect.node.close()
  }

  @Test(
    "IAA-4: a node that comes while the phone has the host's session waits for its end",
    .jackServer()
  )
  func interrupted() async throws {
    let server = try testServer().name
    let host = try await HostProcess.running(
      graph: try scratch.effectGraph(),
      server: server,
      in: scratch
    )
    let client = try await host.control()
    var call = Simulate.Params(event: .interruptionBegin)
    call.priorityClass = .phone
    _ = try await client.call(Simulate.self, call)
    let effect = try OwnEffect("fx1", server: server)
    try await waitForFault(host, "IAA-4: the session of host '\(host.name)' is not active")
    #expect(!effect.node.isConnected)
    call.event = .interruptionEnd
    _ = try await client.call(Simulate.self, call)
    try await host.waitUntilHeard(1, running: 1)
    try await waitUntil("it is connected", within: .seconds(20)) { effect.node.isConnected }
    await client.close()
    _ = try await host.stop()
    effect.node.close()
  }
}
