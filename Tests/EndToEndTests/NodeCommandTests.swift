// SPDX-License-Identifier: MIT

import Foundation
import Glibc
import JACK
import TestSupport
import Testing

/// Inter-app audio from a script.
@Suite(.serialized, .timeLimit(.minutes(2)))
struct NodeCommandTests {
  /// What `multiroute nodes --json` says of a node, of that what is looked at here.
  private struct Listed: Decodable {
    let name: String
    let running: Bool
  }

  private let scratch: Scratch

  init() throws { scratch = try Scratch() }

  private func run(
    _ words: String...,
    environment: [String: String],
  ) async throws -> Multiroute.Output {
    let server = ["--server", try testServer().name]
    return try await Multiroute.run(words + server, environment: environment, in: scratch)
  }

  private func listed(_ text: String) throws -> [Listed] {
    try text.split(separator: "\n").map {
      try JSONDecoder().decode(Listed.self, from: Data($0.utf8))
    }
  }

  @Test(
    "IAA-2: an installed node is listed, started by connecting it, and disconnected, from a script",
    .jackServer()
  )
  func script() async throws {
    let server = try testServer().name
    let environment = try scratch.installNodes([
      "echo": Scratch.passingNode("echo"), "faulty": "node: 1\nkind: kazoo\n",
    ])
    var output = try await run("nodes", "--json", environment: environment)
    #expect(output.end == .code(0))
    #expect(output.standardError.contains("faulty.node.yaml:2: error: kind"))
    var nodes = try listed(output.standardOutput)
    #expect(nodes.map(\.name) == ["echo"])
    #expect(nodes.map(\.running) == [false])

    let watch = try Child(
      Multiroute.path(),
      ["nodes", "--watch", "--server", server],
      environment: scratch.hostEnvironment.merging(environment) { $1 },
      in: scratch,
    )
    try await waitUntil("the list is there", within: .seconds(20)) {
      watch.standardOutput.contains("echo")
    }
    output = try await run(
      "connect",
      "system:capture",
      "echo",
      "system:playback",
      environment: environment
    )
    #expect(output.end == .code(0), "\(output.standardError)")
    #expect(output.standardOutput.contains("system:capture_2 → echo:in_2"))
    #expect(output.standardOutput.contains("echo:out_1 → system:playback_1"))
    try await waitUntil("it is published", within: .seconds(20)) {
      watch.standardOutput.contains("published")
    }
    nodes = try listed(try await run("nodes", "--json", environment: environment).standardOutput)
    #expect(nodes.map(\.running) == [true])

    let hand = try Recorder(from: [nil], capacityFrames: 1, server: server, name: "hand")
    #expect(try hand.connection.connections(ofPort: "echo:out_1") == ["system:playback_1"])
    output = try await run("disconnect", "echo", "system:playback", environment: environment)
    #expect(output.end == .code(0))
    #expect(try hand.connection.connections(ofPort: "echo:out_1").isEmpty)
    #expect(try hand.connection.connections(ofPort: "echo:in_1") == ["system:capture_1"])
    output = try await run("disconnect", "echo", environment: environment)
    #expect(try hand.connection.connections(ofPort: "echo:in_1").isEmpty)

    output = try await run("connect", "kazoo", "system:playback", environment: environment)
    #expect(output.end == .code(65))
    #expect(output.standardError.contains("there is no node, client or port 'kazoo'"))

    let uuid = try hand.connection.uuid(ofClient: "echo")
    let text = try hand.connection.metadata(
      for: MetadataKey(rawValue: "urn:multiroute:node:pid"),
      of: uuid,
    )?.text
    kill(try #require(text.flatMap { pid_t($0) }), SIGTERM)
    try await waitUntil("it is withdrawn", within: .seconds(20)) {
      watch.standardOutput.contains("withdrawn")
    }
    hand.close()
    watch.send(SIGINT)
    #expect(try await watch.waitForEnd() == .code(0))
  }
}
