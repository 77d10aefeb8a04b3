// SPDX-License-Identifier: MIT

import ControlProtocol
import FoundationEssentials
import Testing

@testable import Host

/// Scenes: saved, recalled and kept, from the JSON of the requests to the answers.
struct SceneTests {
  private static func save(_ name: String, _ house: House) async throws {
    try await house.call("saveScene", #"{"scene":"\#(name)"}"#)
  }

  private static func recall(_ name: String, _ house: House) async throws -> JSONValue {
    try await house.call("recallScene", #"{"scene":"\#(name)"}"#)
  }

  @Test func `a recalled scene gives the mix back`() async throws {
    try await House.with(House.requestGraph) { house in
      try await house.call("setGain", #"{"strip":"deck-a","gainDB":"-inf"}"#)
      try await house.call("setCrossfader", #"{"position":-1}"#)
      try await house.call("setMute", #"{"route":"main","muted":true}"#)
      let before = await house.status
      try await Self.save("quiet", house)
      try await house.call("setGain", #"{"strip":"deck-a","gainDB":3}"#)
      try await house.call("setCrossfader", #"{"position":0.5}"#)
      try await house.call("setMute", #"{"route":"main","muted":false}"#)
      let result = try await Self.recall("quiet", house)
      let after = await house.status
      #expect(after.strips == before.strips && after.sends == before.sends)
      #expect(after.crossfader == before.crossfader)
      #expect(after.routes.map(\.muted) == before.routes.map(\.muted))
      #expect(result["missing"] == .array([]) && result["refused"] == .array([]))
    }
  }

  @Test func `a safe strip is left alone`() async throws {
    try await House.with(House.requestGraph) { house in
      try await Self.save("start", house)
      for strip in ["deck-a", "deck-b"] {
        try await house.call("setGain", #"{"strip":"\#(strip)","gainDB":-9}"#)
      }
      try await house.call("set", #"{"values":[{"path":"/strip/deck-a/safe","value":true}]}"#)
      let result = try await Self.recall("START", house)
      #expect(await house.status.strips.map(\.gainDB) == [-9, 0])
      guard case .array(let safe) = result["safe"] else {
        Issue.record("no list of safe parameters")
        return
      }
      #expect(safe.contains("/strip/deck-a/gain") && !safe.contains("/strip/deck-b/gain"))
    }
  }

  @Test func `the tree recalls a scene, and names the current one`() async throws {
    try await House.with(House.requestGraph) { house in
      try await Self.save("start", house)
      try await house.call("setPan", #"{"strip":"deck-a","pan":0.5}"#)
      try await house.call("set", #"{"values":[{"path":"/scene/current","value":"start"}]}"#)
      #expect(await house.status.strips.first?.pan == 0)
      let list = try await house.call("listScenes")
      #expect(list["current"] == "start")
      try await house.call("deleteScene", #"{"scene":"start"}"#)
      #expect(try await house.call("listScenes")["current"] == .null)
    }
  }

  @Test func `an unknown scene is refused with the names, and a name must be one`() async throws {
    try await House.with(House.requestGraph) { house in
      try await Self.save("intro", house)
      let refusal = await #expect(throws: Refusal.self) { _ = try await Self.recall("inro", house) }
      #expect(refusal?.message.contains("did you mean 'intro'?") == true)
      for name in ["", "a\\nb", String(repeating: "x", count: 65)] {
        await #expect(throws: (any Error).self) { try await Self.save(name, house) }
      }
    }
  }

  @Test func `scenes outlive the host, and a scene that names too much does the rest`() async throws
  {
    let house = try House(House.requestGraph)
    let directory = try #require(house.host.configuration.stateDirectory)
    try FileManager.default.createDirectory(
      atPath: directory,
      withIntermediateDirectories: true
    )
    let kept = """
      {"multirouteScenes":1,"safe":["deck-b"],"scenes":{
        "old":{"values":[
          {"path":"/strip/deck-a/gain","value":"-inf"},
          {"path":"/strip/deck-a/pan","value":7},
          {"path":"/strip/deck-b/gain","value":-3},
          {"path":"/strip/gone/gain","value":-3}]},
        "broken":{"values":4}}}
      """
    try Data(kept.utf8).write(to: URL(filePath: "\(directory)/scenes.json"))
    try await house.host.live()
    await house.settle()
    #expect(await house.events().contains { $0.message.contains("scenes.broken") })
    let result = try await Self.recall("old", house)
    #expect(await house.status.strips.map(\.gainDB) == [-.infinity, 0])
    #expect(result["recalled"] == 1)
    #expect(result["safe"] == .array(["/strip/deck-b/gain"]))
    #expect(result["missing"] == .array(["/strip/gone/gain"]))
    guard case .array(let refused) = result["refused"] else {
      Issue.record("no list of refused parameters")
      return
    }
    #expect(refused.map { $0["path"] } == ["/strip/deck-a/pan"])
    try await Self.save("new", house)
    await house.end()
    let text = try String(contentsOf: URL(filePath: "\(directory)/scenes.json"), encoding: .utf8)
    #expect(text.contains("\"new\"") && text.contains("\"old\""))
    try FileManager.default.removeItem(atPath: directory)
  }

  @Test func `several changes at once are all kept`() async throws {
    try await House.with(House.requestGraph) { house in
      await withTaskGroup { group in
        for number in 0..<8 {
          group.addTask { try? await Self.save("scene \(number)", house) }
        }
      }
      guard case .array(let scenes) = try await house.call("listScenes")["scenes"] else {
        Issue.record("no list of scenes")
        return
      }
      #expect(scenes.count == 8)
    }
  }
}
