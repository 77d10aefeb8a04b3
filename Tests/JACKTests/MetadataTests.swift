// SPDX-License-Identifier: MIT

import Glibc
import Synchronization
import SystemSupport
import TestSupport
import Testing

@testable import JACK

@Suite(.timeLimit(.minutes(4)))
struct MetadataTests {
  @Test(.jackServer())
  func `properties are set, read by others, reported, and removed`() async throws {
    let server = try testServer().name
    let client = try OpenedClient.open(name: "meta", server: server)
    let port: AudioOutputPort = try client.connection.register("out")
    let active = try client.activate()
    let connection = active.connection
    let other = try OpenedClient.open(name: "reader", server: server).activate()
    let uuid = try connection.info(of: port).uuid
    let custom = MetadataKey(rawValue: "https://example.org/custom")

    try connection.setMetadata(MetadataValue("Main left ♫"), for: .prettyName, of: port)
    try connection.setMetadata(.integer(3), for: .order, of: port)
    try connection.setMetadata(MetadataValue("x", type: "text/x"), for: custom, of: port)
    try connection.setMetadata(MetadataValue("audio-card"), for: .iconName, of: connection.uuid)

    let reader = other.connection
    #expect(try reader.metadata(for: .prettyName, of: uuid) == MetadataValue("Main left ♫"))
    #expect(try reader.metadata(for: .order, of: uuid) == .integer(3))
    #expect(try reader.metadata(for: .portGroup, of: uuid) == nil)
    let all = try reader.metadata(of: uuid)
    #expect(Set(all.keys) == [.prettyName, .order, custom])
    #expect(all[custom] == MetadataValue("x", type: "text/x"))
    let clientUUID = try reader.uuid(ofClient: "meta")
    #expect(clientUUID == connection.uuid)
    #expect(try reader.metadata(for: .iconName, of: clientUUID)?.text == "audio-card")

    let change = try await firstNotification("the property", in: reader.notifications) {
      if case .propertyChanged(uuid, .prettyName, let change) = $0 { change } else { nil }
    }
    #expect(change == .created)
    try connection.setMetadata(MetadataValue("Main"), for: .prettyName, of: port)
    let again = try await firstNotification("the change", in: reader.notifications) {
      if case .propertyChanged(uuid, .prettyName, let change) = $0 { change } else { nil }
    }
    #expect(again == .changed)
    try connection.removeMetadata(for: .prettyName, of: uuid)
    let removal = try await firstNotification("the removal", in: reader.notifications) {
      if case .propertyChanged(uuid, .prettyName, let change) = $0 { change } else { nil }
    }
    #expect(removal == .deleted)
    #expect(try reader.metadata(for: .prettyName, of: uuid) == nil)
    let error = #expect(throws: JACKError.self) {
      try connection.removeMetadata(for: .prettyName, of: uuid)
    }
    #expect(error?.code == .refused)
    try connection.removeAllMetadata(of: uuid)
    #expect(try reader.metadata(of: uuid).isEmpty)
    try connection.removeAllMetadata(of: connection.uuid)
    other.close()
    active.close()
  }

  @Test(.jackServer())
  func `properties of a client do not outlive a killed server`() async throws {
    let server = try testServer()
    let client = try OpenedClient.open(name: "meta", server: server.name)
    let connection = client.connection
    let port: AudioOutputPort = try connection.register("out")
    let uuid = try connection.info(of: port).uuid
    try connection.setMetadata(MetadataValue("Deck A left"), for: .prettyName, of: uuid)
    try connection.setMetadata(MetadataValue("theirs"), for: .portGroup, of: uuid)
    try await server.kill()
    try await waitUntil("the client knows") { connection.isServerGone }
    client.close()
    try await server.process.restart(with: server.process.configuration)
    let other = try OpenedClient.open(name: "mpv", server: server.name)
    let next: AudioOutputPort = try other.connection.register("out")
    // Servers number their ports alike.
    #expect(try other.connection.info(of: next).uuid == uuid)
    #expect(try other.connection.metadata(of: uuid).isEmpty)
    other.close()
  }

  @Test(.jackServer())
  func `a description replaces what others have left, and ends with its program or server`()
    async throws
  {
    let server = try testServer().name
    let client = try OpenedClient.open(name: "described", server: server)
    let connection = client.connection
    let port: AudioOutputPort = try connection.register("out")
    let left: AudioOutputPort = try connection.register("left")
    let uuid = try connection.info(of: port).uuid
    try connection.setMetadata(MetadataValue("stale"), for: .portGroup, of: uuid)
    #expect(try connection.describe(port, as: Self.named("Main left")))
    #expect(try connection.metadata(for: .portGroup, of: uuid) == nil)
    // The second description of a client keeps what the first has said.
    try connection.describe(port, as: [MetadataKey.portGroup: MetadataValue("main")])
    #expect(try connection.metadata(for: .prettyName, of: uuid)?.text == "Main left")

    // A program that has ended has left a name and an order; the order was changed since.
    let other = try connection.info(of: left).uuid
    try connection.setMetadata(MetadataValue("Deck"), for: .prettyName, of: other)
    try connection.setMetadata(MetadataValue("7"), for: .order, of: other)
    let values = [MetadataKey.prettyName.rawValue: "Deck", MetadataKey.order.rawValue: "1"]
    let program = try ChildProcess.start("/bin/sleep", ["60"], bond: .bound)
    let ended = try #require(ProcessIdentity(pid: program.pid))
    program.send(SIGKILL)
    _ = await program.exit(within: nil)
    let mark = DescriptionOwner(writer: ended, server: nil, values: values)
    try connection.setMetadata(MetadataValue(mark.text), for: DescriptionOwner.key, of: other)
    connection.removeLeftDescriptions()
    #expect(try connection.metadata(of: other) == [.order: MetadataValue("7")])
    // The description of a program that runs stays, unless its end is known.
    #expect(try connection.metadata(for: .prettyName, of: uuid)?.text == "Main left")
    connection.removeLeftDescriptions(afterEndOf: getpid())
    #expect(try connection.metadata(of: uuid).isEmpty)
    client.close()
  }

  @Test(.jackServer())
  func
    `what a client has described is removed after its server was killed, through another client`()
    async throws
  {
    let server = try testServer()
    let client = try OpenedClient.open(name: "described", server: server.name)
    let reader = try OpenedClient.open(name: "guard", server: server.name)
    let port: AudioOutputPort = try client.connection.register("out")
    let uuid = try client.connection.info(of: port).uuid
    try client.connection.describe(port, as: Self.named("Deck A left"))
    try await server.kill()
    try await waitUntil("the clients know") {
      client.connection.isServerGone && reader.connection.isServerGone
    }
    reader.connection.removeLeftDescriptions()
    reader.close()
    // This one's own memory of it would remove it, too.
    #expect(MetadataStore.texts()[uuid] == nil)
    client.close()
  }

  @Test(.jackServer())
  func `a number that two running servers use carries neither one's name`() async throws {
    let second = try await TestServer.start()
    let client = try OpenedClient.open(name: "twice", server: testServer().name)
    let connection = client.connection
    let port: AudioOutputPort = try connection.register("out")
    let uuid = try connection.info(of: port).uuid
    let theirs = DescriptionOwner(
      writer: ProcessIdentity(pid: getpid()),
      server: ProcessIdentity(pid: try #require(second.process.pid)),
      values: [:],
    )
    func describeTheirs() throws {
      try connection.setMetadata(MetadataValue("Theirs"), for: .prettyName, of: uuid)
      try connection.setMetadata(MetadataValue(theirs.text), for: DescriptionOwner.key, of: uuid)
    }
    try describeTheirs()
    #expect(try !connection.describe(port, as: Self.named("Ours")))
    #expect(try connection.metadata(of: uuid).isEmpty)
    try describeTheirs()
    #expect(try connection.describe(uuid, as: Self.named("Ours"), replacingOthers: true))
    #expect(try connection.metadata(for: .prettyName, of: uuid)?.text == "Ours")
    client.close()
    await second.stop()
  }

  private static func named(_ name: String) -> [MetadataKey: MetadataValue] {
    [.prettyName: MetadataValue(name)]
  }

  @Test(.jackServer())
  func `jack_property sees what we set, and we see what it sets`() async throws {
    let server = try testServer().name
    let client = try OpenedClient.open(name: "tool", server: server)
    let connection = client.connection
    let port: AudioOutputPort = try connection.register("out")
    let uuid = try connection.info(of: port).uuid
    // All servers of a user share one property store, which each of them removes when it ends.
    try await waitUntil("jack_property lists the pretty name") {
      try connection.setMetadata(MetadataValue("Cue right"), for: .prettyName, of: port)
      return try await run(["jack_property", "-p", "-l", "tool:out"], server: server)
        .contains("key: http://jackaudio.org/metadata/pretty-name value: Cue right")
    }
    try await waitUntil("the port group that jack_property sets") {
      _ = try await run(
        ["jack_property", "-p", "-s", "tool:out", MetadataKey.portGroup.rawValue, "Cue"],
        server: server,
      )
      return try connection.metadata(for: .portGroup, of: uuid)?.text == "Cue"
    }
    try connection.removeAllMetadata(of: uuid)
    client.close()
  }

  @Test(.jackServer())
  func `clients that drop their properties while others leave stop neither server nor store`()
    async throws
  {
    let server = try testServer().name
    let rounds = 40
    let done = Mutex<[Result<Void, any Error>]>([])
    // Threads of their own: a store that is locked for ever holds them for ever.
    for number in 1...4 {
      let isStarted = BackgroundThread.start(name: "guest") {
        for round in 0..<rounds {
          let result = Result { try Self.comeAndGo("guest-\(number)-\(round)", server) }
          done.withLock { $0.append(result) }
        }
      }
      #expect(isStarted)
    }
    // However long all of them take: none holds up the next one.
    for count in 1...4 * rounds {
      try await waitUntil("\(count) have come and gone") { done.withLock { $0.count } >= count }
    }
    for result in done.withLock({ $0 }) { try result.get() }
  }

  private static func comeAndGo(_ name: String, _ server: String) throws {
    let client = try OpenedClient.open(name: name, server: server)
    let connection = client.connection
    for index in 0..<8 {
      let key = MetadataKey(rawValue: "https://example.org/\(index)")
      try connection.setMetadata(.integer(index), for: key, of: connection.uuid)
    }
    try connection.removeAllMetadata(of: connection.uuid)
    client.close()
  }

  private func run(_ command: [String], server: String) async throws -> String {
    try await runProgram("env", command, environment: ["JACK_DEFAULT_SERVER": server]).output
  }
}
