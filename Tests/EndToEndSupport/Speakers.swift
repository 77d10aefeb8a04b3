// SPDX-License-Identifier: MIT

import ControlProtocol
import Foundation
import JACK
import TestSupport

/// Four loudspeakers that record, and a host that adopts the clients which connect to them.
///
/// The recorder stands for the sound card: it captures the sound of the loudspeakers, of any client.
struct Speakers {
  let recorder: Recorder
  let host: HostProcess
  let scratch: Scratch
  let server: String

  /// The full names of the loudspeakers' ports.
  static let ports = (1...4).map { "speakers:in_\($0)" }

  /// Starts the loudspeakers and the host.
  ///
  /// - Parameters:
  ///   - adoption: The graph file's rules for clients.
  ///   - arguments: More arguments for the host.
  ///   - environment: Changes to the environment of the test, for the host.
  ///   - seconds: How much is recorded.
  /// - Returns: Both, running.
  /// - Throws: When one of them does not start.
  static func playing(
    adopting adoption: String,
    arguments: [String] = [],
    environment: [String: String] = [:],
    seconds: Int = 60,
  ) async throws -> Speakers {
    let scratch = try Scratch()
    let server = try testServer().name
    let recorder = try Recorder(
      from: [nil, nil, nil, nil],
      capacityFrames: seconds * 48_000,
      server: server,
      name: "speakers",
      isHardware: true,
    )
    let graph = try scratch.write(graph(adopting: adoption), to: "speakers.yaml")
    let host = try HostProcess(
      graph: graph,
      server: server,
      arguments: arguments,
      environment: environment,
      in: scratch,
    )
    try await host.attached()
    recorder.start()
    return Speakers(recorder: recorder, host: host, scratch: scratch, server: server)
  }

  static func graph(adopting adoption: String) -> String {
    """
    multiroute: 1
    session: {category: multiRoute, options: [mixWithOthers]}
    adopt: \(adoption)
    routes:
      main:   {type: lineOut, ports: ["speakers:in_1", "speakers:in_2"]}
      phones: {type: headphones, ports: ["speakers:in_3", "speakers:in_4"]}
    """
  }

  /// A client that plays, still unconnected.
  func player(_ name: String, _ channels: [[Float]]) throws -> Player {
    let player = try Player(channels, loops: true, server: server, name: name)
    player.start()
    return player
  }

  /// Starts a host with a rule for `app`, and a client of that name that plays a level at a loudspeaker.
  static func playingApp(
    adopting adoption: String,
    at speaker: Int,
    level: Float = 0.25,
  ) async throws -> (Speakers, Player) {
    let speakers = try await playing(adopting: adoption)
    let player = try speakers.player("app", [[Float](repeating: level, count: 4_800)])
    try player.connection.connect("app:out_1", to: ports[speaker])
    try await speakers.waitForLevel(level, at: speaker)
    return (speakers, player)
  }

  /// Runs a subcommand of the program on the host.
  func command(_ words: String...) async throws -> Multiroute.Output {
    try await Multiroute.run(words + ["--host", host.name], in: scratch)
  }

  /// Produces an event, as a user does.
  func simulate(_ words: String...) async throws {
    let output = try await Multiroute.run(
      ["simulate"] + words + ["--host", host.name],
      in: scratch,
    )
    guard output.end == .code(0) else { throw TestFailure(output.standardError) }
  }

  /// Starts a host in the place of the one that was killed.
  func restartedHost(environment: [String: String] = [:]) async throws -> HostProcess {
    let again = try HostProcess(
      graph: scratch.path + "/speakers.yaml",
      server: server,
      name: host.name,
      environment: environment,
      in: scratch,
    )
    try await again.attached()
    return again
  }

  /// The sound of one loudspeaker since the start of the recording.
  func heard(at speaker: Int) -> [Float] { recorder.captured.channels[speaker] }

  /// Waits until a level stands at a loudspeaker.
  func waitForLevel(_ level: Float, at speaker: Int) async throws {
    try await waitUntil("\(level) at loudspeaker \(speaker)") {
      let end = recorder.latest(256)[speaker]
      return end.count == 256 && end.allSatisfy { $0 == level }
    }
  }

  /// Runs one of JACK's own tools on the server, as a user would.
  func patch(_ tool: String, _ source: String, _ destination: String) async throws {
    let child = try Child(
      tool,
      ["--server", server, source, destination],
      in: scratch,
    )
    _ = try await child.waitForEnd()
  }

  func end() async throws {
    recorder.close()
    _ = try await host.stop()
  }
}
