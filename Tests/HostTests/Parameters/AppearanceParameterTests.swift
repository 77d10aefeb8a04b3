// SPDX-License-Identifier: MIT

import ControlProtocol
import GraphFiles
import Testing

@testable import Host

@Suite("Labels and colours in the tree of parameters")
struct AppearanceParameterTests {
  @Test
  func `strips and routes have the label and the colour of the graph, and empty ones without`()
    async throws
  {
    let written = House.requestGraph
      .replacing("\"a:right\"]", with: "\"a:right\"], label: <b>Deck A</b>, color: blue")
      .replacing("playback_2]", with: "playback_2], label: Main PA, color: \"#A0B1C2\"")
    let house = try House(written)
    var snapshot = ParameterSnapshot(
      status: await house.host.status(),
      permissions: [],
      scenes: SceneList(scenes: [], current: nil, safe: []),
      meters: nil,
    )
    snapshot.appearances = Appearance.all(of: try GraphFile.parse(written, path: "house.yaml"))
    snapshot.status.strips = ["deck-a", "deck-b"].map {
      StripStatus(
        id: $0,
        source: "",
        gainDB: 0,
        muted: false,
        solo: false,
        cue: false,
        pan: 0,
        crossfaderSide: nil,
      )
    }
    let shown = ParameterKind.ofAppearance.flatMap { kind in
      kind.instances(snapshot).map { "\(kind.path($0.names)) \($0.value)" }
    }
    #expect(
      shown == [
        "/strip/deck-a/label <b>Deck A</b>", "/strip/deck-b/label ",
        "/route/main/label Main PA", "/route/phones/label ",
        "/strip/deck-a/color #4f8ff0", "/strip/deck-b/color ",
        "/route/main/color #a0b1c2", "/route/phones/color ",
      ]
    )
    #expect(ParameterKind.ofAppearance.allSatisfy { $0.write == nil && !$0.isInScenes })
  }

  @Test func `only a route with a limiter shows how much it lowers, in hundredths of a decibel`()
    async throws
  {
    let house = try House(House.requestGraph)
    var snapshot = ParameterSnapshot(
      status: await house.host.status(),
      permissions: [],
      scenes: SceneList(scenes: [], current: nil, safe: []),
      meters: nil,
      limited: ["main"],
    )
    let kind = try #require(ParameterKind.all.first { $0.template == "/route/*/reduction" })
    func shown() -> [String] {
      kind.instances(snapshot).map { "\(kind.path($0.names)) \($0.value)" }
    }
    #expect(shown() == ["/route/main/reduction "])
    snapshot.meters = Meters(
      time: EventTime(frame: nil, monotonicNanoseconds: 0, wallSeconds: 0),
      strips: [],
      routes: [MixLevels(id: "main", peak: [1], rms: [1], limiterGain: 0.5)],
    )
    #expect(shown() == ["/route/main/reduction -6.02"])
  }
}
