// SPDX-License-Identifier: MIT

import Testing

@testable import GraphFiles

/// Sources and routes that have another name in a new version of a graph.
@Suite("Renamed sources and routes")
struct RenameTests {
  private static let old = """
    multiroute: 1
    adopt: [{client: app, session: {preset: player}, routes: [main]}]
    routes:
      main: {type: lineOut, ports: [system:playback_1]}
      second: {type: lineOut, ports: [system:playback_2], fallback: main}
      mic: {type: builtInMic, ports: [system:capture_1]}
    sources:
      song: {tone: {}}
      voice: {input: mic}
    mix: [{from: song, to: main}, {from: voice, to: main}]
    recorders: {set: {from: main, file: set.wav}, tape: {from: song, file: tape.wav}}
    controls:
      crossfader: {a: song, b: voice}
      cue: {to: main, sources: [song]}
      midi: {box: {device: Box, map: [{control: cc 1/7, parameter: /strip/song/gain}, {control: cc 1/8, parameter: /route/main/gain}]}}

    """

  private static func parse(_ text: String) throws -> GraphFile {
    try GraphFile.parse(text, path: "g.yaml", files: .everythingExists)
  }

  /// The text with other names wherever it has them, and keys `was` where they are declared.
  private static func renamed(gain: String = "") -> String {
    old.replacing("  main: {", with: "  pa: {was: main, \(gain)")
      .replacing("  song: {", with: "  track: {was: song, ")
      .replacing("main]", with: "pa]").replacing("main}", with: "pa}")
      .replacing("main,", with: "pa,").replacing("was: pa,", with: "was: main,")
      .replacing("/main/", with: "/pa/").replacing("/song/", with: "/track/")
      .replacing("from: song", with: "from: track").replacing("a: song", with: "a: track")
      .replacing("[song]", with: "[track]")
  }

  @Test("a rename is one change, wherever the file has the name")
  func rename() throws {
    let difference = GraphDifference(
      from: try Self.parse(Self.old),
      to: try Self.parse(Self.renamed()),
    )
    #expect(
      difference.changes.map(\.place) == [.route("pa"), .source("track")],
      "\(difference.changes)",
    )
    #expect(difference.changes.map(\.kind) == [.renamed(from: "main"), .renamed(from: "song")])
    #expect(difference.renamedRoutes == ["main": "pa"])
    #expect(difference.renamedSources == ["song": "track"])
    #expect(!difference.needsNewAttachment)
  }

  @Test("other values that change with a name are a change of their own")
  func renameAndChange() throws {
    let difference = GraphDifference(
      from: try Self.parse(Self.old),
      to: try Self.parse(Self.renamed(gain: "gain: -6 dB, ")),
    )
    let route = difference.changes.filter { $0.place == .route("pa") }.map(\.kind)
    #expect(
      route == [
        .renamed(from: "main"), .changed([.init("gain", from: "0 dB", to: "-6 dB")]),
      ]
    )
  }

  @Test("an old name that the old graph does not have, or has beside the new one, is ignored")
  func ignored() throws {
    let new = try Self.parse(Self.renamed())
    #expect(GraphDifference(from: new, to: new).isEmpty)
    let other = try Self.parse(Self.old.replacing("song: {", with: "song: {was: nothing, "))
    #expect(GraphDifference(from: try Self.parse(Self.old), to: other).isEmpty)
    let unheard = try Self.parse(Self.renamed().replacing("was: song", with: "was: nothing"))
    let difference = GraphDifference(from: try Self.parse(Self.old), to: unheard)
    #expect(difference.renamedSources.isEmpty && difference.renamedRoutes == ["main": "pa"])
    let both = try Self.parse(
      "multiroute: 1\nsources: {a: {tone: {}}, b: {tone: {}, gain: -3 dB}}\n"
    )
    let one = try Self.parse("multiroute: 1\nsources: {b: {tone: {}, gain: -3 dB, was: a}}\n")
    #expect(
      GraphDifference(from: both, to: one).changes
        == [GraphChange(place: .source("a"), kind: .gone, title: "source a")]
    )
  }

  @Test("sources and routes are renamed each without the other")
  func one() throws {
    let graph = try Self.parse(Self.old)
    let sources = graph.renamed(sources: ["song": "track"], routes: [:])
    #expect(sources.sources.map(\.name) == ["track", "voice"])
    #expect(sources.sends.map(\.source) == ["track", "voice"] && sources.routes == graph.routes)
    let routes = graph.renamed(sources: [:], routes: ["main": "pa"])
    #expect(routes.routes.map(\.name) == ["pa", "second", "mic"])
    #expect(routes.sends.map(\.route) == ["pa", "pa"] && routes.sources == graph.sources)
    #expect(graph.renamed(sources: [:], routes: [:]) == graph)
  }

  @Test(
    "a control follows the source and the route that its parameter belongs to, and no other word",
    arguments: [
      ("/strip/song/gain", "/strip/track/gain"), ("/strip/main/gain", "/strip/main/gain"),
      ("/strip/song/send/main/gain", "/strip/track/send/pa/gain"),
      ("/strip/song/send/song", "/strip/track/send/song"),
      ("/strip/voice/send/main", "/strip/voice/send/pa"),
      ("/strip/song/send", "/strip/track/send"), ("/strip/song/pan/main", "/strip/track/pan/main"),
      ("/route/main/gain", "/route/pa/gain"), ("/route/song/gain", "/route/song/gain"),
      ("/simulate/unplug/main", "/simulate/unplug/pa"),
      ("/simulate/unplug/song", "/simulate/unplug/song"), ("/simulate/unplug", "/simulate/unplug"),
      ("/simulate/lock/main", "/simulate/lock/main"), ("/other/unplug/main", "/other/unplug/main"),
      ("/other/song/gain", "/other/song/gain"),
    ]
  )
  func paths(path: String, expected: String) throws {
    var graph = try Self.parse(Self.old)
    graph.controllers[0].mappings = [ControlMapping(try MIDIControl("cc 1/7"), .parameter(path))]
    let renamed = graph.renamed(sources: ["song": "track"], routes: ["main": "pa"])
    #expect(renamed.controllers[0].mappings.map(\.target) == [.parameter(expected)])
  }

  @Test(
    "an old name belongs to one, and to none that is still there",
    arguments: [
      Marked(
        "multiroute: 1\nsources:\n  a: {tone: {}, was: ‸b}\n  b: {tone: {}}\n",
        "was: 'b' is still a source of this file; name one that is gone, or remove the key",
      ),
      Marked(
        "multiroute: 1\nsources:\n  a: {tone: {}, was: x}\n  b: {tone: {}, was: ‸x}\n",
        "was: source 'a' was 'x' already; keep one of them",
      ),
      Marked(
        "multiroute: 1\nroutes:\n  a: {type: lineOut, ports: [x:y], was: ‸a}\n",
        "was: the route has this name now; write the name that it had before, or remove the key",
      ),
      Marked(
        "multiroute: 1\nsources:\n  a: {tone: {}, was: ‸\"a b\"}\n",
        "was: 'a b' is not a name; allowed: 1 to 40 letters, digits, '-' and '_', starting with a letter",
      ),
    ]
  )
  func faults(marked: Marked) throws {
    let error = #expect(throws: GraphFileErrors.self) { try Self.parse(marked.text) }
    let faults = try #require(error?.diagnostics)
    #expect(faults.map(\.message) == [marked.message])
    #expect(faults.map(\.line) == [marked.line] && faults.map(\.column) == [marked.column])
  }
}
