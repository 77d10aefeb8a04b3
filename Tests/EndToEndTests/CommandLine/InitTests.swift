// SPDX-License-Identifier: MIT

import Foundation
import TestSupport
import Testing

@testable import EndToEndSupport

/// `multiroute init`: first graphs, and its questions on a terminal.
@Suite(.serialized, .timeLimit(.minutes(2)))
struct InitTests {
  private let scratch: Scratch

  init() throws { scratch = try Scratch() }

  @Test(.jackServer(channels: 4))
  func `init writes graphs that check accepts, and run plays the own one`() async throws {
    let server = try testServer().name
    let config = try scratch.makeFolder("config")
    let environment = ["XDG_CONFIG_HOME": config]
    func initialise(_ words: String...) async throws -> Multiroute.Output {
      try await Multiroute.run(
        ["init", "--server", server] + words,
        environment: environment,
        in: scratch,
      )
    }
    for use in ["dj", "musician", "kiosk", "measuring"] {
      let file = scratch.path + "/\(use).yaml"
      let made = try await initialise("--use", use, file)
      #expect(made.end == .code(0), "\(made)")
      let checked = try await Multiroute.run("check", file, in: scratch)
      #expect(checked.end == .code(0), "\(use): \(checked)")
    }
    let refused = try await initialise("--main", "nowhere 1-2")
    #expect(refused.standardError.contains("there is no 'nowhere 1-2' here; found: 'system 1-2'"))
    #expect(refused.end == .code(64), "\(refused)")
    let own = try await initialise("--main", "system 3-4", "--headphones", "none")
    #expect(own.end == .code(0), "\(own)")
    let again = try await initialise("--yes")
    #expect(again.end == .code(73) && again.standardError.contains("--force"), "\(again)")
    let text = try String(contentsOfFile: config + "/multiroute/graph.yaml", encoding: .utf8)
    #expect(text.contains(#"ports: ["system:playback_3", "system:playback_4"]"#), "\(text)")

    let played = try await Multiroute.run(
      ["run", "--plain", "--server", server, "--web", "0", "--duration", "1s"],
      environment: environment,
      in: scratch,
    )
    #expect(played.end == .code(0), "\(played)")
    #expect(played.standardError.contains("playing \(config)/multiroute/graph.yaml"), "\(played)")
    #expect(played.standardOutput.contains("system:playback_3 system:playback_4"), "\(played)")
  }

  /// Answers the questions of `init` on a terminal.
  private func converse(
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
    let talk = try await converse(
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
    let talk = try await converse(
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
}
