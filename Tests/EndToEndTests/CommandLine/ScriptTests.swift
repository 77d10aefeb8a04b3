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

  /// A checkout whose products are there, and a `swift` that notes its options, and whether it writes to a terminal.
  private struct Checkout {
    let path: String
    private let scratch: Scratch
    private let calls: String

    init(in scratch: Scratch) throws {
      self.scratch = scratch
      path = try scratch.makeFolder("checkout")
      calls = path + "/calls"
      let files = FileManager.default
      for folder in ["Sources", "scripts/lib", ".build/release", "bin"] {
        try files.createDirectory(atPath: "\(path)/\(folder)", withIntermediateDirectories: true)
      }
      let swift = """
        #!/bin/sh
        output=pipe errors=pipe
        if [ -t 1 ]; then output=terminal; fi
        if [ -t 2 ]; then errors=terminal; fi
        echo "$output $errors $*" >>'\(calls)'
        echo '[1/2] Compiling'
        echo '[2/2] Linking'

        """
      let program = [".build/release/multiroute", "bin/swift"]
      for (file, text) in [
        ("Package.swift", ""), ("Sources/main.swift", ""), ("scripts/lib/setup.bash", ""),
        (".build/release/libcallback-timer.so", ""), (program[0], ""), (program[1], swift),
      ] {
        try text.write(toFile: "\(path)/\(file)", atomically: true, encoding: .utf8)
        let mode = program.contains(file) ? 0o755 : 0o644
        try files.setAttributes([.posixPermissions: mode], ofItemAtPath: "\(path)/\(file)")
      }
    }

    /// Makes a source that is newer than each build so far.
    func edit() throws {
      let file = path + "/Sources/main.swift"
      let date = Date(timeIntervalSinceNow: 60)
      try FileManager.default.setAttributes([.modificationDate: date], ofItemAtPath: file)
    }

    /// The calls of `swift` since the last question.
    func newCalls() throws -> [String] {
      defer { try? FileManager.default.removeItem(atPath: calls) }
      let text = FileManager.default.contents(atPath: calls) ?? Data()
      return String(decoding: text, as: UTF8.self).split(separator: "\n").map(String.init)
    }

    /// Runs functions of `scripts/lib/setup.bash` on this checkout, on a terminal or into pipes; answers with all that they print.
    func run(_ words: String, onTerminal: Bool) async throws -> String {
      let setup = Repository.path("scripts/lib/setup.bash")
      let script = "source '\(setup)'; repository='\(path)'; \(words)"
      let standard = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
      let environment = ["PATH": "\(path)/bin:\(standard)"]
      if onTerminal {
        let talk = try await Conversation.hold(
          with: "/bin/bash",
          ["-c", script],
          [],
          environment: environment,
          in: scratch,
        )
        #expect(talk.end == .code(0), "\(talk)")
        return talk.standardOutput
      }
      let child = try Child("/bin/bash", ["-c", script], environment: environment, in: scratch)
      #expect(try await child.waitForEnd() == .code(0), "\(child.standardError)")
      return child.standardOutput + child.standardError
    }
  }

  @Test func `a build is the same on a terminal and into a pipe, and none where nothing is newer`()
    async throws
  {
    let checkout = try Checkout(in: try Scratch())
    let release = "build_release multiroute callback-timer"
    let first = try await checkout.run(release, onTerminal: true)
    let calls = try checkout.newCalls()
    #expect(calls.map { $0.hasPrefix("pipe pipe build ") } == [true, true], "\(calls)")
    #expect(first.contains("== building multiroute\n"), "\(first)")
    #expect(first.contains("== building callback-timer\n"), "\(first)")
    #expect(first.contains("== step 2 of 2, about 0 min left"), "\(first)")

    for isTerminal in [true, false] {
      let idle = try await checkout.run(release, onTerminal: isTerminal)
      #expect(idle.trimmingCharacters(in: .whitespacesAndNewlines) == "")
      #expect(try checkout.newCalls() == [])
    }

    try checkout.edit()
    let again = try await checkout.run(release, onTerminal: false)
    #expect(try checkout.newCalls() == calls)
    #expect(again == "== building multiroute\n== building callback-timer\n")

    for build in ["part_build --build-tests", "piped_build --product multiroute"] {
      _ = try await checkout.run(build, onTerminal: true)
      let shown = try checkout.newCalls()
      _ = try await checkout.run(build, onTerminal: false)
      #expect(shown.map { $0.hasPrefix("pipe pipe build ") } == [true], "\(shown)")
      #expect(try checkout.newCalls() == shown)
    }
  }
}
