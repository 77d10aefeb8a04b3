// SPDX-License-Identifier: MIT

import Foundation
import TestSupport
import Testing

/// Commands on a terminal, as a person uses them: the questions of `init`, and completions of names in the real shells.
@Suite(.serialized, .timeLimit(.minutes(3)))
struct TerminalTests {
  private let scratch: Scratch

  init() throws { scratch = try Scratch() }

  private func initialise(
    _ words: [String],
    _ steps: [Conversation.Step],
  ) async throws -> Multiroute.Output {
    try await Conversation.hold(
      with: try Multiroute.path(),
      ["init", "--server", try testServer().name] + words,
      steps,
      environment: scratch.hostEnvironment,
      in: scratch,
    )
  }

  @Test(.jackServer(channels: 4))
  func `init asks at most five questions on a terminal, again where an answer is none`()
    async throws
  {
    let file = scratch.path + "/musician.yaml"
    // A musician is asked most.
    let talk = try await initialise(
      [file],
      [
        .init(awaited: "What is it for?", typed: "2\n"),
        .init(awaited: "Where does everybody hear it?", typed: "system 3-4\n"),
        .init(awaited: "Where are your headphones?", typed: "7\n"),
        .init(awaited: "'7' is none of them; write a number from 1 to", typed: "none\n"),
        .init(awaited: "Which input does the host hear?", typed: "\n"),
        .init(awaited: "May a phone of your network move the faders?", typed: "2\n"),
        .init(awaited: "play it: multiroute run", typed: ""),
      ],
    )
    #expect(talk.end == .code(0), "\(talk)")
    #expect(talk.standardOutput.components(separatedBy: "(Enter)").count - 1 == 5, "\(talk)")
    let text = try String(contentsOfFile: file, encoding: .utf8)
    #expect(text.contains(#"ports: ["system:playback_3", "system:playback_4"]"#), "\(text)")
    #expect(!text.contains("headphones"), "\(text)")
    let checked = try await Multiroute.run("check", file, in: scratch)
    #expect(checked.end == .code(0), "\(checked)")
  }

  @Test(.jackServer(channels: 4))
  func `init whose input ends writes nothing`() async throws {
    let file = scratch.path + "/never.yaml"
    let talk = try await initialise(
      [file],
      [
        .init(awaited: "What is it for?", typed: "1\n"),
        .init(awaited: "Where does everybody hear it?", typed: "\u{4}"),
        .init(awaited: "nothing is written", typed: ""),
      ],
    )
    #expect(talk.end == .code(64), "\(talk)")
    #expect(!FileManager.default.fileExists(atPath: file))
  }

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
