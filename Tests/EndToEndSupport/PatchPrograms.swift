// SPDX-License-Identifier: MIT

import Foundation
import JACK
import TestSupport

/// Programs with ports that patch rules connect, on a real server.
final class PatchPrograms {
  /// A client that is open as long as this lives.
  private final class Program {
    let client: ActiveClient
    init(_ client: consuming ActiveClient) { self.client = client }
  }

  private var programs: [String: Program] = [:]
  private let server: String
  private let watcher: OpenedClient

  init(server: String) throws {
    self.server = server
    watcher = try OpenedClient.open(name: "watcher", server: server)
  }

  /// A program comes.
  func start(_ name: String, outputs: [String] = [], inputs: [String] = []) throws {
    let program = Program(try OpenedClient.open(name: name, server: server).activate())
    for port in outputs { let _: AudioOutputPort = try program.client.connection.register(port) }
    for port in inputs { let _: AudioInputPort = try program.client.connection.register(port) }
    programs[name] = program
  }

  /// A program goes.
  func stop(_ name: String) { programs[name] = nil }

  /// The ports that a port is connected to, sorted.
  func connections(of port: String) throws -> [String] {
    try watcher.connection.connections(ofPort: port).sorted()
  }

  /// Connects two ports by hand.
  func connect(_ source: String, _ destination: String) throws {
    try watcher.connection.connect(source, to: destination)
  }

  /// Disconnects two ports by hand.
  func disconnect(_ source: String, _ destination: String) throws {
    try watcher.connection.disconnect(source, from: destination)
  }

  /// Waits until a port has these connections.
  func wait(_ port: String, for others: [String]) async throws {
    try await waitUntil("\(port) is connected to \(others)", within: .seconds(15)) {
      try self.connections(of: port) == others.sorted()
    }
  }
}
