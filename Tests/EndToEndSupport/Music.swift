// SPDX-License-Identifier: MIT

import ControlProtocol
import ControlSocket
import Foundation
import Sessions
import TestSupport

/// A host that plays a constant signal of another client, so that a route's samples are its gain.
struct Music {
  let host: HostProcess
  let player: Player
  let recorder: Recorder
  let client: ControlClient
  let scratch: Scratch
  /// The path of its graph file.
  let graph: String

  /// Starts player, host and recorder, and waits until the music is heard in full.
  ///
  /// - Parameters:
  ///   - session: The host's session in the graph file.
  ///   - adoption: The graph file's rules for other clients.
  ///   - tower: More of the tower's settings.
  ///   - seconds: How much is recorded.
  /// - Returns: The music, sounding.
  /// - Throws: When one of them does not start.
  static func playing(
    session: String = "{category: playback, options: [mixWithOthers]}",
    adopting adoption: String = "[]",
    tower: String = "",
    seconds: Int = 60,
  ) async throws -> Music {
    let scratch = try Scratch()
    let server = try testServer().name
    let name = Scratch.uniqueName("music")
    let player = try Player(
      [[Float](repeating: 1, count: 4_800)],
      loops: true,
      server: server,
      name: name,
    )
    player.start()
    let graph = try scratch.write(
      """
      multiroute: 1
      session: \(session)
      tower:
        {classes: {phone: [call], alarm: [bell]}, appsMayChangePolicy: true\(tower.isEmpty ? "" : ", " + tower)}
      adopt: \(adoption)
      routes:
        main: {type: lineOut, ports: [system:playback_1]}
      sources:
        music: {ports: ["\(name):out_1"]}
      mix:
        - {from: music, to: main}
      """,
      to: "music.yaml",
    )
    let host = try await HostProcess.running(graph: graph, server: server, in: scratch)
    let recorder = try Recorder(
      from: [host.port("main_out_1")],
      capacityFrames: seconds * 48_000,
      server: server,
    )
    recorder.start()
    let music = Music(
      host: host,
      player: player,
      recorder: recorder,
      client: try await host.control(),
      scratch: scratch,
      graph: graph,
    )
    try await music.waitForLevel(1)
    return music
  }

  /// The sound since the start of the recording.
  var samples: [Float] { recorder.captured.channels[0] }

  /// Waits until the route's signal stands at a level.
  func waitForLevel(_ level: Float, tolerance: Float = 0) async throws {
    do {
      try await waitUntil("the level") {
        let end = recorder.latest(256)[0]
        return end.count == 256 && end.allSatisfy { abs($0 - level) <= tolerance }
      }
    } catch {
      let events = host.events.suffix(12).map(\.message).joined(separator: "\n")
      let now = recorder.latest(1)[0].last ?? .nan
      throw TestFailure("the route is at \(now) and not at \(level); last events:\n\(events)")
    }
  }

  /// Starts a program that holds an active session until it ends.
  func startHolder(_ arguments: [String]) throws -> Child {
    try Child(
      Multiroute.path(),
      ["session", "open", "--activate", "--host", host.name] + arguments,
      environment: scratch.hostEnvironment,
      in: scratch,
    )
  }

  /// Opens a session and activates it.
  func activate(_ params: OpenSession.Params, on other: ControlClient? = nil) async throws -> String
  {
    let client = other ?? client
    let session = try await client.call(OpenSession.self, params).session
    _ = try await client.call(ActivateSession.self, .init(session: session))
    return session
  }

  /// Ends everything.
  func end() async throws {
    await client.close()
    recorder.close()
    player.close()
    _ = try await host.stop()
  }
}

extension OpenSession.Params {
  /// A session that does not mix, of a class.
  static func exclusive(app: String, class priorityClass: PriorityClass? = nil) -> Self {
    var params = Self(app: app)
    params.category = .playback
    params.priorityClass = priorityClass
    return params
  }
}
