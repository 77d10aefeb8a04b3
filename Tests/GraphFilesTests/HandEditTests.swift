// SPDX-License-Identifier: MIT

import Testing

@testable import GraphFiles

/// The places that edits have, and the values that each of them takes.
@Suite("Edits of places")
struct HandEditTests {
  private static func graph() throws -> GraphFile {
    let text =
      Marked.soundGraph + """
        mix: [{from: deck-a, to: main}]
        controls:
          crossfader: {a: [deck-a], b: [beep]}
          cue: {to: phones, sources: [beep]}
          midi: {box: {device: Box, map: [{control: cc 1/7, parameter: /a/b}]}}

        """
    return try GraphFile.parse(text, path: "g.yaml", files: .everythingExists)
  }

  /// A value of each kind, other than any of the graph.
  private static func values() throws -> [GraphEdit.Value] {
    [
      .gain(-7), .mute(true), .pan(0.25), .wet(0.5), .align(.automatic),
      .inserts([GraphFile.NodeUse(name: "reverb")]),
      .channels([.init(sourceChannel: 1, routeChannel: 1)]), .position(0.5), .to("main"),
      .sources(["deck-a"]),
      .map(ControlMapping(try MIDIControl("cc 1/9"), .parameter("/a/c"))), .patch(.connect),
    ]
  }

  /// Places of the graph, and the keys that each has.
  private static let places: [(place: GraphEdit.Place, keys: [String])] = [
    (.source("beep"), ["gain", "mute", "pan", "wet", "inserts"]),
    (.route("main"), ["gain", "mute", "align", "wet", "inserts"]),
    (.send(source: "deck-a", route: "main"), ["gain", "mute", "channels"]),
    (.send(source: "beep", route: "main"), ["gain"]),
    (.crossfader, ["position"]), (.cue, ["to", "sources"]), (.controller("box"), ["map"]),
    (.patch(source: "a:b", destination: "c:d"), ["patch"]),
    (.source("x"), []), (.route("x"), []), (.controller("x"), []),
    (.send(source: "beep", route: "mic"), []), (.send(source: "x", route: "main"), []),
    (.send(source: "beep", route: "x"), []),
  ]

  @Test func `an edit changes the place that has its value, and nothing anywhere else`() throws {
    let graph = try Self.graph()
    for (place, keys) in Self.places {
      for value in try Self.values() {
        let edit = GraphEdit(place, value)
        var changed = graph
        let isKnown = keys.contains(value.key)
        #expect(changed.apply(edit) == isKnown, "\(edit.path)")
        #expect((changed == graph) == !isKnown, "\(edit.path)")
        #expect(!graph.has(edit) && changed.has(edit) == isKnown, "\(edit.path)")
      }
    }
  }

  @Test func `a graph without crossfader and cue takes a cue's route first`() throws {
    var graph = try GraphFile.parse(Marked.soundGraph, path: "g.yaml", files: .everythingExists)
    let before = graph
    for edit in [GraphEdit(.crossfader, .position(0.5)), GraphEdit(.cue, .sources(["beep"]))] {
      #expect(!graph.apply(edit) && graph == before, "\(edit.path)")
    }
    #expect(graph.apply(GraphEdit(.cue, .to("phones"))) && graph.cue?.route == "phones")
    #expect(graph.apply(GraphEdit(.cue, .sources(["beep"]))) && graph.cue?.sources == ["beep"])
  }

  @Test func `the edits from one graph to another make the other`() throws {
    let graph = try Self.graph()
    for (place, keys) in Self.places where place != .patch(source: "a:b", destination: "c:d") {
      for value in try Self.values() where keys.contains(value.key) {
        let edit = GraphEdit(place, value)
        var present = graph
        present.apply(edit)
        #expect(graph.edits(to: present) == [edit], "\(edit.path)")
      }
    }
    #expect(graph.edits(to: graph).isEmpty)
    let always = graph.edits(to: graph, always: [["sources", "beep", "gain"]])
    #expect(always == [GraphEdit(.source("beep"), .gain(0))])
  }

  @Test func `a muted send that the graph has not is two edits`() throws {
    let graph = try Self.graph()
    var present = graph
    let place = GraphEdit.Place.send(source: "beep", route: "phones")
    let edits = [GraphEdit(place, .gain(0)), GraphEdit(place, .mute(true))]
    for edit in edits { present.apply(edit) }
    #expect(graph.edits(to: present) == edits)
  }
}
