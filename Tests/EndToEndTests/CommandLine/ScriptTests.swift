// SPDX-License-Identifier: MIT

import Foundation
import Glibc
import TestSupport
import Testing

@testable import EndToEndSupport

/// The scripts that run programs for a user.
@Suite(.serialized, .timeLimit(.minutes(1)))
struct ScriptTests {
  private func bash(_ script: String, in scratch: Scratch) throws -> Child {
    let setup = Repository.path("scripts/lib/setup.bash")
    return try Child("/bin/bash", ["-c", "source '\(setup)'; \(script)"], in: scratch)
  }

  @Test(arguments: [SIGTERM, SIGINT, SIGHUP])
  func `a script that is ended by a signal ends its command, and returns its status`(
    signal: Int32
  ) async throws {
    let scratch = try Scratch()
    let loop = "trap \"exit 7\" TERM; echo $$; while :; do sleep 0.05; done"
    let script = try bash("until_ended bash -c '\(loop)'", in: scratch)
    try await waitUntil("the command runs") { script.standardOutput.hasSuffix("\n") }
    let line = script.standardOutput.trimmingCharacters(in: .whitespacesAndNewlines)
    let command = try #require(Int32(line))
    script.send(signal)
    #expect(try await script.waitForEnd() == .code(7))
    #expect(kill(command, 0) == -1 && errno == ESRCH)
  }

  @Test(arguments: [
    ("voice-duck", "espeak-ng"), ("two-machines", "zita-njbridge"), ("dj-split", ""),
  ])
  func `a graph's programs are known by its file`(graph: String, packages: String) async throws {
    let scratch = try Scratch()
    let path = Repository.path("graphs/\(graph).yaml")
    let script = try bash("graph_packages '\(path)'", in: scratch)
    #expect(try await script.waitForEnd() == .code(0))
    #expect(script.standardOutput.split(separator: "\n").joined(separator: " ") == packages)
  }
}
