// SPDX-License-Identifier: MIT

import ControlProtocol
import GraphFiles
import JACK
import Mixing
import Sessions
import Testing

@testable import Host

private let graph = """
  multiroute: 1
  name: house
  align: auto
  session: {category: multiRoute, options: [mixWithOthers]}
  routes:
    main: {ports: [system:playback_1, system:playback_2]}
    wall: {ports: [system:playback_3, system:playback_4]}
    mic: {direction: input, ports: [system:capture_1]}
  sources:
    deck: {ports: ["deck:left", "deck:right"]}
  mix:
    - {from: deck, to: main}
    - {from: deck, to: wall}
  """

/// Routes on a server that is played by hand: plugged or not, aligned, and as `status` shows them.
struct RouteRoomTests {
  private func route(_ name: String, of house: House) async throws -> RouteStatus {
    try #require(await house.status.routes.first { $0.name == name })
  }

  /// The server reports new latencies of the card's outputs.
  private func setLatencies(main: UInt32, wall: UInt32, of house: House) async {
    await house.play { server in
      for number in 1...2 { server.latencyFrames["system:playback_\(number)"] = main }
      for number in 3...4 { server.latencyFrames["system:playback_\(number)"] = wall }
      server.presence?.tell(.latencyRecomputed(.playback))
    }
    await house.advance(milliseconds: 100)
  }

  @Test func `an unplugged route is disconnected, and connected again when it is plugged in`()
    async throws
  {
    try await House.with(graph) { house in
      try await house.host.run { try $0.routes.setPlug("main", isPlugged: false) }
      await house.settle()
      #expect(house.server.connections(of: "house:main_out_1") == [])
      let (main, wall) = (try await route("main", of: house), try await route("wall", of: house))
      #expect(!main.available && wall.available)
      try await house.host.run { try $0.routes.setPlug("main", isPlugged: true) }
      await house.settle()
      #expect(house.server.isConnected("house:main_out_1", "system:playback_1"))
      let again = try await route("main", of: house)
      #expect(again.available)
    }
  }

  @Test func `a route that was unplugged while the server was away stays so at the next one`()
    async throws
  {
    try await House.with(graph) { house in
      await house.play { $0.die() }
      try await house.host.run { try $0.routes.setPlug("main", isPlugged: false) }
      await house.play { $0.comeBack() }
      await house.advance(milliseconds: 500)
      #expect(house.server.presence != nil)
      #expect(house.server.connections(of: "house:main_out_1") == [])
      #expect(house.server.isConnected("house:wall_out_1", "system:playback_3"))
    }
  }

  @Test func `a disconnection of an unplugged route is never taken for a user's`() async throws {
    try await House.with(graph) { house in
      try await house.host.run { try $0.routes.setPlug("main", isPlugged: false) }
      await house.advance(milliseconds: 2_000)
      #expect(await house.status.patches.isEmpty)
      try await house.host.run { try $0.routes.setPlug("main", isPlugged: true) }
      await house.settle()
      #expect(house.server.isConnected("house:main_out_2", "system:playback_2"))
    }
  }

