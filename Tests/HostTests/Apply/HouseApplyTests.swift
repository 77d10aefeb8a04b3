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
