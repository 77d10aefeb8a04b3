// SPDX-License-Identifier: MIT

import Foundation
import TestSupport
import Testing

@testable import EndToEndSupport

/// A scripted session manager, the folder for its projects, and the name of the server of the test.
struct ManagedStage {
  /// A graph with an effect at its route.
  static let graph = """
    multiroute: 1
    name: own-name
    session: {category: multiRoute, options: [mixWithOthers]}
    permissions: {default: granted}
    routes:
      main: {type: lineOut, ports: [system:playback_1], inserts: [delay]}
    sources:
      deck: {tone: {frequency: 480 Hz, level: -20 dB}}
    mix:
      - {from: deck, to: main}
    """

  let scratch: Scratch
  let manager: SessionManager
  /// The server's name; that of none in a test without a server.
  let serverName: String

  init() throws {
    scratch = try Scratch()
    manager = try SessionManager()
    serverName = (try? testServer().name) ?? Scratch.uniqueName("none")
  }

  /// The arguments of a host on the server.
  func host(_ words: String...) -> [String] {
    ["run"] + words + ["--server", serverName, "--no-start-server", "--duration", "100s"]
  }

  /// A program with an open project, and the answer to `open`.
  func opened(
    _ path: String,
    as clientID: String,
    _ arguments: [String],
  ) async throws -> (program: ManagedProgram, answer: Int32) {
    let program = try await ManagedProgram(arguments, manager: manager, in: scratch)
    try manager.accept(program.address)
    return (program, try await program.open(path, as: clientID))
  }

  /// The gain of the route of a host.
  func gain(_ host: String) async throws -> String {
    let output = try await Multiroute.run("get", "/route/main/gain", "--host", host, in: scratch)
    #expect(output.end == .code(0), "\(output.standardError)")
    return output.standardOutput.trimmingCharacters(in: .whitespacesAndNewlines)
  }

  /// Sets the gain of the route of a host.
  func setGain(_ gain: String, _ host: String) async throws {
    let words = ["set", "/route/main/gain", gain, "--host", host]
    let output = try await Multiroute.run(words, in: scratch)
    #expect(output.end == .code(0), "\(output.standardError)")
  }
}
