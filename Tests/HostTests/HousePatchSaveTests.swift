// SPDX-License-Identifier: MIT

import ControlProtocol
import FoundationEssentials
import GraphFiles
import TestSupport
import Testing

@testable import Host

/// Connections made and removed by hand, saved into a graph file and applied to a fresh host.
struct HousePatchSaveTests {
  private static let graph = #"""
    # Two programs and a synth.
    multiroute: 1
    name: house
    session: {category: multiRoute, options: [mixWithOthers]}
    routes:
      main: {type: lineOut, ports: [system:playback_1, system:playback_2]} # the room
    sources:
      deck: {ports: ["deck:left", "deck:right"]}
    mix:
      - {from: deck, to: main}
    patches:
      # The synth beside the host.
      - {connect: '/synth:out_(\d)/', to: 'system:playback_\1'} # by number
      - {connect: "deck:left", to: "rec:in_1"}

    """#
  private static let outputs = [
    "deck:left", "deck:right", "synth:out_3", "synth:out_4", "mpv:out_1", "house:main_out_1",
    "house:main_out_2",
  ]
  private static let inputs = [
    "rec:in_1", "rec:in_2", "system:playback_1", "system:playback_2", "system:playback_3",
    "system:playback_4", "house:deck_in_1", "house:deck_in_2",
  ]

  /// The clients of the test appear, and their start is over.
  private static func populate(_ house: House) async {
    await house.play { server in
      server.appear("deck", outputs: ["left", "right"])
      server.appear("synth", outputs: ["out_3", "out_4"])
      server.appear("mpv", outputs: ["out_1"])
      server.appear("rec", inputs: ["in_1", "in_2"])
    }
    await house.advance(milliseconds: 3_000)
  }

  private static func connections(_ house: House) -> [String] {
    outputs.flatMap { output in
      house.server.connections(of: output).map { "\(output) → \($0)" }
    }
  }

  /// Makes and removes connections at random, as a user does.
  private static func change(_ house: House, _ count: Int, _ random: inout SeededRandom) async {
    for step in 1...count {
      guard let source = outputs.randomElement(using: &random),
        let destination = inputs.randomElement(using: &random),
        !(source.hasPrefix("house") && destination.hasPrefix("house"))
      else { continue }
      await house.play { server in
        if server.isConnected(source, destination) {
          server.disconnect(source, destination)
        } else {
          server.connect(source, destination)
        }
      }
      // The reason of a disconnection is clear only after a second.
      if step.isMultiple(of: 5) { await house.advance(milliseconds: 1_200) }
    }
    await house.advance(milliseconds: 1_500)
  }

  private static func edits(_ house: House) async throws -> [GraphEdit] {
    let data = try JSONEncoder().encode(try await house.call("listGraphEdits"))
    let found = try JSONDecoder().decode(ListGraphEdits.Result.self, from: data)
    return found.edits.compactMap { GraphEdit(path: $0.path, text: $0.value) }
  }

  /// The number of acts; more of them with `MULTIROUTE_SAVE_CHANGES`.
  private static let count =
    ProcessInfo.processInfo.environment["MULTIROUTE_SAVE_CHANGES"].flatMap { Int($0) } ?? 500

  @Test(arguments: 1...2)
  func `random connections by hand are those of a fresh host, and the comments stay`(round: Int)
    async throws
  {
    var random = TestSeed.random(number: round)
    var text = Self.graph
    var expected: [String] = []
    try await House.with(text) { house in
      await Self.populate(house)
      // Saving in between changes nothing in what comes after it.
      for _ in 1...2 {
        await Self.change(house, Self.count / 2, &random)
        text = try await GraphRevision(of: text, path: "house.yaml", edits: Self.edits(house)).text
      }
      expected = Self.connections(house)
      let again = try await GraphRevision(of: text, path: "house.yaml", edits: Self.edits(house))
      #expect(again.made == [])
    }
    try await House.with(text) { house in
      await Self.populate(house)
      #expect(Self.connections(house) == expected, "\(text)")
    }
    for comment in Self.graph.split(separator: "\n").filter({ $0.contains("#") }) {
      let words = comment.drop { $0 != "#" }
      #expect(text.contains(words) || comment.contains("deck:left"), "\(text)")
    }
  }
}
