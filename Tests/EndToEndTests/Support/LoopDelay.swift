// SPDX-License-Identifier: MIT

import Glibc
import JACK
import TestSupport

/// The delay of a loop as the program jack_iodelay measures it.
enum LoopDelay {
  /// Measures a loop.
  ///
  /// - Parameters:
  ///   - path: The ports that jack_iodelay's output is connected to, and that its input is
  ///     connected from; nil for the one straight to the other.
  ///   - server: The name of the server.
  ///   - scratch: Where its output goes.
  /// - Returns: The median of its readings, in frames: an xrun spoils single ones.
  /// - Throws: `TestFailure` where it does not come to read anything, in eight runs.
  static func reading(
    through path: (input: String, output: String)?,
    server: String,
    in scratch: Scratch,
  ) async throws -> Double {
    // It loses its tone over an xrun at the wrong moment, and does not always find it again.
    for _ in 0..<7 {
      if let reading = try? await run(through: path, server: server, in: scratch) {
        return reading
      }
    }
    return try await run(through: path, server: server, in: scratch)
  }

  private static func run(
    through path: (input: String, output: String)?,
    server: String,
    in scratch: Scratch,
  ) async throws -> Double {
    let child = try Child(
      "stdbuf",
      ["-oL", "jack_iodelay"],
      environment: ["JACK_DEFAULT_SERVER": server],
      in: scratch,
    )
    let user = try OpenedClient.open(name: "user", server: server).activate()
    try await waitUntil("jack_iodelay is active") {
      do throws(JACKError) {
        try user.connection.connect("jack_delay:out", to: path?.input ?? "jack_delay:in")
        return true
      } catch {
        guard error.code == .noSuchPort || error.code == .refused else { throw error }
        return false
      }
    }
    if let path { try user.connection.connect(path.output, to: "jack_delay:in") }
    var readings: [Double] = []
    defer { child.send(SIGKILL) }
    try await waitUntil("jack_iodelay reads seven times", within: .seconds(15)) {
      readings = child.standardOutput.split(separator: "\n")
        .filter { $0.contains("total roundtrip latency") && !$0.contains("?") }
        .compactMap { $0.split(separator: " ").first.flatMap { Double($0) } }
      return readings.count >= 7
    }
    child.send(SIGINT)
    _ = try await child.waitForEnd()
    return readings.sorted()[readings.count / 2]
  }
}
