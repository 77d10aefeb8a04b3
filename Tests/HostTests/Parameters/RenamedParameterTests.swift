// SPDX-License-Identifier: MIT

import ControlProtocol
import ControlSocket
import FoundationEssentials
import GraphFiles
import Surfaces
import Testing

@testable import Host

/// Parameters of strips and routes that another version of the graph renames.
@Suite(.timeLimit(.minutes(1)))
struct RenamedParameterTests {
  private static let graph = House.requestGraph
  /// The strip `deck-a` is `player`, the route `main` is `pa`, with a label and a send between them.
  private static let renamed =
    graph
    .replacing("deck-a: {", with: "player: {was: deck-a, label: Ana, ")
    .replacing("deck-a", with: "player").replacing("was: player", with: "was: deck-a")
    .replacing("main: {", with: "pa: {was: main, ").replacing("to: main", with: "to: pa")

  private static let steps = [
    ParameterRename(from: "/route/main", to: "/route/pa"),
    ParameterRename(from: "/strip/deck-a", to: "/strip/player"),
    ParameterRename(from: "/simulate/unplug/main", to: "/simulate/unplug/pa"),
    ParameterRename(from: "/strip/deck-b/send/main", to: "/strip/deck-b/send/pa"),
    ParameterRename(from: "/strip/player/send/main", to: "/strip/player/send/pa"),
  ]

  @Test func `names stand in paths as strips, routes, ends of sends, and unplugged routes`() {
    let names = PathRenames(names: PortRenames(strips: ["a": "b"], routes: ["main": "pa"]))
    let paths = [
      "/strip/a/send/main/gain", "/strip/a/gain", "/strip/c/send/main/mute", "/route/main/gain",
      "/simulate/unplug/main", "/simulate/lock", "/simulate", "/strip", "/node/a/main",
      "/route/a/gain",
      "/strip/main/gain", "/strip/c/insert/main/bypass", "/recorder/main/recording", "/", "",
    ]
    let steps = names.steps(for: paths)
    #expect(
      paths.map(steps.path(after:)) == [
        "/strip/b/send/pa/gain", "/strip/b/gain", "/strip/c/send/pa/mute", "/route/pa/gain",
        "/simulate/unplug/pa", "/simulate/lock", "/simulate", "/strip", "/node/a/main",
        "/route/a/gain",
        "/strip/main/gain", "/strip/c/insert/main/bypass", "/recorder/main/recording", "/", "",
      ]
    )
  }

  @Test func `watchers are told of new names once, and of nothing that has gone or come`()
    async throws
  {
    try await House.with(Self.graph) { house in
      try await house.call("setGain", #"{"strip":"deck-a","gainDB":-7}"#)
      let tree = await house.tree()
      let before = try await tree.watch(["/"], echoes: false)
      try await house.apply(Self.renamed)
      await house.advance(milliseconds: 100)
      let pan = ParameterSetting(path: "/strip/player/pan", value: .number(0.5))
      try await house.host.run { rooms throws(ControlError) in
        try await rooms.set([pan], rampMilliseconds: nil, for: .init(rawValue: 9_999))
      }
      await house.advance(milliseconds: 100)
      var told: [ParameterChanges] = []
      for await news in tree.news {
        guard case .parameters(let changes) = news else { continue }
        told.append(changes)
        if changes.changes.contains(pan) { break }
      }
      #expect(told.compactMap(\.renamed) == [Self.steps])
      #expect(told.flatMap(\.removed) == [])
      let changed = Set(told.flatMap(\.changes).map(\.path))
      #expect(changed.contains("/strip/player/label") && !changed.contains("/strip/player/gain"))
      // The tree is the one of before, but for names, the label, and what the time has changed.
      let now = try await tree.watch(["/"], echoes: false)
      #expect(Set(now.map(\.path)) == Set(before.map { Self.steps.path(after: $0.path) }))
      let values = Dictionary(now.map { ($0.path, $0.value) }) { $1 }
      #expect(values["/strip/player/gain"] == .number(-7))
      #expect(values["/strip/player/label"] == .text("Ana"))
    }
  }

  @Test func `a rename that JACK refuses is not told`() async throws {
    try await House.with(Self.graph) { house in
      let tree = await house.tree()
      _ = try await tree.watch(["/strip", "/route"], echoes: false)
      await house.play { $0.refusedPorts = ["house:player_in_2"] }
      await #expect(throws: HostError.self) { try await house.apply(Self.renamed) }
      try await house.call("setPan", #"{"strip":"deck-a","pan":0.5}"#)
      await house.advance(milliseconds: 100)
      for await case .parameters(let changes) in tree.news {
        #expect(changes.renamed == nil)
        if changes.changes.contains(where: { $0.path == "/strip/deck-a/pan" }) { break }
      }
    }
  }

  @Test func `scenes and safe strips follow, in the host and on the disk`() async throws {
    try await House.with(Self.graph) { house in
      try await house.call("setGain", #"{"strip":"deck-a","gainDB":-7}"#)
      try await house.call("saveScene", #"{"scene":"start"}"#)
      try await house.call("set", #"{"values":[{"path":"/strip/deck-b/safe","value":true}]}"#)
      try await house.apply(
        Self.renamed.replacing("deck-b: {", with: "voice: {was: deck-b, ")
          .replacing("from: deck-b", with: "from: voice").replacing("b: deck-b", with: "b: voice")
      )
      try await house.call("setGain", #"{"strip":"player","gainDB":0}"#)
      try await house.call("setGain", #"{"strip":"voice","gainDB":-1}"#)
      let result = try await house.call("recallScene", #"{"scene":"start"}"#)
      #expect(result["missing"] == .array([]))
      #expect(await house.status.strips.map(\.gainDB) == [-7, -1])
      #expect(try await house.call("listScenes")["safe"] == .array(["voice"]))
      // A change waits for the writing of the one before.
      try await house.call("saveScene", #"{"scene":"later"}"#)
      let directory = try #require(house.host.configuration.stateDirectory)
      let kept = try String(contentsOf: URL(filePath: "\(directory)/scenes.json"), encoding: .utf8)
      #expect(kept.contains("player/gain") && kept.contains("voice"))
      #expect(!kept.contains("deck-a") && !kept.contains("deck-b"))
    }
  }

  @Test func `controllers of the graph go on with renamed parameters`() async throws {
    func controlled(_ graph: String, _ strip: String, _ route: String) -> String {
      let map =
        "{control: cc 1/7, parameter: /strip/\(strip)/gain}, "
        + "{control: cc 1/8, parameter: /strip/\(strip)/send/\(route)/gain}"
      return graph.replacing(
        "cue: {to: phones}",
        with: "cue: {to: phones}\n  midi: {box: {device: Box, map: [\(map)]}}",
      )
    }
    let graph = controlled(Self.graph, "deck-a", "main")
    let next = controlled(Self.renamed, "player", "pa")
    try await House.with(graph) { house in
      try await house.apply(next)
      let surface = try #require(await house.host.run { $0.learning.surface })
      for _ in 0..<1_000 where await surface.reports["box"]?.missing != [] { await house.settle() }
      #expect(await surface.reports["box"]?.missing == [])
      // With an old path the file means a parameter that is not there any more.
      try await house.apply(next.replacing("/strip/player/gain", with: "/strip/deck-a/gain"))
      for _ in 0..<1_000 where await surface.reports["box"]?.missing == [] { await house.settle() }
      #expect(await surface.reports["box"]?.missing == ["/strip/deck-a/gain"])
    }
  }
}
