// SPDX-License-Identifier: MIT

import ControlProtocol
import Mixing
import Testing

@testable import Host

/// A crossfader between two decks, and a program with two strips.
private let graph = """
  multiroute: 1
  name: house
  session: {category: multiRoute, options: [mixWithOthers]}
  permissions: {default: granted}
  routes:
    main: {type: lineOut, ports: [system:playback_1, system:playback_2]}
    phones: {type: headphones, ports: [system:playback_3, system:playback_4]}
  sources:
    deck-a: {ports: ["a:left"], meter: pre}
    deck-b: {ports: ["b:left"]}
  mix: [{from: deck-a, to: main}, {from: deck-b, to: main}]
  adopt:
    - client: Mixxx
      session: {preset: musicMaking}
      routes: [main]
      meter: pre
      strips:
        player: {ports: [out_0]}
        listen: {ports: [out_1], routes: [phones], meter: post}
    - {client: radio, session: {preset: player}, meter: pre}
    - {session: {preset: player}}
  controls:
    crossfader: {a: deck-a, b: deck-b, position: -1}
    cue: {to: phones}
  """

extension House {
  /// The levels of a strip over a time that begins after the changes so far.
  fileprivate func levels(of strip: String) async -> StripLevels? {
    // The reading that is under way covers the time before, too.
    await advance(milliseconds: 100)
    _ = await meters()
    await advance(milliseconds: 100)
    return await meters()?.strips.first { $0.id == strip }
  }

  /// A program comes, and connects itself to the card.
  fileprivate func start(_ client: String, outputs: [String]) async {
    await play { server in
      server.appear(client, outputs: outputs)
      for (index, output) in outputs.enumerated() {
        server.connect("\(client):\(output)", "system:playback_\(index + 1)")
      }
    }
  }
}

/// The levels of strips before and behind the fader.
struct HouseMetersTests {
  @Test func `a strip shows the tap of its source or rule`() async throws {
    try await House.with(graph) { house in
      await house.start("Mixxx", outputs: ["out_0", "out_1"])
      await house.start("radio", outputs: ["out"])
      await house.start("other", outputs: ["out"])
      let status = await house.status
      let taps = status.strips.map { "\($0.id) \($0.$meter)" }
      #expect(
        taps == [
          "deck-a pre", "deck-b post", "player pre", "listen post", "radio pre", "other post",
        ]
      )
    }
  }

  @Test(arguments: [
    ("setCrossfader", #"{"position":1}"#), ("setMute", #"{"strip":"deck-a","muted":true}"#),
    ("setGain", #"{"strip":"deck-a","gainDB":"-inf"}"#),
  ])
  func `a deck that is not heard is seen before its fader`(method: String, params: String)
    async throws
  {
    try await House.with(graph, hasMeters: true) { house in
      await house.play { $0.presence?.soundingStrips = ["deck-a", "deck-b"] }
      let before = try #require(await house.levels(of: "deck-a"))
      #expect(before.prePeak == [0.5] && before.peak == [0.5] && before.tap == .pre)
      try await house.call(method, params)
      let after = try #require(await house.levels(of: "deck-a"))
      #expect(after.prePeak == [0.5] && after.peak == [0])
      #expect(after.preRMS[0] > 0.4 && after.rms[0] < before.rms[0])
    }
  }

  @Test func `a level before the fader is no sound for sessions`() async throws {
    try await House.with(graph) { house in
      await house.play { $0.presence?.soundingStrips = ["deck-a"] }
      await house.advance(milliseconds: 2_000)
      let strips = { () async -> Set<String> in
        await house.host.run { rooms in
          let meters = rooms.control.attachment?.engine.meters()
          return Set((meters?.strips ?? []).filter(\.isHeard).map(\.id))
        }
      }
      _ = await strips()
      await house.play { $0.presence?.cycle() }
      #expect(await strips() == ["deck-a"])
      try await house.call("setGain", #"{"strip":"deck-a","gainDB":"-inf"}"#)
      await house.advance(milliseconds: 100)
      _ = await strips()
      await house.play { $0.presence?.cycle() }
      #expect(await strips() == [])
    }
  }
}
