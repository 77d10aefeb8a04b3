// SPDX-License-Identifier: MIT

import Glibc
import JACK
import TestSupport

@testable import EndToEndSupport

/// The delay of a loop as the program jack_iodelay measures it.
///
/// jack_iodelay never closes its client. jackd, told to wait for its clients (`-S`), then refuses activations for
/// some seconds, so one run of it serves all readings, and it ends with ``endProgram()`` when nothing else is asked of the
/// server.
final class LoopDelay {
  private let server: String
  private let scratch: Scratch
  /// Makes the connections, and is there before any jack_iodelay ends, so no refusal meets it.
  private let user: ActiveClient
  private var program: Child?

  /// Prepares for readings.
  ///
  /// - Parameters:
  ///   - server: The name of the server.
  ///   - scratch: Where the program's output goes.
  /// - Throws: `JACKError` where the server takes no client.
  init(server: String, in scratch: Scratch) throws {
    self.server = server
    self.scratch = scratch
    user = try OpenedClient.open(name: "user", server: server).activate()
  }

  /// Measures a loop.
  ///
  /// - Parameter path: The ports that jack_iodelay's output is connected to, and that its input is connected from;
  ///   nil for the one straight to the other.
  /// - Returns: The median of its readings, in frames: an xrun spoils single ones.
  /// - Throws: `TestFailure` where it does not come to read anything, in eight runs.
  func reading(through path: (input: String, output: String)?) async throws -> Double {
    // It loses its tone over an xrun at the wrong moment, and does not always find it again.
    for _ in 0..<7 {
      if let reading = try? await attempt(through: path) { return reading }
      try await endProgram()
    }
    return try await attempt(through: path)
  }

  private func attempt(through path: (input: String, output: String)?) async throws -> Double {
    let program = try runningProgram()
    let input = path?.input ?? "jack_delay:in"
    try await waitUntil("jack_iodelay is active") {
      do throws(JACKError) {
        try user.connection.connect("jack_delay:out", to: input)
        return true
      } catch {
        guard error.code == .noSuchPort || error.code == .refused else { throw error }
        return false
      }
    }
    if let path { try user.connection.connect(path.output, to: "jack_delay:in") }
    // The first ones may be of the loop before, or of both.
    let skipped = Self.readings(of: program).count + 3
    var readings: ArraySlice<Double> = []
    try await waitUntil("jack_iodelay reads seven times", within: .seconds(15)) {
      readings = Self.readings(of: program).dropFirst(skipped)
      return readings.count >= 7
    }
    try user.connection.disconnect("jack_delay:out", from: input)
    if let path { try user.connection.disconnect(path.output, from: "jack_delay:in") }
    return readings.sorted()[readings.count / 2]
  }

  private func runningProgram() throws -> Child {
    if let program { return program }
    let started = try Child(
      "stdbuf",
      ["-oL", "jack_iodelay"],
      environment: ["JACK_DEFAULT_SERVER": server],
      in: scratch,
    )
    program = started
    return started
  }

  /// Ends the program; the server needs some time after it.
  func endProgram() async throws {
    guard let program else { return }
    self.program = nil
    program.send(SIGKILL)
    _ = try await program.waitForEnd()
    try await waitUntil("the server has noticed the end of jack_iodelay") {
      try user.connection.ports(matching: "^jack_delay:").isEmpty
    }
  }

  /// The readings so far, in frames, without those that the program doubts itself.
  private static func readings(of program: Child) -> [Double] {
    program.standardOutput.split(separator: "\n")
      .filter { $0.contains("total roundtrip latency") && !$0.contains("?") }
      .compactMap { $0.split(separator: " ").first.flatMap { Double($0) } }
  }
}
