// SPDX-License-Identifier: MIT

import Foundation
import Glibc
import JACK
import TestSupport
import Testing

@testable import EndToEndSupport

/// Inter-app audio from a script.
@Suite(.serialized, .timeLimit(.minutes(2)))
struct NodeCommandTests {
  /// The part of a node in `multiroute nodes --json` that these tests read.
  private struct Listed: Decodable {
    let name: String
    let client: String?
    let running: Bool
  }

  private let scratch: Scratch

  init() throws { scratch = try Scratch() }

  private func run(
    _ words: String...,
    environment: [String: String],
  ) async throws -> Multiroute.Output {
    let server = ["--server", try testServer().name]
    return try await Multiroute.run(words + server, environment: environment, in: scratch)
  }

  private func listed(_ text: String) throws -> [Listed] {
    try text.split(separator: "\n").map {
      try JSONDecoder().decode(Listed.self, from: Data($0.utf8))
    }
  }

  @Test(
    "IAA-2: an installed node is listed, started by connecting it, and disconnected, from a script",
    .steppedServer(frames: 256)
  )
  func script() async throws {
    let server = try testServer().name
    let environment = try scratch.installNodes([
      "echo": Scratch.passingNode("echo"), "faulty": "node: 1\nkind: kazoo\n",
    ])
    var output = try await run("nodes", "--json", environment: environment)
    #expect(output.end == .code(0))
    #expect(output.standardError.contains("faulty.node.yaml:2: error: kind"))
    var nodes = try listed(output.standardOutput)
    #expect(nodes.map(\.name).sorted() == ["delay", "echo", "equalizer", "gate", "synth"])
    #expect(nodes.allSatisfy { !$0.running })

    let watch = try Child(
      Multiroute.path(),
      ["nodes", "--watch", "--server", server],
      environment: scratch.hostEnvironment.merging(environment) { $1 },
      in: scratch,
    )
    try await waitUntil("the list is there") {
      watch.standardOutput.contains("echo")
    }
    output = try await run(
      "connect",
      "system:capture",
      "echo",
      "system:playback",
      environment: environment
    )
    #expect(output.end == .code(0), "\(output.standardError)")
    #expect(output.standardOutput.contains("system:capture_2 → echo:in_2"))
    #expect(output.standardOutput.contains("echo:out_1 → system:playback_1"))
    try await waitUntil("it is published") {
      watch.standardOutput.contains("published")
    }
    nodes = try listed(try await run("nodes", "--json", environment: environment).standardOutput)
    #expect(nodes.filter(\.running).map(\.client) == ["echo"])

    let hand = try Recorder(from: [nil], capacityFrames: 1, server: server, name: "hand")
    #expect(try hand.connection.connections(ofPort: "echo:out_1") == ["system:playback_1"])
    output = try await run("disconnect", "echo", "system:playback", environment: environment)
    #expect(output.end == .code(0))
    #expect(try hand.connection.connections(ofPort: "echo:out_1").isEmpty)
    #expect(try hand.connection.connections(ofPort: "echo:in_1") == ["system:capture_1"])
    output = try await run("disconnect", "echo", environment: environment)
    #expect(!output.standardError.contains("warning"), "\(output.standardError)")
    #expect(try hand.connection.connections(ofPort: "echo:in_1").isEmpty)

    output = try await run("connect", "kazoo", "system:playback", environment: environment)
    #expect(output.end == .code(65))
    #expect(output.standardError.contains("there is no node, client or port 'kazoo'"))

    let uuid = try hand.connection.uuid(ofClient: "echo")
    let text = try hand.connection.metadata(
      for: MetadataKey(rawValue: "urn:multiroute:node:pid"),
      of: uuid,
    )?.text
    kill(try #require(text.flatMap { pid_t($0) }), SIGTERM)
    try await waitUntil("it is withdrawn") {
      watch.standardOutput.contains("withdrawn")
    }
    hand.close()
    watch.send(SIGINT)
    #expect(try await watch.waitForEnd() == .code(0))
  }

  @Test(
    "IAA-2: two installed nodes of one component are both started, each by its own file",
    .steppedServer(frames: 256)
  )
  func sameComponent() async throws {
    let server = try testServer().name
    let environment = try scratch.installNodes([
      "fx1": Scratch.passingNode("fx1"), "fx2": Scratch.passingNode("fx2"),
    ])
    for name in ["fx1", "fx2"] {
      let output = try await run("connect", "system:capture", name, environment: environment)
      #expect(output.end == .code(0), "\(output.standardError)")
      #expect(output.standardOutput.contains("system:capture_1 → \(name):in_1"))
    }
    let hand = try Recorder(from: [nil], capacityFrames: 1, server: server, name: "hand")
    for name in ["fx1", "fx2"] {
      let uuid = try hand.connection.uuid(ofClient: name)
      let key = MetadataKey(rawValue: "urn:multiroute:node:pid")
      let text = try hand.connection.metadata(for: key, of: uuid)?.text
      kill(try #require(text.flatMap { pid_t($0) }), SIGTERM)
    }
    hand.close()
  }

  @Test(
    "parameters of nodes out of range are refused by name, value and range",
    arguments: [
      (["delay", "--time", "nan"], "'--time <time>': 'nan' is not a duration"),
      (["delay", "--time", "0"], "'--time <time>': '0' is out of range; allowed: 1ms to 5s"),
      (["delay", "--mix", "-1"], "--mix -1.0 is out of range; allowed: 0.0 to 1.0"),
      (["delay", "--feedback", "1"], "--feedback 1.0 is out of range; allowed: 0.0 to 0.95"),
      (["synth", "--gain", "5dB"], "'5dB' is out of range; allowed: -90dB to 0dB"),
      (["synth", "--gain", "500"], "'500' is out of range; allowed: -90dB to 0dB"),
      (["synth", "--gain", "loud"], "'loud' is not a gain, -90dB to 0dB"),
    ],
  )
  func parameters(_ words: [String], _ message: String) async throws {
    let command = ["node", "run"] + words + ["--server", "none"]
    let output = try await Multiroute.run(command, in: scratch)
    #expect(output.end == .code(64))
    #expect(output.standardError.contains(message), "\(output.standardError)")
  }

  // MARK: - MIDI files

  /// A file of 96 ticks a quarter note, of which there are two a second: a note that begins, and ends after so
  /// many times 2²⁸ − 1 ticks, which are 16 days each.
  private func midiFile(_ name: String, rests: Int) throws -> String {
    let header: [UInt8] = [0x4d, 0x54, 0x68, 0x64, 0, 0, 0, 6, 0, 0, 0, 1, 0, 96]
    var track: [UInt8] = [0, 0x90, 69, 127]
    for _ in 0..<rests { track += [0xff, 0xff, 0xff, 0x7f, 0x80, 69, 0] }
    track += [0, 0xff, 0x2f, 0]
    let start: [UInt8] = [0x4d, 0x54, 0x72, 0x6b, 0, 0, 0, UInt8(track.count)]
    let path = "\(scratch.path)/\(name)"
    try Data(header + start + track).write(to: URL(filePath: path))
    return path
  }

  @Test(
    "a MIDI file with a rest of 16 days is played, and silenced when interrupted",
    .steppedServer(frames: 256)
  )
  func longRest() async throws {
    let server = try testServer().name
    let synth = try Child(
      Multiroute.path(),
      ["node", "run", "synth", "--server", server],
      environment: scratch.hostEnvironment,
      in: scratch,
    )
    try await waitUntil("it is published") { synth.standardOutput.contains("published") }
    let recorder = try Recorder(from: ["synth:out_1"], capacityFrames: 1, server: server)
    let player = try Child(
      Multiroute.path(),
      ["midi", midiFile("long.mid", rests: 1), "synth", "--server", server],
      environment: scratch.hostEnvironment,
      in: scratch,
    )
    try await waitUntil("the note is heard") { recorder.latest(256)[0].contains { $0 != 0 } }
    #expect(player.end == nil)
    #expect(player.standardOutput.contains("2 messages, 1398101 s"), "\(player.standardOutput)")
    player.send(SIGINT)
    #expect(try await player.waitForEnd() == .code(0))
    try await waitUntil("the note has ended") { recorder.latest(512)[0].allSatisfy { $0 == 0 } }
    recorder.close()
    synth.send(SIGINT)
    #expect(try await synth.waitForEnd() == .code(0))
  }

  @Test(
    "a MIDI file that is none, or lasts for months, is refused in one line",
    .steppedServer(frames: 256)
  )
  func badMIDI() async throws {
    let environment = try scratch.installNodes([:])
    for (path, fault) in [
      (try scratch.write("no notes", to: "text.mid"), "there is no standard MIDI file"),
      (try midiFile("months.mid", rests: 6), "at most 30 days are played"),
    ] {
      let output = try await run("midi", path, "system", environment: environment)
      #expect(output.end == .code(65))
      let lines = output.standardError.split(separator: "\n")
      #expect(lines.count == 1 && lines[0].contains(fault), "\(output.standardError)")
    }
  }
}
