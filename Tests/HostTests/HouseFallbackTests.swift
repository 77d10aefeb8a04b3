// SPDX-License-Identifier: MIT

import ControlProtocol
import Mixing
import Testing

@testable import Host

private let graph = """
  multiroute: 1
  name: house
  session: {category: multiRoute, options: [mixWithOthers]}
  permissions: {default: granted}
  routes:
    main: {type: lineOut, ports: [system:playback_1, system:playback_2]}
    phones: {type: headphones, ports: ["usb:out_1", "usb:out_2"], fallback: main}
  sources:
    deck: {ports: ["deck:left", "deck:right"]}
    mic: {input: true, channels: 1}
  mix:
    - {from: deck, to: phones}
    - {from: mic, to: phones, gain: -60 dB}
  """

/// No program without a permission may be connected to a route that carries a microphone (PRM-3).
private let graphWithoutMicrophone =
  graph
  .replacing("  mic: {input: true, channels: 1}\n", with: "")
  .replacing("\n  - {from: mic, to: phones, gain: -60 dB}", with: "")

extension House {
  /// A host whose deck sounds at 0.5.
  fileprivate static func playing(
    _ text: String = graph,
    _ test: (House) async throws -> Void,
  ) async throws {
    try await with(text) { house in
      await house.play { $0.presence?.soundingStrips = ["deck"] }
      try await test(house)
    }
  }

  /// The level at the first output of the main route, once all ramps have landed.
  fileprivate func level() async -> Float {
    await advance(milliseconds: 100)
    return await host.run { _ in self.server.presence?.heard.last } ?? -1
  }

  fileprivate var phones: RouteStatus? {
    get async { await status.routes.first { $0.name == "phones" } }
  }
}

/// A route whose ports are away is heard through its fallback (RTE-2).
struct HouseFallbackTests {
  private func isClose(_ level: Float, _ expected: Float) -> Bool { abs(level - expected) < 1e-5 }

  @Test func `a route is heard through its fallback while its ports are away`() async throws {
    try await House.playing(graphWithoutMicrophone) { house in
      #expect(await house.level() == 0.5)
      #expect(await house.phones?.fallback == "main")
      // The mix carries it there, and no cable.
      #expect(house.server.connections(of: "house:phones_out_1") == [])
      await house.play { $0.appear("usb", inputs: ["out_1", "out_2"]) }
      #expect(house.server.connections(of: "house:phones_out_1") == ["usb:out_1"])
      #expect(await house.phones?.fallback == nil)
      #expect(await house.level() == 0)
      await house.play { $0.vanish("usb") }
      #expect(await house.phones?.fallback == "main")
      #expect(await house.level() == 0.5)
    }
  }

