// SPDX-License-Identifier: MIT

import ControlProtocol
import Foundation
import GraphFiles
import JACK
import Testing

@testable import Host

/// A graph with two tones on two routes.
private let graph = """
  multiroute: 1
  name: house
  ramp: 5 ms
  session: {category: multiRoute, options: [mixWithOthers]}
  routes:
    main: {type: lineOut, ports: [system:playback_1, system:playback_2]}
    phones: {type: headphones, ports: [system:playback_3]}
  sources:
    deck: {tone: {wave: sine}, channels: 2}
    mic: {input: true, channels: 1}
  mix:
    - {from: deck, to: main}
    - {from: mic, to: phones, gain: -6 dB}
  """

/// One version of a graph follows another in a running host.
struct HouseApplyTests {
  /// Applies a changed text of the graph, and compares with a host that starts with it.
  private func check(
    replacing old: String,
    with new: String,
    _ prepare: (House) async throws -> Void = { _ in },
    _ test: (House) async throws -> Void = { _ in },
  ) async throws {
    let text = graph.replacingOccurrences(of: old, with: new)
    try #require(text != graph)
    try await House.with(graph) { house in
      try await prepare(house)
      try await house.apply(text)
      await house.advance(milliseconds: 100)
      let now = await house.picture()
      try await test(house)
      try await House.with(text) { fresh in
        try await prepare(fresh)
        await fresh.advance(milliseconds: 100)
        #expect(now.differences(from: await fresh.picture()) == [])
      }
    }
  }

  @Test func `the same graph changes nothing`() async throws {
    try await House.with(graph) { house in
      await house.play { $0.clearCalls() }
      let before = await house.picture()
      try await house.apply(graph)
      #expect(house.server.calls == [])
      #expect(await house.picture() == before)
    }
  }

  @Test(arguments: [
    ("gain: -6 dB", "gain: -9 dB"),
    ("channels: 2}\n", "channels: 2, gain: -3 dB, mute: true}\n"),
    ("  - {from: mic, to: phones, gain: -6 dB}", "  - {from: mic, to: main}"),
    ("  mic: {input: true, channels: 1}\n", "  mic: {input: true, channels: 2}\n"),
    ("  mic: {input: true", "  mic: {tone: {wave: pinkNoise}"),
    ("  deck: {tone: {wave: sine}, channels: 2}", "  deck: {tone: {wave: click}, channels: 1}"),
    ("ports: [system:playback_3]", "ports: [system:playback_4]"),
    ("ports: [system:playback_3]", "ports: [system:playback_3, system:playback_4]"),
    ("ports: [system:playback_1, system:playback_2]", "ports: [system:playback_2]"),
    ("type: headphones", "type: bluetoothA2DP"),
    ("\nsources:", "\n  more: {type: HDMI, ports: [system:playback_4]}\nsources:"),
    ("\nmix:", "\n  noise: {tone: {wave: pinkNoise}}\nmix:\n  - {from: noise, to: main}"),
    ("ramp: 5 ms", "ramp: 0 ms"),
    ("mixWithOthers", "duckOthers"),
    ("category: multiRoute, options: [mixWithOthers]", "category: multiRoute"),
    ("\nmix:", "\n  noise: {tone: {wave: pinkNoise}, session: {category: ambient}}\nmix:"),
    ("channels: 2}\n", "channels: 2, session: {category: playback, options: [mixWithOthers]}}\n"),
    ("{type: lineOut", "{label: PA, limiter: {ceiling: -3 dB}, type: lineOut"),
  ])
  func `a changed value is as after a fresh start`(old: String, new: String) async throws {
    try await check(replacing: old, with: new)
  }

