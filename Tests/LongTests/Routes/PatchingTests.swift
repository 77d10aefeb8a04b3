// SPDX-License-Identifier: MIT

import ControlProtocol
import Foundation
import JACK
import TestSupport
import Testing

@testable import EndToEndSupport

/// Other programs' ports as sources, and connections that users make by hand.
@Suite(.serialized, .timeLimit(.minutes(1)))
struct PatchingTests {
  private func graph(in scratch: Scratch) throws -> String {
    try scratch.write(
      """
      multiroute: 1
      server: {start: never}
      routes: {main: {type: lineOut, ports: [system:playback_1]}}
      sources:
        named: {ports: [fixed:out_1]}
        matched: {ports: ["/app-[0-9]+:out_1/"]}
      mix: [{from: named, to: main}, {from: matched, to: main}]
      """,
      to: "patching.yaml",
    )
  }

  /// Registers a port late, so that the time until its connection can be measured, and watches.
  private static func connectionMilliseconds(
    _ client: String,
    to port: String,
    server: String,
  ) async throws -> Double {
    let app = try OpenedClient.open(name: client, server: server).activate()
    let watcher = try OpenedClient.open(name: "watcher", server: server)
    let start = ContinuousClock.now
    let _: AudioOutputPort = try app.connection.register("out_1")
    try await waitUntil("\(client) is connected to \(port)", every: .microseconds(200)) {
      try watcher.connection.connections(ofPort: "\(client):out_1").contains(port)
    }
    return (ContinuousClock.now - start) / .milliseconds(1)
  }

  @Test(.jackServer(frames: 64))
  func `a program's ports are connected within 20 ms of their appearing, each time anew`()
    async throws
  {
    let scratch = try Scratch()
    let server = try testServer().name
    let host = try await HostProcess.running(
      graph: graph(in: scratch),
      server: server,
      in: scratch,
    )
    var milliseconds: [Double] = []
    for round in 0..<40 {
      let (client, strip) = round.isMultiple(of: 2) ? ("fixed", "named") : ("app-7", "matched")
      try await milliseconds.append(
        Self.connectionMilliseconds(client, to: host.port("\(strip)_in_1"), server: server)
      )
    }
    // The median: a busy machine is late now and then.
    #expect(milliseconds.sorted()[20] < 20, "\(milliseconds)")
    #expect(try await host.stop() == .code(0))
  }

  @Test(.jackServer(frames: 64))
  func `a program that is not active yet when the host starts is connected when it is`()
    async throws
  {
    let scratch = try Scratch()
    let server = try testServer().name
    let app = try OpenedClient.open(name: "fixed", server: server)
    let _: AudioOutputPort = try app.connection.register("out_1")
    let host = try await HostProcess.running(
      graph: graph(in: scratch),
      server: server,
      in: scratch,
    )
    let active = try app.activate()
    try await waitUntil("it is connected") {
      try active.connection.connections(ofPort: "fixed:out_1") == [host.port("named_in_1")]
    }
    #expect(try await host.stop() == .code(0))
  }

  @Test(.jackServer(frames: 64))
  func `a connection removed by a user stays so, also when the server comes back`() async throws {
    let scratch = try Scratch()
    let server = try #require(TestServer.current)
    let host = try await HostProcess.running(
      graph: graph(in: scratch),
      server: server.name,
      in: scratch,
    )
    let main = host.port("main_out_1")
    let user = try OpenedClient.open(name: "user", server: server.name).activate()
    try user.connection.connect(main, to: "system:playback_2")
    try user.connection.disconnect(main, from: "system:playback_1")
    let changed = try await host.waitForEvents(.mixChanged)
    #expect(changed[0].message.contains("a user has disconnected"))
    #expect(try user.connection.connections(ofPort: main) == ["system:playback_2"])
    _ = user.close()

    try await server.kill()
    _ = try await host.waitForEvents(.serverLost)
    try await server.process.start()
    try await host.attached(times: 2)
    let watcher = try OpenedClient.open(name: "watcher", server: server.name)
    #expect(try watcher.connection.connections(ofPort: main) == ["system:playback_2"])
    #expect(try await host.stop() == .code(0))
  }
}