  @Test func `the fader, the mute and the limiter of both routes act on it`() async throws {
    try await House.playing { house in
      try await house.call("setGain", #"{"route":"main","gainDB":-20}"#)
      #expect(isClose(await house.level(), 0.05))
      try await house.call("setGain", #"{"route":"phones","gainDB":20}"#)
      #expect(isClose(await house.level(), 0.5))
      try await house.call("setMute", #"{"route":"main","muted":true}"#)
      #expect(await house.level() == 0)
      try await house.call("setMute", #"{"route":"main","muted":false}"#)
      try await house.call("setMute", #"{"route":"phones","muted":true}"#)
      #expect(await house.level() == 0)
    }
    let limited = graph.replacing(
      "type: lineOut,",
      with: "type: lineOut, limiter: {ceiling: -12 dB},"
    )
    try await House.playing(limited) { house in
      let level = await house.level()
      #expect(level > 0.2 && level <= Decibels.linear(fromDB: -12))
    }
  }

  @Test func `headphones without a fallback are heard nowhere else`() async throws {
    try await House.playing(graph.replacing(", fallback: main", with: "")) { house in
      #expect(await house.level() == 0)
      #expect(await house.phones?.available == false)
      #expect(await house.phones?.fallback == nil)
    }
  }

  @Test func `a route that is unplugged on demand is heard on its fallback, too`() async throws {
    try await House.playing { house in
      await house.play { $0.appear("usb", inputs: ["out_1", "out_2"]) }
      #expect(await house.level() == 0)
      try await house.host.run { try $0.routes.setPlug("phones", isPlugged: false) }
      #expect(await house.level() == 0.5)
      try await house.host.run { try $0.routes.setPlug("phones", isPlugged: true) }
      #expect(await house.level() == 0)
    }
  }

  @Test func `a fallback that is away itself is passed over for its own`() async throws {
    let text = graph.replacing(
      "fallback: main}",
      with: "fallback: spare}\n  spare: {type: HDMI, ports: [\"tv:in\"], fallback: main}"
    )
    try await House.playing(text) { house in
      #expect(await house.phones?.fallback == "main")
      await house.play { $0.appear("tv", inputs: ["in"]) }
      #expect(await house.phones?.fallback == "spare")
      #expect(await house.level() == 0)
    }
  }

  @Test func `a route that a user has patched by hand is heard there alone`() async throws {
    try await House.playing(graphWithoutMicrophone) { house in
      await house.play { $0.appear("scope", inputs: ["in"]) }
      await house.advance(milliseconds: 2_000)
      await house.play { $0.connect("house:phones_out_1", "scope:in") }
      #expect(await house.phones?.available == true)
      #expect(await house.phones?.fallback == nil)
      #expect(await house.level() == 0)
      await house.play { $0.disconnect("house:phones_out_1", "scope:in") }
      #expect(await house.level() == 0.5)
    }
  }

  @Test func `a lost server comes back with it`() async throws {
    try await House.playing { house in
      await house.play { $0.die() }
      #expect(await house.phones?.fallback == nil)
      await house.play { $0.comeBack() }
      await house.advance(milliseconds: 500)
      await house.play { $0.presence?.soundingStrips = ["deck"] }
      #expect(await house.phones?.fallback == "main")
      #expect(await house.level() == 0.5)
    }
  }

  @Test func `a program that may not hear the microphone loses it there, too`() async throws {
    try await House.playing { house in
      let outputs: () async -> Set<String> = {
        await house.host.run { rooms in
          rooms.control.attachment?.microphoneOutputs(of: rooms.graph) {
            $0.hasPrefix("system:capture")
          } ?? []
        }
      }
      #expect(await outputs().contains("house:main_out_1"))
      await house.play { $0.appear("usb", inputs: ["out_1", "out_2"]) }
      let home = await outputs()
      #expect(!home.contains("house:main_out_1") && home.contains("house:phones_out_1"))
    }
  }

  @Test func `a session on such a route is connected`() async throws {
    try await House.playing { house in
      await house.play { $0.appear("game", outputs: ["l", "r"]) }
      try await house.call(
        "openSession",
        #"{"app":"game","category":"playback","options":["mixWithOthers"],"ports":["game:*"]}"#,
      )
      try await house.call("setSend", #"{"strip":"game","route":"phones","gainDB":0}"#)
      try await house.call("setSend", #"{"strip":"game","route":"main","gainDB":0}"#)
      try await house.call("setMute", #"{"strip":"game","route":"main","muted":true}"#)
      #expect(await house.status.sessions.first { $0.id == "game" }?.connected == true)
    }
  }

  // MARK: - Versions of the graph

  @Test func `a version without the fallback ends it`() async throws {
    try await House.playing { house in
      #expect(await house.level() == 0.5)
      try await house.apply(graph.replacing(", fallback: main", with: ""))
      #expect(await house.phones?.fallback == nil)
      #expect(await house.level() == 0)
      try await house.apply(graph)
      #expect(await house.phones?.fallback == "main")
      #expect(await house.level() == 0.5)
    }
  }

  @Test func `the plan of a version says that a route is not heard there any more`() {
    let away = MixSpec(
      routes: [
        RouteSpec(id: "main", channels: 2), RouteSpec(id: "phones", channels: 2, fallback: "main"),
      ]
    )
    let plan = MixPlan(from: away, to: away.heardElsewhere([:]), rampMilliseconds: 5)
    #expect(plan.heard.map(\.route) == ["phones"])
    #expect(plan.heard.map(\.reason) == ["it is not heard on 'main' any more"])
  }

  @Test func `it is heard again where its fallback is patched anew`() async throws {
    let text = graph.replacing(
      "system:playback_1, system:playback_2",
      with: "system:playback_3, system:playback_4",
    )
    try await House.playing { house in
      #expect(await house.level() == 0.5)
      _ = await house.events()
      var wasSilent = false
      try await house.apply(text) { house in
        let fallbacks = await house.host.run { rooms in
          rooms.control.mixEngine?.spec.routes.compactMap(\.fallback)
        }
        if fallbacks == [] { wasSilent = true }
      }
      #expect(wasSilent)
      #expect(await house.events().allSatisfy { $0.kind != .error })
      #expect(await house.phones?.fallback == "main")
      #expect(await house.level() == 0.5)
    }
  }

  @Test func `it follows a renamed route`() async throws {
    let text = graph.replacing("main: {", with: "room: {was: main, ")
      .replacing("fallback: main", with: "fallback: room")
    try await House.playing { house in
      #expect(await house.level() == 0.5)
      try await house.apply(text)
      #expect(await house.phones?.fallback == "room")
      #expect(await house.level() == 0.5)
    }
  }
}
