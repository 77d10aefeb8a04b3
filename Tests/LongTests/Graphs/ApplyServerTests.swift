// SPDX-License-Identifier: MIT

import ControlProtocol
import ControlSocket
import Foundation
import Glibc
import TestSupport
import Testing

@testable import EndToEndSupport

/// Versions of a graph that ask for another JACK server, with servers of the host's own.
@Suite(.serialized, .timeLimit(.minutes(2)))
struct ApplyServerTests {
  private static func graph(_ server: String) -> String {
    """
    multiroute: 1
    server: {\(server)}
    session: {category: multiRoute, options: [mixWithOthers]}
    routes: {main: {type: lineOut, ports: [system:playback_1]}}
    sources: {deck: {tone: {}}}
    mix: [{from: deck, to: main}]

    """
  }

  @Test func `the host goes over to a server with other settings, and stays where there is none`()
    async throws
  {
    let scratch = try Scratch()
    let own = "driver: dummy, realtime: false"
    let host = try await HostProcess.running(
      graph: try scratch.write(Self.graph(own), to: "server.yaml"),
      server: Scratch.uniqueName("srv"),
      in: scratch,
    )
    let client = try await host.control(role: .user)
    _ = try await client.call(SetGain.self, .init(target: .strip("deck"), gainDB: -7))
    let first = try await host.status()
    #expect(first.server.owned && first.server.synchronous == true)
    let other = Self.graph(own + ", synchronous: false")
    let plan = try await client.call(ApplyGraph.self, .init(text: other, dryRun: true)).plan
    #expect(plan.server?.effect == .changes && plan.server?.silentMilliseconds != nil)

    #expect(try await client.call(ApplyGraph.self, .init(text: other)).applied)
    let second = try await host.status()
    #expect(second.server.owned && second.server.synchronous == false)
    #expect(second.server.pid != first.server.pid && second.server.state == .running)
    #expect(second.strips.first?.gainDB == -7)
    #expect(second.sessions.map(\.id) == first.sessions.map(\.id))
    let pid = try #require(first.server.pid)
    try await waitUntil("the first server has ended") { kill(pid, 0) != 0 }

    // The host may not start a server, and none is there.
    await #expect(throws: ControlClientError.self) {
      _ = try await client.call(ApplyGraph.self, .init(text: Self.graph("start: never")))
    }
    let third = try await host.status()
    #expect(third.server.owned && third.server.synchronous == false)
    #expect(third.server.state == .running && third.host.graphVersion?.number == 2)
    await client.close()
    #expect(try await host.stop() == .code(0))
  }
}
