// SPDX-License-Identifier: MIT

import ControlProtocol
import Glibc
import JACK
import TestSupport
import Testing

@testable import EndToEndSupport

/// The names that the host gives its ports, after the end of the server.
@Suite(.serialized, .timeLimit(.minutes(4)))
struct LeftNamesTests {
  /// The processes that are killed, one after the other.
  enum Ending: CaseIterable {
    case server
    case hostThenServer
    /// The host hangs, so that it cannot take back its names when the server dies.
    case serverThenHangingHost
    /// The host hangs on while another server runs.
    case serverOfHangingHost
  }

  private let scratch: Scratch

  init() throws { scratch = try Scratch() }

  @Test(.jackServer(frames: 256), arguments: Ending.allCases)
  func `no other program's port has a name of the host after the server was killed`(
    _ ending: Ending
  ) async throws {
    let server = try testServer()
    let host = try await self.host(on: server.name)
    let reader = try self.reader(on: server.name)
    let described = try self.described(by: host, reader.connection)
    // The guard has its orders some moments later, invisible from outside.
    try await reader.pass(24_000)
    reader.close()
    switch ending {
    case .server:
      try await server.kill()
      _ = try await host.waitForEvents(.serverLost)
      _ = try await host.stop()
    case .hostThenServer:
      host.child.send(SIGKILL)
      try await server.kill()
    case .serverThenHangingHost:
      host.child.send(SIGSTOP)
      try await server.kill()
      host.child.send(SIGKILL)
    case .serverOfHangingHost:
      host.child.send(SIGSTOP)
      try await server.kill()
    }
    let mpv = try await otherProgram(on: server, with: described)
    let connection = mpv.connection
    // The guard of a killed host needs some moments.
    try await waitUntil("nothing is left of the names") {
      try described.allSatisfy { try connection.metadata(of: $0).isEmpty }
    }
    mpv.close()
    host.child.send(SIGKILL)
  }

  @Test(.jackServer(frames: 256))
  func `names that no guard could remove are gone when a host is back`() async throws {
    let server = try testServer()
    let first = try await host(on: server.name, arguments: ["--no-guard"])
    let reader = try self.reader(on: server.name)
    let described = try self.described(by: first, reader.connection)
    reader.close()
    first.child.send(SIGSTOP)
    try await server.kill()
    first.child.send(SIGKILL)
    let mpv = try await otherProgram(on: server, with: described)
    let connection = mpv.connection
    let left = try described.filter { try connection.metadata(for: .prettyName, of: $0) != nil }
    #expect(!left.isEmpty)
    let second = try await host(on: server.name)
    try await waitUntil("nothing is left of the names") {
      try described.allSatisfy { try connection.metadata(of: $0).isEmpty }
    }
    // Its own ports have their names.
    #expect(try self.described(by: second, connection).count == described.count)
    _ = try await second.stop()
    mpv.close()
  }

  private func host(on server: String, arguments: [String] = []) async throws -> HostProcess {
    let graph = try scratch.write(
      """
      multiroute: 1
      permissions: {default: denied}
      session: {category: multiRoute}
      server: {start: never}
      routes: {main: {type: lineOut, label: Deck A, ports: [system:playback_1, system:playback_2]}}
      sources: {deck: {tone: {}}}
      mix: [{from: deck, to: main}]
      """,
      to: "names.yaml",
    )
    return try await HostProcess.running(
      graph: graph,
      server: server,
      arguments: arguments,
      in: scratch,
    )
  }

  private func reader(on server: String) throws -> Recorder {
    try Recorder(from: [nil], capacityFrames: 64, server: server, name: "reader")
  }

  /// The numbers of the host's ports that have names.
  private func described(by host: HostProcess, _ connection: ClientConnection) throws -> [UInt64] {
    let described = try connection.ports()
      .filter { $0.client.hasPrefix(host.name) }
      .map(\.uuid)
      .filter { try connection.metadata(for: .prettyName, of: $0) != nil }
    #expect(described.count >= 4)
    return described
  }

  /// A program on the next server, whose ports have the numbers of the host's.
  private func otherProgram(on server: TestServer, with numbers: [UInt64]) async throws
    -> ActiveClient
  {
    try await server.process.restart(with: server.process.configuration)
    let mpv = try OpenedClient.open(name: "mpv", server: server.name)
    var uuids: Set<UInt64> = []
    for number in 1...24 {
      let port: AudioOutputPort = try mpv.connection.register("out_\(number)")
      uuids.insert(try mpv.connection.info(of: port).uuid)
    }
    // Servers number their ports alike.
    #expect(uuids.isSuperset(of: numbers))
    return try mpv.activate()
  }
}
