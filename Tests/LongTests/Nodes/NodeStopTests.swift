// SPDX-License-Identifier: MIT

import ControlProtocol
import ControlSocket
import Glibc
import TestSupport
import Testing

@testable import EndToEndSupport

/// The host's actions while a node is stopped.
@Suite(.serialized, .timeLimit(.minutes(3)))
struct NodeStopTests {
  @Test(
    "IAA-6: a buffer that a session prefers while a node is stopped is set when the node goes on",
    .jackServer(frames: 256, synchronous: false)
  )
  func buffer() async throws {
    let scratch = try Scratch()
    let server = try testServer().name
    let effect = try scratch.passing("fx1", server)
    let graph = try scratch.write(
      """
      multiroute: 1
      session: {category: multiRoute, options: [mixWithOthers]}
      routes: {main: {type: lineOut, ports: [system:playback_1, system:playback_2]}}
      sources: {tone: {tone: {}, channels: 2, inserts: [fx1]}}
      mix: [{from: tone, to: main}]
      """,
      to: "stopped.yaml",
    )
    let host = try await HostProcess.running(graph: graph, server: server, in: scratch)
    try await host.waitUntilHeard(1, running: 1)
    effect.send(SIGSTOP)
    _ = try await host.waitForEvents(.nodeFault, count: 1)
    let client = try await host.control()
    var params = OpenSession.Params.exclusive(app: "deck")
    params.preferredIOBufferSeconds = 128.0 / 48_000
    let deck = try await client.call(OpenSession.self, params).session
    let answer = try await client.call(ActivateSession.self, .init(session: deck))
    #expect(answer.ioBufferDuration.actual == 256.0 / 48_000)
    #expect(try await host.status().hardware.ioBufferFrames.actual == 256)
    effect.send(SIGCONT)
    try await waitUntil("the buffer is set", within: .seconds(90)) {
      try await host.status().hardware.ioBufferFrames.actual == 128
    }
    try await host.waitUntilHeard(1, running: 1, within: .seconds(60))
    await client.close()
    _ = try await host.stop()
  }
}
