// SPDX-License-Identifier: MIT

import Foundation
import Testing

@testable import GraphFiles

/// The text of graph files with values that were set by hand.
@Suite("Values by hand in the text of a graph")
struct RevisionTests {
  private static func revised(_ text: String, _ edits: [GraphEdit]) throws -> GraphRevision {
    try GraphRevision(of: text, path: "g.yaml", files: .everythingExists, edits: edits)
  }

  /// The lines that differ, with "-" and "+" before them.
  private static func changes(_ old: String, _ new: String) -> [String] {
    let (old, new) = (old.split(separator: "\n"), new.split(separator: "\n"))
    return new.difference(from: old).map { change in
      switch change {
      case .remove(_, let line, _): "-\(line)"
      case .insert(_, let line, _): "+\(line)"
      }
    }
  }

  /// An edit of each value by hand of a graph, with another value than the graph's.
  private static func edits(of graph: GraphFile) -> [GraphEdit] {
    let sources = graph.sources.flatMap { source in
      let place = GraphEdit.Place.source(source.name)
      return [
        GraphEdit(place, .gain(-7.25)), GraphEdit(place, .mute(true)), GraphEdit(place, .pan(-0.5)),
        GraphEdit(place, .wet(0.125)),
      ]
    }
    let routes = graph.routes.filter { $0.direction == .output }.flatMap { route in
      let place = GraphEdit.Place.route(route.name)
      return [
        GraphEdit(place, .gain(-.infinity)), GraphEdit(place, .mute(true)),
        GraphEdit(place, .align(.delay(.microseconds(12_500)))), GraphEdit(place, .wet(0.3)),
      ]
    }
    let sends = graph.sends.flatMap { send in
      let place = GraphEdit.Place.send(source: send.source, route: send.route)
      return [GraphEdit(place, .gain(3.5)), GraphEdit(place, .mute(true))]
    }
    let crossfader = graph.crossfader.map { _ in [GraphEdit(.crossfader, .position(0.333))] } ?? []
    let cue = graph.cue.map { _ in [GraphEdit(.cue, .sources(graph.sources.map(\.name)))] } ?? []
    return sources + routes + sends + crossfader + cue
  }

  @Test("a shipped graph without edits stays byte for byte", arguments: ShippedGraphs.names)
  func untouched(name: String) throws {
    let path = ShippedGraphs.path(name)
    let text = try GraphFile.text(ofFile: path)
    let graph = try GraphFile.load(path: path, files: .everythingExists)
    for edits in [[], graph.edits(to: graph)] {
      let revision = try GraphRevision(of: text, path: path, files: .everythingExists, edits: edits)
      #expect(Array(revision.text.utf8) == Array(text.utf8) && revision.made.isEmpty)
    }
  }

  @Test("one value changes one line of a shipped graph", arguments: ShippedGraphs.names)
  func oneLine(name: String) throws {
    let path = ShippedGraphs.path(name)
    let text = try GraphFile.text(ofFile: path)
    let graph = try GraphFile.load(path: path, files: .everythingExists)
    for edit in Self.edits(of: graph) where !graph.has(edit) {
      let read = try #require(GraphEdit(path: edit.path, text: edit.text))
      #expect(read == edit)
      let revision = try GraphRevision(
        of: text,
        path: path,
        files: .everythingExists,
        edits: [read]
      )
      let changes = Self.changes(text, revision.text)
      #expect(revision.made == [edit])
      #expect(changes.count { $0.hasPrefix("+") } == 1, "\(edit.path): \(changes)")
      #expect(changes.count { $0.hasPrefix("-") } <= 1, "\(edit.path): \(changes)")
    }
  }

