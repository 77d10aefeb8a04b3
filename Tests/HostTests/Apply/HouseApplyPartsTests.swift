// SPDX-License-Identifier: MIT

import ControlProtocol
import Foundation
import Sessions
import Testing

@testable import Host

/// The parts of a graph that change neither a source nor a route, as versions of it change them in a running host.
struct HouseApplyPartsTests {
  private static let graph = """
    multiroute: 1
    name: house
    align: free
    session: {category: multiRoute, options: [mixWithOthers], preferred: {ioBufferFrames: 256}}
    permissions: {default: granted}
    tower: {duck: {gain: -20 dB}}
    routes:
      main: {type: lineOut, ports: [system:playback_1, system:playback_2]}
      phones: {type: headphones, ports: [system:playback_3]}
    sources:
      deck: {tone: {wave: sine}, channels: 2, inserts: [fx1]}
    mix:
      - {from: deck, to: main}
    recorders:
      tape: {from: main, file: tape.wav, start: false}
    adopt:
      - {client: guide, session: {category: playback, options: [duckOthers]}}
      - {client: radio, session: {category: playback, options: [mixWithOthers]}}
      - {client: taper, session: {category: playAndRecord, options: [mixWithOthers]}}

    """

  /// Three programs: one plays, one lowers it, one records.
  private static func prepare(_ house: House) async {
    for client in ["radio", "guide"] {
      await house.play { server in
        server.appear(client, outputs: ["out"])
        server.connect("\(client):out", "system:playback_1")
      }
      await house.advance(milliseconds: 100)
    }
    await house.play { server in
      server.appear("taper", inputs: ["in"])
      server.connect("system:capture_1", "taper:in")
    }
    await house.advance(milliseconds: 100)
  }

  private static func with(_ text: String, _ test: (House) async throws -> Void) async throws {
    let prepareServer: (ScriptedServer) -> Void = { server in
      server.latencyFrames["system:playback_3"] = 480
      // Another program's server: without a preference it has its buffer again.
      server.isOwned = false
      server.setBuffer(frames: 1_024)
    }
    try await House.with(text, prepareServer) { house in
      await prepare(house)
      try await test(house)
    }
  }

  @Test(arguments: [
    ("default: granted", "default: denied"),
    ("default: granted", "default: granted, denied: [taper]"),
    ("gain: -20 dB", "gain: -3 dB"),
    (
      "{client: guide, session: {category: playback, options: [duckOthers]}}",
      "{client: guide, leave: true}"
    ),
    ("options: [duckOthers]", "options: [mixWithOthers]"),
    ("options: [duckOthers]}", "options: [duckOthers], class: alarm}"),
    ("align: free", "align: auto"),
    ("type: lineOut,", "type: lineOut, align: 5 ms,"),
    ("ioBufferFrames: 256", "ioBufferFrames: 512"),
    ("ioBufferFrames: 256", "ioBufferFrames: 240"),
    (", preferred: {ioBufferFrames: 256}", ""),
    ("inserts: [fx1]", "inserts: [fx2, fx1]"),
    ("inserts: [fx1]", "inserts: [{name: fx1, bypass: true}]"),
    ("inserts: [fx1]", "inserts: [fx1], wet: 0.5"),
    (", inserts: [fx1]", ""),
    ("channels: 2, inserts: [fx1]", "channels: 1, inserts: [fx2]"),
    ("ports: [system:playback_3]", "ports: [system:playback_3], inserts: [fx3]"),
    ("from: main, file", "from: phones, file"),
    ("  tape: {", "  other: {from: phones, file: other.wav, start: false}\n  tape: {"),
    ("recorders:\n  tape: {from: main, file: tape.wav, start: false}\n", ""),
  ])
  func `a changed value is as after a fresh start`(old: String, new: String) async throws {
    let text = Self.graph.replacing(old, with: new)
    try #require(text != Self.graph)
    try await Self.with(Self.graph) { house in
      let before = await house.picture()
      try await house.apply(text)
      await house.advance(milliseconds: 500)
      let now = await house.picture()
      #expect(now.differences(from: before) != [], "the picture does not show the change")
      try await Self.with(text) { fresh in
        await fresh.advance(milliseconds: 500)
        let differences = now.differences(from: await fresh.picture())
        #expect(differences == [])
      }
      // And back again.
      try await house.apply(Self.graph)
      await house.advance(milliseconds: 500)
      #expect(await house.picture().differences(from: before) == [])
    }
  }

  @Test
  func `classes and permissions of adopted clients survive a version that changes something else`()
    async throws
  {
    let graph = Self.graph.replacing("options: [duckOthers]}", with: "class: alarm}")
    try await Self.with(graph) { house in
      func settings() async -> TowerConfiguration {
        await house.host.run { $0.sessions.state.configuration }
      }
      let before = await settings()
      #expect(before.priorityClasses["guide"] == .alarm)
      try await house.apply(
        graph.replacing("- {from: deck, to: main}", with: "- {from: deck, to: phones}")
      )
      #expect(await settings() == before)
    }
  }

  @Test func `a renamed source keeps the class and the permission of its session`() async throws {
    let graph = Self.graph.replacing(
      "mix:\n",
      with: "  bell: {tone: {}, session: {category: playback, class: alarm}}\nmix:\n"
    )
    let renamed = graph.replacing("  bell: {", with: "  horn: {was: bell, ")
    try await Self.with(graph) { house in
      for text in [renamed, renamed.replacing("gain: -20 dB", with: "gain: -3 dB")] {
        try await house.apply(text)
        let status = try #require(await house.status.sessions.first { $0.id == "horn" })
        #expect(status.priorityClass == .alarm)
        let settings = await house.host.run { $0.sessions.state.configuration }
        #expect(settings.priorityClasses[status.app] == .alarm)
        #expect(settings.permissions[status.app] == .granted)
      }
    }
  }
}
