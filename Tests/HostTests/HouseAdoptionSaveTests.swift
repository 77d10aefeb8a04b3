// SPDX-License-Identifier: MIT

import ControlProtocol
import FoundationEssentials
import GraphFiles
import TestSupport
import Testing

@testable import Host

/// The mix of adopted programs, saved into a graph file.
struct HouseAdoptionSaveTests {
  private static let graph = House.adoptionGraph.replacing(
    "adopt:\n",
    with: """
      adopt:
        # Two decks.
        - client: Mixxx
          session: {category: playback, options: [mixWithOthers]}
          routes: [main]
          strips:
            deck-a: {ports: [out_0, out_1], gain: -1.5 dB} # left hand
            deck-b: {ports: [out_2, out_3], routes: [main, phones]}

      """
  )

  private static func populate(_ house: House) async {
    await house.play { server in
      server.start("mpv")
      server.start("fixed")
      server.appear("Mixxx", outputs: ["out_0", "out_1", "out_2", "out_3"])
    }
  }

  private static func mix(_ house: House) async throws {
    try await house.call("setGain", #"{"strip":"mpv","gainDB":-7.25}"#)
    try await house.call("setMute", #"{"strip":"mpv","muted":true}"#)
    try await house.call("setPan", #"{"strip":"fixed","pan":-0.5}"#)
    try await house.call("setGain", #"{"strip":"fixed","route":"phones","gainDB":-20}"#)
    try await house.call("setGain", #"{"strip":"deck-a","gainDB":-3}"#)
    try await house.call("setMute", #"{"strip":"deck-b","route":"phones","muted":true}"#)
  }

  /// The strips and sends of the programs, each in a line.
  private static func levels(_ house: House) async -> [String] {
    let status = await house.status
    let strips = status.strips.map { "\($0.id) \($0.gainDB) \($0.muted) \($0.pan)" }
    let sends = status.sends.map { "\($0.strip) \($0.route) \($0.gainDB) \($0.muted)" }
    return (strips + sends).sorted()
  }

  private static func save(_ house: House, into text: String) async throws -> GraphRevision {
    let data = try JSONEncoder().encode(try await house.call("listGraphEdits"))
    let found = try JSONDecoder().decode(ListGraphEdits.Result.self, from: data)
    #expect(found.leftOut == [])
    let edits = found.edits.map { GraphEdit(path: $0.path, text: $0.value) }
    return try GraphRevision(
      of: text,
      path: "house.yaml",
      edits: try edits.map { try #require($0) },
    )
  }

  @Test func `the mix of programs is in the file, and a fresh host has it`() async throws {
    var text = Self.graph
    var mixed: [String] = []
    try await House.with(text) { house in
      await Self.populate(house)
      let before = await Self.levels(house)
      #expect(before.contains("deck-a -1.5 false 0.0"))
      #expect(try await Self.save(house, into: text).made == [])
      try await Self.mix(house)
      mixed = await Self.levels(house)
      #expect(mixed != before)
      text = try await Self.save(house, into: text).text
      #expect(try await Self.save(house, into: text).made == [])
    }
    try await House.with(text) { house in
      await Self.populate(house)
      #expect(await Self.levels(house) == mixed, "\(text)")
    }
    for line in [
      "  - {client: mpv, session: {category: playback, options: [mixWithOthers]}, gain: -7.25 dB, mute: true}",
      "      deck-a: {ports: [out_0, out_1], gain: -3 dB} # left hand",
      "      deck-b: {ports: [out_2, out_3], routes: [main, phones], levels: {phones: {mute: true}}}",
      "  - {client: fixed, session: {category: playback, options: [mixWithOthers]}, routes: [phones], pan: -0.5, "
        + "levels: {phones: {gain: -20 dB}}}",
      "  # Two decks.",
    ] {
      #expect(text.contains("\n\(line)\n"), "\(text)")
    }
  }

  @Test func `a value that is the graph's again is taken back in the file`() async throws {
    try await House.with(Self.graph) { house in
      await Self.populate(house)
      try await Self.mix(house)
      let text = try await Self.save(house, into: Self.graph).text
      try await house.call("setGain", #"{"strip":"mpv","gainDB":0}"#)
      try await house.call("setMute", #"{"strip":"mpv","muted":false}"#)
      try await house.call("setGain", #"{"strip":"deck-a","gainDB":-1.5}"#)
      let again = try await Self.save(house, into: text)
      #expect(
        again.text.contains(
          "{client: mpv, session: {category: playback, options: [mixWithOthers]}, gain: 0 dB, mute: false}\n"
        ),
        "\(again.text)"
      )
      #expect(again.text.contains("gain: -1.5 dB} # left hand\n"), "\(again.text)")
    }
  }

  @Test func `the saved file, applied, moves nobody; another gain in it is heard`() async throws {
    try await House.with(Self.graph) { house in
      await Self.populate(house)
      try await Self.mix(house)
      let sessions = await house.status.sessions.map(\.id)
      let mixed = await Self.levels(house)
      let text = try await Self.save(house, into: Self.graph).text
      house.server.clearCalls()
      try await house.apply(text)
      #expect(await Self.levels(house) == mixed)
      try await house.apply(text.replacing("gain: -7.25 dB", with: "gain: -9 dB"))
      #expect(await house.status.strips.first { $0.id == "mpv" }?.gainDB == -9)
      #expect(await house.status.sessions.map(\.id) == sessions)
      #expect(house.server.calls.filter { $0.contains("connect ") } == [])
    }
  }

  @Test func `an edit of the rule counts more than what a user did before it`() {
    var start = GraphFile.StartLevels()
    start.gainDB = -6
    var app = KeptApp()
    app.take(
      ProgramSnapshot.Level(
        gainDB: -20,
        isMuted: false,
        start: start,
        sends: ["main": GraphFile.SendLevel(gainDB: -3)],
      )
    )
    #expect(app.levels(under: start).gainDB == -20)
    #expect(app.levels(under: start).sends["main"]?.gainDB == -3)
    start.gainDB = -4
    start.sends["main"] = GraphFile.SendLevel(gainDB: -1)
    #expect(app.levels(under: start) == start)
  }
}