  @Test("all values of a shipped graph change at once", arguments: ShippedGraphs.names)
  func allValues(name: String) throws {
    let path = ShippedGraphs.path(name)
    let text = try GraphFile.text(ofFile: path)
    let graph = try GraphFile.load(path: path, files: .everythingExists)
    let edits = Self.edits(of: graph).filter { !graph.has($0) }
    let revision = try GraphRevision(of: text, path: path, files: .everythingExists, edits: edits)
    let again = try GraphRevision(
      of: revision.text,
      path: path,
      files: .everythingExists,
      edits: edits
    )
    #expect(revision.made == edits && again.made.isEmpty && again.text == revision.text)
    let comments = text.matches(of: /#.*/).map { String($0.output) }
    #expect(comments.filter { !revision.text.contains($0) } == [])
  }

  /// Written, edit, expected: units, quotes, signs and spaces.
  static let styles: [(String, GraphEdit.Value, String)] = [
    ("gain: -6dB # loud", .gain(-7.5), "gain: -7.5dB # loud"),
    ("gain: '+6 dB'", .gain(3), "gain: '+3 dB'"), ("gain: '+6 dB'", .gain(0), "gain: '0 dB'"),
    ("gain: -6 dB", .gain(-.infinity), "gain: -inf dB"),
    ("gain: -inf dB", .gain(-1.25), "gain: -1.25 dB"),
    ("wet: 50 %", .wet(0.123), "wet: 12.3 %"),
    ("wet: 0.5", .wet(0.123), "wet: 0.123"),
    ("align: 0.02 s", .align(.delay(.microseconds(12_500))), "align: 0.0125 s"),
    ("align: 20ms", .align(.delay(.microseconds(12_500))), "align: 12.5ms"),
    ("align: auto", .align(.delay(.milliseconds(3))), "align: 3 ms"),
    ("align: 3 ms", .align(.free), "align: free"),
    ("gain: &loud -6 dB", .gain(-3), "gain: &loud -3 dB"),
  ]

  @Test("numbers keep unit, quotes, sign and spaces", arguments: styles)
  func style(written: String, value: GraphEdit.Value, expected: String) throws {
    let text = Marked.soundGraph.replacing(
      "  mic:",
      with: "  pa: {type: lineOut, ports: [a:b], \(written)\n    }\n  mic:"
    )
    let revision = try Self.revised(text, [GraphEdit(.route("pa"), value)])
    #expect(revision.text == text.replacing(written, with: expected))
  }

  @Test("a value that is equal as precisely as files have it is not touched")
  func equalValue() throws {
    let text = Marked.soundGraph.replacing("{file: a.wav}", with: "{file: a.wav, gain: -6.001 dB}")
    #expect(try Self.revised(text, [GraphEdit(.source("deck-a"), .gain(-6))]).text == text)
  }

  /// A graph in block style with what makes texts hard to count: wide characters, tabs, CR LF, no last line break.
  private static let blocks = """
    multiroute: 1\t# tab
    session: {options: [mixWithOthers]} # 🎛 größer
    routes:
      main:
        label: "Höhle 🎵"   # a comment
        type: lineOut
        ports: [a:b, a:c]
        inserts: # the chain
          - equalizer # first
          - name: delay
            restart: always

          # a comment of its own
          - gate # last

      # about sources
    sources:
      deck-a:
        file: ä🎵.wav
      deck-b: {}
    mix:
    - from: deck-a
      to: main # here
    """.replacing("deck-b: {}", with: "deck-b: {file: b.wav}")

  @Test("keys are added to blocks, whatever the line breaks and characters are")
  func lineBreaks() throws {
    let edits = [
      GraphEdit(.route("main"), .gain(-6)), GraphEdit(.source("deck-a"), .pan(0.5)),
      GraphEdit(.send(source: "deck-a", route: "main"), .mute(true)),
      GraphEdit(.send(source: "deck-b", route: "main"), .gain(-3)),
    ]
    for ending in ["\n", "\r\n"] {
      for mark in ["", "\u{FEFF}"] {
        let text = mark + Self.blocks.replacing("\n", with: ending)
        let expected =
          text
          .replacing("- gate # last", with: "- gate # last\(ending)    gain: -6 dB")
          .replacing("ä🎵.wav", with: "ä🎵.wav\(ending)    pan: 0.5")
          .replacing("to: main # here", with: "to: main # here\(ending)  mute: true")
          + "\(ending)- {from: deck-b, to: main, gain: -3 dB}"
        #expect(try Self.revised(text, edits).text == expected)
      }
    }
  }

  private static func uses(_ names: String...) -> [GraphFile.NodeUse] {
    names.map { name in
      var use = GraphFile.NodeUse(name: name)
      if name == "delay" { use.restart = .always }
      return use
    }
  }

  @Test("inserts come, go, move and are bypassed, and the comments of the others stay")
  func inserts() throws {
    var bypassed = Self.uses("equalizer", "delay", "gate")
    bypassed[0].isBypassed = true
    bypassed[1].isBypassed = true
    let cases: [([GraphFile.NodeUse], comments: [String])] = [
      (Self.uses("equalizer", "gate"), ["# first", "# last", "# a comment of its own"]),
      (Self.uses("gate", "delay", "equalizer"), ["# first", "# last", "# a comment of its own"]),
      (Self.uses("reverb", "equalizer", "delay", "chorus", "gate", "tape"), ["# first", "# last"]),
      (Self.uses("gate"), ["# last"]), (Self.uses("reverb"), ["# the chain"]),
      ([], ["# the chain"]),
      (bypassed, ["# first", "# last", "# a comment of its own"]),
    ]
    for (uses, comments) in cases {
      let edit = GraphEdit(.route("main"), .inserts(uses))
      let text = try Self.revised(Self.blocks, [edit]).text
      let graph = try GraphFile.parse(text, path: "g.yaml", files: .everythingExists)
      #expect(graph.routes[0].inserts == uses)
      for comment in comments + ["# about sources", "# a comment", "# here"] {
        #expect(text.contains(comment), "\(comment) is gone:\n\(text)")
      }
    }
    let flow = Self.blocks.replacing(
      #/inserts:[^~]*- gate # last/#,
      with: "inserts: [a, {name: delay, restart: always} , b]"
    )
    let uses = Self.uses("b", "delay", "c")
    let text = try Self.revised(flow, [GraphEdit(.route("main"), .inserts(uses))]).text
    #expect(text.contains("inserts: [b , {name: delay, restart: always}, c]"), "\(text)")
  }

  @Test("missing parents, cells and learned controls are added")
  func parents() throws {
    let text =
      Marked.soundGraph
      + "controls: {midi: {box: {device: Box, map: [{control: cc 1/7, parameter: /a/b}]}}}\n"
    let control = try MIDIControl("cc 1/9")
    let cell = GraphFile.Send.ChannelSend(sourceChannel: 1, routeChannel: 2, gainDB: -3)
    let send = GraphEdit.Place.send(source: "beep", route: "main")
    let edits = [
      GraphEdit(send, .gain(0)), GraphEdit(send, .channels([cell])),
      GraphEdit(.cue, .to("phones")), GraphEdit(.cue, .sources(["beep"])),
      GraphEdit(.controller("box"), .map(ControlMapping(control, .parameter("/strip/beep/pan")))),
    ]
    for edit in edits { #expect(GraphEdit(path: edit.path, text: edit.text) == edit) }
    let revised = try Self.revised(text, edits)
    #expect(revised.made == edits)
    #expect(try Self.revised(revised.text, edits).made.isEmpty)
    #expect(revised.text.contains("mix: [{from: beep, to: main, channels: [[1, 2, -3 dB]]}]"))
  }

  @Test("a value that is shared is refused, and an alias that is the value is written out")
  func aliases() throws {
    let text =
      Marked.soundGraph + "mix:\n- {from: beep, to: main, gain: &low -6 dB}\n"
      + "- {from: voice, to: main, gain: *low}\n- &whole {from: deck-a, to: main}\n"
    let beep = GraphEdit(.send(source: "beep", route: "main"), .gain(-1))
    let voice = GraphEdit(.send(source: "voice", route: "main"), .gain(-1))
    #expect(
      throws: GraphRevisionFault(
        description:
          "g.yaml: mix.1.gain: it is also the value of the alias '*low'; write that one out first"
      )
    ) { try Self.revised(text, [beep]) }
    let written = try Self.revised(text, [voice]).text
    #expect(written == text.replacing("*low", with: "-1 dB"))
    let both = try Self.revised(text, [voice, beep]).text
    #expect(both.contains("gain: &low -1 dB"))
    let routes = Marked.soundGraph.replacing("  mic:", with: "  pa: *p\n  mic:")
      .replacing("phones: {", with: "phones: &p {")
    for name in ["pa", "phones"] {
      #expect(throws: GraphRevisionFault.self) {
        try Self.revised(routes, [GraphEdit(.route(name), .gain(-1))])
      }
    }
  }

  @Test("a text with a fault is not changed, and a place that is gone is told")
  func faults() throws {
    #expect(throws: GraphRevisionFault.self) {
      try Self.revised("multiroute: 2\n", [GraphEdit(.route("main"), .gain(-1))])
    }
    let gone = GraphEdit(.source("deck-z"), .gain(-1))
    let revision = try Self.revised(Marked.soundGraph, [gone])
    #expect(revision.leftOut == [gone] && revision.text == Marked.soundGraph)
  }
}
