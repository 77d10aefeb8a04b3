// SPDX-License-Identifier: MIT

import ControlProtocol
import ControlSocket
import Foundation
import Glibc
import JACK
import TestSupport

/// A microphone without hardware that always gives speech, and a host that guards it.
struct Microphone {
  /// The speech, in a loop.
  static let speech = Signals.noise(4_801, seed: 7)
  /// The microphone's port, which looks like hardware.
  static let port = "\(client):out_1"

  private static let client = "mic-\(getpid())"

  let player: Player
  let host: HostProcess
  let control: ControlClient
  let scratch: Scratch
  let graph: String

  /// Starts the microphone and a host.
  ///
  /// - Parameters:
  ///   - permissions: The section of the graph file; nil for none.
  ///   - more: More of the graph file.
  /// - Returns: The microphone, guarded.
  /// - Throws: When one of them does not start.
  static func guarded(
    permissions: String? = "{}",
    more: String = "",
  ) async throws -> Microphone {
    let scratch = try Scratch()
    let server = try testServer().name
    let player = try Player(
      [speech],
      loops: true,
      flags: [.physical, .terminal],
      server: server,
      name: client,
    )
    player.start()
    let graph = try scratch.write(
      """
      multiroute: 1
      \(permissions.map { "permissions: \($0)" } ?? "")
      routes:
        main: {type: lineOut, ports: [system:playback_1]}
      \(more)
      """,
      to: "mic.yaml",
    )
    let host = try await HostProcess.running(graph: graph, server: server, in: scratch)
    let control = try await host.control()
    return Microphone(player: player, host: host, control: control, scratch: scratch, graph: graph)
  }

  /// The program that the recorders of this process are.
  static var program: String {
    let path = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? ""
    return (path as NSString).lastPathComponent
  }

  /// A recorder that connects itself to the microphone.
  func recorder(_ name: String = "rec", seconds: Int = 60) throws -> Recorder {
    let recorder = try Recorder(
      from: [Self.port],
      capacityFrames: seconds * 48_000,
      server: host.server,
      name: name,
    )
    recorder.start()
    return recorder
  }

  /// Waits until a recorder's port is connected to these ports and no others.
  func waitUntilConnected(_ recorder: Recorder, to ports: [String]) async throws {
    try await waitUntil("\(recorder.connection.name) is connected to \(ports)") {
      try recorder.connection.connections(ofPort: recorder.portNames[0]) == ports
    }
  }

  /// Waits until a recorder hears silence, or a sound.
  func waitUntilHeard(_ isHeard: Bool, by recorder: Recorder) async throws {
    do {
      let start = recorder.heardFrames
      try await waitUntil("the recorder hears \(isHeard ? "something" : "nothing")") {
        guard recorder.heardFrames > start + 2_048 else { return false }
        let end = recorder.latest(1_024)[0]
        return isHeard ? end.count { $0 != 0 } > 1_000 : end.allSatisfy { $0 == 0 }
      }
    } catch {
      let events = host.events.suffix(12).map(\.message).joined(separator: "\n")
      throw TestFailure("\(error); last events:\n\(events)")
    }
  }

  /// Whether a part of a recording is the speech of exactly those frames.
  func isSpeech(_ recording: Recording, in range: Range<Int>) -> Bool {
    guard let first = player.firstFrame else { return false }
    let offset = Int(recording.firstFrame &- first)
    return range.allSatisfy {
      recording.channels[0][$0] == Self.speech[(offset + $0) % Self.speech.count]
    }
  }

  /// Answers for a program, as a user does.
  func permission(_ answer: String, _ program: String = program) async throws {
    let output = try await Multiroute.run(
      "permission",
      answer,
      program,
      "--host",
      host.name,
      in: scratch,
    )
    guard output.end == .code(0) else { throw TestFailure(output.standardError) }
  }

  /// Ends everything.
  func end(_ recorders: Recorder...) async throws {
    await control.close()
    for recorder in recorders { recorder.close() }
    player.close()
    _ = try await host.stop()
  }
}
