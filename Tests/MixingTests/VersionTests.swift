// SPDX-License-Identifier: MIT

import Mixing
import Testing

/// The requests of another version of a graph to an engine that plays.
@Suite("Versions of a mix")
struct VersionTests {
  /// Two strips, each to both routes.
  private static func mix() -> MixSpec {
    MixSpec(
      strips: ["one", "two"].map { StripSpec(id: $0, channels: 1) },
      routes: ["a", "b"].map { RouteSpec(id: $0, channels: 1) },
      sends: ["one", "two"].flatMap { strip in
        ["a", "b"].map { SendSpec(strip: strip, route: $0) }
      },
    )
  }

  private func play(_ renderer: inout OfflineRenderer) throws -> [Float] {
    let output = try renderer.render(
      inputs: [constant(0.5, 1000), constant(0.25, 1000)],
      frames: 1000,
    )
    return output.map { $0[999] }
  }

  @Test("new names change nothing that is heard, and are known from then on")
  func rename() throws {
    var renderer = try OfflineRenderer(Self.mix())
    let engine = renderer.engine
    #expect(try play(&renderer) == [0.75, 0.75])
    engine.rename(strips: ["one": "first"], routes: ["b": "second"])
    #expect(engine.spec == Self.mix().renamed(strips: ["one": "first"], routes: ["b": "second"]))
    #expect(engine.spec.strips.map(\.id) == ["first", "two"])
    #expect(engine.spec.routes.map(\.id) == ["a", "second"])
    #expect(engine.spec.sends.map(\.strip) == ["first", "first", "two", "two"])
    #expect(engine.spec.sends.map(\.route) == ["a", "second", "a", "second"])
    #expect(try play(&renderer) == [0.75, 0.75])
    #expect(engine.meters().strips.map(\.id) == ["first", "two"])
    #expect(engine.takeSounded(strips: ["first"]))
    #expect(!engine.takeSounded(strips: ["one"]))
    try engine.setGate(strip: "first", isOpen: false, fade: .none)
    try engine.setRouteGain(route: "second", decibels: 20, fade: .none)
    #expect(try play(&renderer) == [0.25, 2.5])
    let closed = renderer.events.contains {
      if case .gateClosed("first", _, _) = $0 { true } else { false }
    }
    #expect(closed)
    #expect(throws: MixError.self) { try engine.setGate(strip: "one", isOpen: true) }
    // Strips alone, and routes alone.
    engine.rename(strips: [:], routes: ["second": "b"])
    engine.rename(strips: ["first": "one"], routes: [:])
    #expect(engine.spec.strips.map(\.id) == ["one", "two"])
    #expect(engine.spec.routes.map(\.id) == ["a", "b"])
  }

  @Test("a part is silent once all its sends have landed at silence")
  func silence() throws {
    var renderer = try OfflineRenderer(Self.mix())
    let engine = renderer.engine
    _ = try play(&renderer)
    #expect(engine.areSilent(strips: [], routes: []))
    #expect(!engine.areSilent(strips: ["one"], routes: []))
    #expect(!engine.areSilent(strips: [], routes: ["b"]))
    try engine.setSend(strip: "one", route: "a", decibels: -.infinity, fade: .frames(100))
    _ = try play(&renderer)
    #expect(!engine.areSilent(strips: ["one"], routes: []))
    try engine.setSend(strip: "one", route: "b", decibels: -.infinity, fade: .frames(1500))
    // On its way.
    _ = try play(&renderer)
    #expect(!engine.areSilent(strips: ["one"], routes: []))
    _ = try play(&renderer)
    #expect(engine.areSilent(strips: ["one"], routes: []))
    #expect(!engine.areSilent(strips: ["one", "two"], routes: []))
    #expect(!engine.areSilent(strips: ["one"], routes: ["b"]))
    try engine.setSend(strip: "two", route: "b", decibels: -.infinity, fade: .none)
    _ = try play(&renderer)
    #expect(engine.areSilent(strips: ["one"], routes: ["b"]))
    // One that comes back is not silent from then on.
    try engine.setSend(strip: "one", route: "a", decibels: 0, fade: .frames(1500))
    #expect(!engine.areSilent(strips: ["one"], routes: []))
    _ = try play(&renderer)
    #expect(!engine.areSilent(strips: ["one"], routes: []))
    // And one that goes again is silent at the end of its ramp.
    _ = try play(&renderer)
    try engine.setSend(strip: "one", route: "a", decibels: -.infinity, fade: .frames(1500))
    _ = try play(&renderer)
    #expect(!engine.areSilent(strips: ["one"], routes: []))
    _ = try play(&renderer)
    #expect(engine.areSilent(strips: ["one"], routes: []))
  }

  @Test("sound is noted for the strip that makes it, once")
  func sounded() throws {
    var renderer = try OfflineRenderer(Self.mix())
    let engine = renderer.engine
    _ = try renderer.render(inputs: [[], constant(0.5, 500)], frames: 500)
    #expect(!engine.takeSounded(strips: ["one", "nobody"]))
    #expect(engine.takeSounded(strips: ["one", "two"]))
    #expect(!engine.takeSounded(strips: ["two"]))
  }

  @Test("a route's latency is its look-ahead and its delay")
  func latency() throws {
    var spec = Self.mix()
    spec.routes[0].limiter = LimiterSpec(lookaheadFrames: 48)
    spec.routes[0].delayFrames = 100
    let engine = try OfflineRenderer(spec).engine
    #expect(engine.latencyFrames(ofRoute: "a") == 148)
    #expect(engine.latencyFrames(ofRoute: "b") == 0)
    #expect(engine.latencyFrames(ofRoute: "c") == nil)
  }
}
