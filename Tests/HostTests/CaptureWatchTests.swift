// SPDX-License-Identifier: MIT

import Testing

@testable import Host

/// Captures while the host is dead.
struct CaptureWatchTests {
  /// A server with two capture ports, whose connections the test makes.
  private final class Scripted: GuardedServer {
    var connections: [String: Set<String>] = [:]
    var identities: [String: UInt64] = [:]
    var processes: [String: Int32] = [:]

    var physicalCaptures: [String] { ["system:capture_1"] }
    func listeners(of port: String) -> [String] { connections[port, default: []].sorted() }
    func identity(ofClient name: String) -> UInt64? { identities[name] }
    func belongs(_ client: String, to process: Int32) -> Bool { processes[client] == process }
    func cut(_ source: String, from destination: String) {
      connections[source]?.remove(destination)
    }
  }

  private static func orders(cuts: [GuardOrders.Cut] = [], permitted: [String]?) -> GuardOrders {
    GuardOrders(
      server: "studio",
      client: "dj-guard",
      placements: [],
      cuts: cuts,
      captures: permitted.map { GuardOrders.Captures(ports: ["net:mic"], permitted: $0) },
      token: "word",
    )
  }

  @Test func `a client that comes while the host is dead hears no capture, whatever its name`() {
    let server = Scripted()
    server.identities = ["daw": 1]
    var watch = CaptureWatch(Self.orders(permitted: ["daw", "dj", "dj-mic"]), on: server)
    server.identities = ["daw": 1, "thief": 2, "dj": 3, "dj-mic": 4]
    server.connections["system:capture_1"] = ["daw:in", "thief:in", "dj:in", "dj-mic:in"]
    server.connections["net:mic"] = ["thief:in", "daw:in"]
    watch.enforce()
    #expect(server.connections["system:capture_1"] == ["daw:in"])
    #expect(server.connections["net:mic"] == ["daw:in"])
  }

  @Test func `the name of a permitted client that has gone gives another client nothing`() {
    let server = Scripted()
    server.identities = ["daw": 1]
    var watch = CaptureWatch(Self.orders(permitted: ["daw"]), on: server)
    server.identities = ["daw": 2]
    server.connections["system:capture_1"] = ["daw:in"]
    watch.enforce()
    #expect(server.connections["system:capture_1"] == [])
  }

  @Test func `the clients of the next host are left alone, and only those`() {
    let server = Scripted()
    var watch = CaptureWatch(Self.orders(permitted: []), on: server)
    watch.nextHost = 42
    server.identities = ["dj-mic": 5, "dj-01": 6]
    server.processes = ["dj-mic": 42, "dj-01": 43]
    server.connections["system:capture_1"] = ["dj-mic:in", "dj-01:in"]
    watch.enforce()
    #expect(server.connections["system:capture_1"] == ["dj-mic:in"])
    watch.nextHost = nil
    watch.enforce()
    #expect(server.connections["system:capture_1"] == [])
  }

  @Test func `without permissions only closed gates stay cut`() {
    let server = Scripted()
    server.identities = ["thief": 1, "daw": 2]
    let cut = GuardOrders.Cut(source: "system:capture_1", client: "thief")
    var watch = CaptureWatch(Self.orders(cuts: [cut], permitted: nil), on: server)
    server.connections["system:capture_1"] = ["thief:in", "daw:in", "thief-2:in"]
    watch.enforce()
    #expect(server.connections["system:capture_1"] == ["daw:in", "thief-2:in"])
  }
}
