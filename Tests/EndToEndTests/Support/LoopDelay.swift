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
  /// - Returns: What it reads in frames, as it prints it.
  /// - Throws: `TestFailure` where it does not read the same four times in a row.
  static func reading(
    through path: (input: String, output: String)?,
    server: String,
    in scratch: Scratch,
  ) async throws -> String {
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
    var last: [Substring] = []
    try await waitUntil("jack_iodelay reads the same four times", within: .seconds(20)) {
      last = child.standardOutput.split(separator: "\n")
        .filter { $0.contains("total roundtrip latency") && !$0.contains("?") }
        .compactMap { $0.split(separator: " ").first }
        .suffix(4)
      return last.count == 4 && Set(last).count == 1
    }
    child.send(SIGINT)
    _ = try await child.waitForEnd()
    return String(last[0])
  }
}