  @Test func `values that users have set stay, unless the file changes them`() async throws {
    try await House.with(graph) { house in
      try await house.call("setGain", #"{"strip":"deck","gainDB":-7}"#)
      try await house.call("setGain", #"{"strip":"mic","route":"phones","gainDB":-8}"#)
      try await house.call("setGain", #"{"route":"phones","gainDB":-2}"#)
      try await house.call("setSend", #"{"strip":"deck","route":"phones","gainDB":-20}"#)
      // The microphone is fed anew, and the route patched anew: both are silent for a moment.
      try await house.apply(
        graph.replacingOccurrences(of: "mic: {input: true", with: "mic: {tone: {wave: click}")
          .replacingOccurrences(of: "system:playback_3", with: "system:playback_4")
      )
      let status = await house.status
      #expect(status.strips.first { $0.id == "deck" }?.gainDB == -7)
      #expect(status.routes.first { $0.name == "phones" }?.gainDB == -2)
      #expect(status.sends.first { $0.strip == "mic" }?.gainDB == -8)
      #expect(status.sends.first { $0.strip == "deck" && $0.route == "phones" }?.gainDB == -20)
      try await house.apply(graph.replacingOccurrences(of: "gain: -6 dB", with: "gain: -1 dB"))
      #expect(await house.status.sends.first { $0.strip == "mic" }?.gainDB == -1)
      #expect(await house.status.strips.first { $0.id == "deck" }?.gainDB == -7)
    }
  }

  @Test(arguments: ["house:noise_in_1", "house:more_out_1", "house-sources:noise_1"])
  func `a refused port changes nothing`(port: String) async throws {
    let text = graph.replacingOccurrences(
      of: "\nsources:",
      with: "\n  more: {type: HDMI, ports: [system:playback_4]}\nsources:",
    ).replacingOccurrences(of: "\nmix:", with: "\n  noise: {tone: {wave: pinkNoise}}\nmix:")
    try await House.with(graph) { house in
      let before = await house.picture()
      await house.play { $0.refusedPorts = [port] }
      await #expect(throws: HostError.self) { try await house.apply(text) }
      #expect(await house.picture().differences(from: before) == [])
      #expect(await house.host.run { $0.inForce.version } == 1)
      await house.play { $0.refusedPorts = [] }
      try await house.apply(text)
      #expect(await house.status.routes.map(\.name) == ["main", "phones", "more"])
    }
  }

  @Test func `a renamed source and route keep their values, connections and patches`()
    async throws
  {
    let text = graph.replacingOccurrences(of: "deck", with: "player")
      .replacingOccurrences(of: "phones:", with: "ears:")
      .replacingOccurrences(of: "to: phones", with: "to: ears")
      .replacingOccurrences(of: "channels: 2}\n", with: "channels: 2, was: deck}\n")
      .replacingOccurrences(of: "[system:playback_3]", with: "[system:playback_3], was: phones")
    try await House.with(graph) { house in
      try await house.call("setGain", #"{"strip":"deck","gainDB":-7}"#)
      await house.advance(milliseconds: 3_000)
      await house.play { $0.connect("house:phones_out_1", "system:playback_4") }
      await house.play { $0.clearCalls() }
      try await house.apply(text)
      #expect(house.server.calls == [])
      let status = await house.status
      #expect(status.strips.first { $0.id == "player" }?.gainDB == -7)
      #expect(
        house.server.connections(of: "house:ears_out_1") == [
          "system:playback_3", "system:playback_4",
        ]
      )
      #expect(house.server.connections(of: "house:player_in_1") == ["house-sources:player_1"])
      #expect(status.patches.map(\.source) == ["house:ears_out_1"])
    }
  }

  @Test func `a rename that JACK refuses changes nothing`() async throws {
    let text = graph.replacingOccurrences(of: "deck", with: "player")
      .replacingOccurrences(of: "channels: 2}\n", with: "channels: 2, was: deck}\n")
    try await House.with(graph) { house in
      let before = await house.picture()
      await house.play { $0.refusedPorts = ["house:player_in_2"] }
      await #expect(throws: HostError.self) { try await house.apply(text) }
      #expect(await house.picture().differences(from: before) == [])
    }
  }

  @Test func `another name of the host is refused`() async throws {
    try await House.with(graph) { house in
      let before = await house.picture()
      await #expect(throws: HostError.self) {
        try await house.apply(graph.replacingOccurrences(of: "name: house", with: "name: other"))
      }
      #expect(await house.picture().differences(from: before) == [])
    }
  }

  @Test func `a client that no rule adopts any more goes back to the hardware`() async throws {
    let adopting =
      graph + "\nadopt:\n  - {client: mpv, session: "
      + "{category: playback, options: [mixWithOthers]}}\n"
    try await House.with(graph) { house in
      await house.play {
        $0.appear("mpv", outputs: ["out_1"])
        $0.connect("mpv:out_1", "system:playback_1")
      }
      try await house.apply(adopting)
      #expect(house.server.connections(of: "mpv:out_1") == ["house:mpv_in_1"])
      try await house.apply(graph)
      #expect(house.server.connections(of: "mpv:out_1") == ["system:playback_1"])
      #expect(await house.status.strips.map(\.id) == ["deck", "mic"])
    }
  }

  @Test func `a source that is gone fades out and leaves with its ports`() async throws {
    let text = graph.replacingOccurrences(
      of: "  deck: {tone: {wave: sine}, channels: 2}\n",
      with: ""
    )
    .replacingOccurrences(of: "  - {from: deck, to: main}\n", with: "")
    try await House.with(graph) { house in
      try await house.apply(text)
      let ports = await house.picture().ports
      #expect(!ports.contains { $0.contains("deck") })
      #expect(await house.status.strips.map(\.id) == ["mic"])
      #expect(await house.host.run { $0.control.attachment?.versions.sourceClient } == nil)
    }
  }
}
