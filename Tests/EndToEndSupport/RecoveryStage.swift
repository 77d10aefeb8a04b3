// SPDX-License-Identifier: MIT

import AudioFiles
import JACK
import TestSupport
import Testing

/// The sound that a host plays in the tests of servers that go, and how it looks from outside.
enum RecoveryStage {
  /// The sound of the deck.
  static let file = Signals.noise(48_000, seed: 11)

  /// A deck, and a source that is fed by programs named `app-…`.
  static func graph(_ server: String, in scratch: Scratch) throws -> String {
    try scratch.write([file], to: "noise.wav", format: .wavPCM16)
    return try scratch.write(
      """
      multiroute: 1
      server: \(server)
      routes: {main: {type: lineOut, ports: [system:playback_1]}}
      sources: {deck: {file: noise.wav, loop: true}, app: {ports: ["/app-.*:out_1/"]}}
      mix: [{from: deck, to: main}, {from: app, to: main}]
      """,
      to: "recovery.yaml",
    )
  }

  /// Connects two ports as a user does.
  static func connectByHand(_ host: HostProcess, _ from: String, _ to: String) throws {
    let user = try OpenedClient.open(name: "user", server: host.server).activate()
    try user.connection.connect(from, to: to)
  }

  /// Waits until the host itself knows of a connection, as an independent client sees it.
  static func waitForConnection(
    _ host: HostProcess,
    _ from: String,
    _ to: String,
  ) async throws {
    let watcher = try OpenedClient.open(name: "watcher", server: host.server)
    try await waitUntil("\(from) is connected to \(to)") {
      try watcher.connection.connections(ofPort: from).contains(to)
    }
  }

  /// Expects the route to be connected to these ports alone, and the deck to its strip.
  static func expectConnections(of host: HostProcess, to targets: Set<String>) throws {
    let watcher = try OpenedClient.open(name: "watcher", server: host.server)
    let found = try watcher.connection.connections(ofPort: host.port("main_out_1"))
    #expect(Set(found) == targets)
    let deck = try watcher.connection.connections(ofPort: host.port("deck_in_1"))
    #expect(deck == ["\(host.name)-sources:deck_1"])
  }

  /// Records the route.
  static func record(_ host: HostProcess, frames: Int) async throws -> [Float] {
    let recorder = try Recorder(
      from: [host.port("main_out_1")],
      capacityFrames: frames,
      server: host.server,
    )
    recorder.start()
    return try await recorder.finish().channels[0]
  }
}
