// SPDX-License-Identifier: MIT

import JACK
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1)))
struct ClientTests {
  @Test(.jackServer(rate: 44_100, frames: 128))
  func `an opened client knows the server's values`() throws {
    let server = try testServer()
    let client = try OpenedClient.open(name: "values", server: server.name)
    let connection = client.connection
    #expect(connection.name == "values")
    #expect(!connection.wasRenamed)
    #expect(connection.uuid != 0)
    #expect(try connection.sampleRateHz == 44_100)
    #expect(try connection.bufferFrames == 128)
    #expect(client.close() == .closed)
  }

  @Test(.jackServer())
  func `a taken name is changed, or refused where it must be exact`() throws {
    let server = try testServer()
    let first = try OpenedClient.open(name: "twin", server: server.name)
    let second = try OpenedClient.open(name: "twin", server: server.name)
    #expect(second.connection.name == "twin-01")
    #expect(second.connection.wasRenamed)
    #expect(second.connection.requestedName == "twin")
    #expect(second.connection.uuid != first.connection.uuid)
    let error = #expect(throws: JACKError.self) {
      _ = try OpenedClient.open(name: "twin", server: server.name, exactName: true)
    }
    #expect(error?.code == .nameTaken)
    #expect(error?.status?.contains(.nameNotUnique) == true)
    second.close()
    first.close()
  }

  @Test(.jackServer())
  func `a client that the server does not take in time is opened again, twice`() async throws {
    let server = try testServer()
    let filter = try await RequestFilter(failing: .clientCheck, times: 5, of: server)
    let error = #expect(throws: JACKError.self) {
      _ = try OpenedClient.open(name: "too late", server: server.name)
    }
    #expect(error?.code == .openFailed)
    let late = try OpenedClient.open(name: "late", server: server.name)
    #expect(late.connection.name == "late")
    late.close()
    try filter.end()
  }

  @Test(.jackServer())
  func `a client that the server does not activate in time is activated again, twice`()
    async throws
  {
    let server = try testServer()
    let filter = try await RequestFilter(failing: .activate, times: 5, of: server)
    let error = #expect(throws: JACKError.self) {
      _ = try OpenedClient.open(name: "too late", server: server.name).activate()
    }
    #expect(error?.code == .refused)
    let late = try OpenedClient.open(name: "late", server: server.name)
    let port: AudioInputPort = try late.connection.register("in")
    let active = try late.activate()
    #expect(try active.connection.info(of: port).name == "late:in")
    active.close()
    try filter.end()
  }

  @Test(.aloneWithJACK)
  func `a missing server is an error that names the server`() throws {
    let error = #expect(throws: JACKError.self) {
      _ = try OpenedClient.open(name: "nobody", server: "multiroute-no-such-server")
    }
    #expect(error?.code == .noServer)
    #expect(error?.call == "jack_client_open")
    #expect(error?.subject == "nobody")
    #expect(error?.status?.contains(.serverFailed) == true)
    #expect(error?.description.contains("\"multiroute-no-such-server\"") == true)
  }

  @Test(.jackServer())
  func `a closed client refuses everything`() throws {
    let server = try testServer()
    let client = try OpenedClient.open(name: "closed", server: server.name)
    let connection = client.connection
    let port: AudioInputPort = try connection.register("in")
    client.close()
    #expect(connection.isClosed)
    for call: () throws -> Void in [
      { _ = try connection.bufferFrames },
      { _ = try connection.ports() },
      { _ = try connection.info(of: port) },
      { try connection.unregister(port) },
      { try connection.connect("a:b", to: "c:d") },
      { try connection.startTransport() },
    ] {
      let error = #expect(throws: JACKError.self) { try call() }
      #expect(error?.code == .closed)
    }
  }

  @Test(.jackServer(), arguments: ["", "a:b", String(repeating: "x", count: 64)])
  func `a bad name is refused before JACK sees it`(name: String) throws {
    let server = try testServer()
    let error = #expect(throws: JACKError.self) {
      _ = try OpenedClient.open(name: name, server: server.name)
    }
    #expect(error?.code == .invalidName)
  }

  @Test(.jackServer())
  func `a dropped client is closed`() throws {
    let server = try testServer()
    let connection: ClientConnection
    do {
      let client = try OpenedClient.open(name: "dropped", server: server.name)
      connection = try client.activate().connection
    }
    #expect(connection.isClosed)
    let again = try OpenedClient.open(name: "dropped", server: server.name, exactName: true)
    again.close()
  }

  @Test(.jackServer())
  func `one process cannot be the client of two servers`() throws {
    let server = try testServer()
    let client = try OpenedClient.open(name: "one", server: server.name)
    let error = #expect(throws: JACKError.self) {
      _ = try OpenedClient.open(name: "two", server: "multiroute-another")
    }
    #expect(error?.code == .otherServerInUse)
    client.close()
  }
}
