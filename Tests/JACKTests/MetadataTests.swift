// SPDX-License-Identifier: MIT

import Foundation
import JACK
import Synchronization
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1)))
struct MetadataTests {
  @Test(.jackServer())
  func `properties are set, read by others, told, and removed`() async throws {
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
  func `jack_property sees what we set, and we see what it sets`() async throws {
    let server = try testServer().name
    let client = try OpenedClient.open(name: "tool", server: server)
    let connection = client.connection
    let port: AudioOutputPort = try connection.register("out")
    let uuid = try connection.info(of: port).uuid
    // All servers of a user share one property store, which each of them removes when it ends.
    try await waitUntil("jack_property lists the pretty name") {
      try connection.setMetadata(MetadataValue("Cue right"), for: .prettyName, of: port)
      return try run(["jack_property", "-p", "-l", "tool:out"], server: server)
        .contains("key: http://jackaudio.org/metadata/pretty-name value: Cue right")
    }
    try await waitUntil("the port group that jack_property sets") {
      _ = try run(
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
      Thread.detachNewThread {
        for round in 0..<rounds {
          let result = Result { try Self.comeAndGo("guest-\(number)-\(round)", server) }
          done.withLock { $0.append(result) }
        }
      }
    }
    try await waitUntil("all have come and gone", within: .seconds(40)) {
      done.withLock { $0.count } == 4 * rounds
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

  private func run(_ command: [String], server: String) throws -> String {
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = command
    process.environment = ProcessInfo.processInfo.environment
      .merging(["JACK_DEFAULT_SERVER": server]) { _, new in new }
    let output = Pipe()
    process.standardOutput = output
    try process.run()
    let data = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return String(decoding: data, as: UTF8.self)
  }
}