  @Test func `a route that the graph does not have cannot be unplugged`() async throws {
    try await House.with(graph) { house in
      await #expect(throws: ControlError.self) {
        try await house.host.run { try $0.routes.setPlug("attic", isPlugged: false) }
      }
    }
  }

  @Test func `the fast route is delayed to the slow one, and the change is published`() async throws
  {
    try await House.with(graph) { house in
      _ = await house.events()
      await setLatencies(main: 256, wall: 1_000, of: house)
      let (main, wall) = (try await route("main", of: house), try await route("wall", of: house))
      #expect(main.delayFrames == 744 && wall.delayFrames == 0)
      let messages = await house.events().map(\.message)
      #expect(messages.contains("route 'main' is delayed by 744 frames; remaining error 0 frames"))
      #expect(
        messages.contains { $0.hasPrefix("latency now: ") && $0.contains("wall 1000 frames") }
      )
    }
  }

  @Test func `a route that a user has patched by hand is aligned, too`() async throws {
    let text = graph.replacing("system:playback_3, system:playback_4", with: "tv:in_1, tv:in_2")
    try await House.with(text) { house in
      await setLatencies(main: 256, wall: 1_000, of: house)
      let before = try await route("main", of: house)
      #expect(before.delayFrames == 0)
      await house.play { $0.connect("house:wall_out_1", "system:playback_3") }
      await setLatencies(main: 256, wall: 1_000, of: house)
      let patched = try await route("main", of: house)
      #expect(patched.delayFrames == 744)
      // Without its cable it keeps its place.
      await house.play { $0.disconnect("house:wall_out_1", "system:playback_3") }
      await setLatencies(main: 256, wall: 1_000, of: house)
      let after = try await route("main", of: house)
      #expect(after.delayFrames == 744)
    }
  }

  @Test func `a source or route is there where a user has patched it by hand`() async throws {
    let text = graph.replacing("system:playback_3, system:playback_4", with: "tv:in_1, tv:in_2")
    try await House.with(text) { house in
      await house.play { $0.appear("player", outputs: ["out"]) }
      await house.advance(milliseconds: 2_000)
      _ = await house.events()
      let told: () async -> [String] = {
        await house.events().compactMap { event in
          switch event.kind {
          case .sourceConnected, .sourceDisconnected, .routeAvailable, .routeUnavailable:
            event.kind?.rawValue
          default: nil
          }
        }
      }
      await house.play { $0.connect("player:out", "house:deck_in_1") }
      #expect(await told() == ["sourceConnected"])
      await house.play { $0.connect("house:wall_out_1", "system:playback_3") }
      #expect(await told() == ["routeAvailable"])
      await house.play { $0.disconnect("player:out", "house:deck_in_1") }
      await house.play { $0.disconnect("house:wall_out_1", "system:playback_3") }
      #expect(await told() == ["sourceDisconnected", "routeUnavailable"])
    }
  }

  @Test func `where others connect the ports, sources are there as routes are`() async throws {
    try await House.with(graph, connectsPorts: false) { house in
      let areThere = await house.host.run { rooms in
        ["deck", "main", "wall"].map { rooms.routes.isAvailable($0) }
      }
      #expect(areThere == [true, true, true])
      let events = await house.events().compactMap(\.kind)
      #expect(!events.contains(.sourceDisconnected) && !events.contains(.routeUnavailable))
    }
  }

  @Test func `latencies are asked for once the graph stands still, not while it changes`()
    async throws
  {
    try await House.with(graph) { house in
      await house.advance(milliseconds: 500)
      let questions: () async -> Int? = {
        await house.host.run { _ in house.server.presence?.latencyQuestions }
      }
      let before = await questions()
      for _ in 0..<10 {
        await house.play { $0.presence?.tell(.latencyRecomputed(.playback)) }
        house.clock.advance(nanoseconds: 5_000_000)
        await house.settle()
      }
      #expect(await questions() == before)
      house.clock.advance(nanoseconds: 100_000_000)
      await house.settle()
      #expect(await questions() != before)
    }
  }

  @Test func `latencies that have not changed are not published again`() async throws {
    try await House.with(graph) { house in
      await setLatencies(main: 256, wall: 256, of: house)
      _ = await house.events()
      await setLatencies(main: 256, wall: 256, of: house)
      #expect(await house.events().isEmpty)
    }
  }

  @Test func `a route that goes keeps its place in time`() async throws {
    try await House.with(graph) { house in
      await setLatencies(main: 256, wall: 1_000, of: house)
      try await house.host.run { try $0.routes.setPlug("wall", isPlugged: false) }
      await house.settle()
      let main = try await route("main", of: house)
      #expect(main.delayFrames == 744)
    }
  }

  @Test func `a request sets the alignment in place of the graph's`() async throws {
    try await House.with(graph) { house in
      await setLatencies(main: 256, wall: 1_000, of: house)
      _ = try await house.host.run {
        try $0.routes.setAlignment(.init(route: "main", mode: .manual, delayMilliseconds: 10))
      }
      let main = try await route("main", of: house)
      #expect(main.alignment == .manual && main.delayFrames == 480)
      #expect(main.alignmentErrorFrames == 256 + 480 - 1_000)
      _ = try await house.host.run {
        try $0.routes.setAlignment(.init(route: "main", mode: .free))
      }
      let free = try await route("main", of: house)
      #expect(free.delayFrames == 0 && free.alignmentErrorFrames == nil)
    }
  }

  @Test(arguments: ["mic", "attic"])
  func `only an output route can be aligned`(name: String) async throws {
    try await House.with(graph) { house in
      await #expect(throws: ControlError.self) {
        try await house.host.run {
          _ = try $0.routes.setAlignment(.init(route: name, mode: .auto))
        }
      }
    }
  }

  @Test func `the tower gets the routes that are there`() async throws {
    try await House.with(graph) { house in
      let before = await house.host.run {
        $0.routes.ports().map { [$0.description.uid: $0.isThere] }
      }
      #expect(before == [["main": true], ["wall": true], ["mic": true]])
      await house.play { $0.unregister("system:capture_1") }
      try await house.host.run { try $0.routes.setPlug("wall", isPlugged: false) }
      let after = await house.host.run { $0.routes.ports().map(\.isThere) }
      #expect(after == [true, false, false])
    }
  }

  @Test func `without a server there is no route, and status shows them as away`() async throws {
    try await House.with(graph) { house in
      await house.play { $0.die() }
      #expect(await house.host.run { $0.routes.ports().isEmpty })
      let routes = await house.status.routes
      #expect(routes.map(\.name) == ["main", "wall", "mic"])
      #expect(routes.allSatisfy { !$0.available && $0.ports.isEmpty && $0.latencyFrames == nil })
    }
  }

  @Test func `an aligner without latencies makes no delay`() throws {
    let graph = try GraphFile.parse(graph, path: "g.yaml")
    var aligner = RouteAligner(graph: graph)
    let spec = MixBuilder.spec(of: graph, channels: ["deck": 2], sampleRateHz: 48_000)
    #expect(aligner.align(spec, sampleRateHz: 48_000).isEmpty)
    #expect(aligner.errorFrames(of: "main") == nil)
    aligner.learn(100, of: "main")
    aligner.learn(300, of: "wall")
    #expect(aligner.align(spec, sampleRateHz: 48_000).mapValues(\.delayFrames) == ["main": 200])
    aligner.forgetLatencies()
    #expect(aligner.align(spec, sampleRateHz: 48_000).isEmpty)
  }

  @Test(arguments: [
    (AlignmentMode.free, GraphFile.Route.Alignment.free), (.auto, .automatic),
    (.manual, .delay(.milliseconds(12))),
  ])
  func `an alignment has one name on the socket`(
    mode: AlignmentMode,
    alignment: GraphFile.Route.Alignment,
  ) {
    #expect(GraphFile.Route.Alignment(mode, delayMilliseconds: 12) == alignment)
    #expect(alignment.mode == mode)
  }
}
