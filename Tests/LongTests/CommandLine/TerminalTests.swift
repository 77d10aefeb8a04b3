// SPDX-License-Identifier: MIT

import Foundation
import TestSupport
import Testing

@testable import EndToEndSupport

/// Completions of names in the real shells, on a terminal.
@Suite(.serialized, .timeLimit(.minutes(3)))
struct TerminalTests {
  private let scratch: Scratch

  init() throws { scratch = try Scratch() }

  /// A shell, and how it gets the completions from a file.
  struct Shell: CustomStringConvertible, Sendable {
    let name: String
    let arguments: [String]
    let setUp: @Sendable (_ script: String) -> String
    var description: String { name }
  }

  private static let shells = [
    Shell(name: "bash", arguments: ["--norc", "-i"]) {
      "source /usr/share/bash-completion/bash_completion; source '\($0)'"
    },
    Shell(name: "zsh", arguments: ["-f", "-i"]) {
      "autoload -Uz compinit; compinit -u -D; source '\($0)'"
    },
    Shell(name: "fish", arguments: ["--no-config", "-i"]) { "source '\($0)'" },
  ]

  @Test(.jackServer(channels: 4), arguments: shells)
  func `a shell completes ports, whose names have a colon`(_ shell: Shell) async throws {
    let host = try await HostProcess.running(
      graph: Repository.path("graphs/dj-split.yaml"),
      server: try testServer().name,
      in: scratch,
    )
    let program = try Multiroute.path()
    let made = try Child(
      Repository.path("scripts/lib/completions"),
      [program, shell.name],
      in: scratch,
    )
    #expect(try await made.waitForEnd() == .code(0), "\(made.standardError)")
    let script = try scratch.write(made.standardOutput, to: "completions.\(shell.name)")
    let folder = (program as NSString).deletingLastPathComponent
    let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
    let environment = scratch.hostEnvironment.merging([
      "PATH": "\(folder):\(path)", "HOME": scratch.path, "TERM": "xterm", "EDITOR": "emacs",
    ]) { $1 }
    // Tab completes up to the number; then the words are shown as the shell has them.
    let show = "\u{1}printf '<%s>\\n' \n"
    let talk = try await Conversation.hold(
      with: shell.name,
      shell.arguments,
      [
        .init(awaited: "", typed: "\(shell.setUp(script)); echo RE''ADY\n"),
        .init(awaited: "READY", typed: "multiroute connect system:cap\t1 system:pl\t2\(show)"),
        .init(awaited: "<system:capture_1>\n<system:playback_2>", typed: "exit\n"),
      ],
      environment: environment,
      in: scratch,
    )
    #expect(talk.end == .code(0), "\(talk)")
    #expect(try await host.stop() == .code(0))
  }
}
