// SPDX-License-Identifier: MIT

import Testing

@testable import Mixing

@Suite("Mute, solo, cue and gates")
struct CueTests {
  /// Two strips on a main route and, by a send, on a cue route.
  private let spec = MixSpec(
    strips: [StripSpec(id: "one", channels: 1), StripSpec(id: "two", channels: 1)],
    routes: [
      RouteSpec(id: "main", channels: 1),
      RouteSpec(id: "phones", channels: 1, receivesCue: true),
    ],
    sends: [
      SendSpec(strip: "one", route: "main"),
      SendSpec(strip: "two", route: "main"),
    ],
  )

  /// Main and phones, for inputs of 1 and 10.
  private func settled(_ edit: (inout MixSpec) -> Void) throws -> [Float] {
    var spec = spec
    edit(&spec)
    var renderer = try OfflineRenderer(spec)
    let inputs = [constant(1, 4), constant(10, 4)]
    return try renderer.render(inputs: inputs, frames: 4).map { $0[3] }
  }

  @Test("mute silences the sends, not the cue")
  func mute() throws {
    #expect(try settled { $0.strips[0].isMuted = true } == [10, 0])
    let cued = try settled {
      $0.strips[0].isMuted = true
      $0.strips[0].isCued = true
    }
    #expect(cued == [10, 1])
  }

  @Test("the cue is before fader and crossfader, at the route's cue gain")
  func cue() throws {
    let output = try settled {
      $0.strips[0].faderDB = -.infinity
      $0.strips[0].isCued = true
      $0.strips[1].isCued = true
      $0.strips[1].crossfaderSide = .a
      $0.crossfader.position = 1
    }
    #expect(output == [0, 11])
    #expect(
      try settled {
        $0.strips[1].isCued = true
        $0.routes[1].cueGainDB = -.infinity
      } == [11, 0]
    )
  }

  @Test("a cue with no gain has no cells, and others take the mean of a strip or its channels")
  func cueChannels() throws {
    var spec = MixSpec(
      strips: [StripSpec(id: "in", channels: 2, isCued: true)],
      routes: (1...3).map {
        RouteSpec(id: "\($0)", channels: $0, receivesCue: true, cueGainDB: -20)
      },
    )
    var renderer = try OfflineRenderer(spec)
    let output = try renderer.render(inputs: [constant(1, 4), constant(3, 4)], frames: 4)
    let expected = [2, 1, 3, 1, 3, 0] as [Float]
    #expect(zip(output, expected).allSatisfy { abs($0[3] - $1 / 10) < 1e-6 })
    for route in spec.routes.indices { spec.routes[route].cueGainDB = -.infinity }
    #expect(spec.matrixCells.isEmpty)
    spec.sends = [SendSpec(strip: "in", route: "2", gainDB: -.infinity)]
    #expect(spec.matrixCells.isEmpty)
  }

  @Test("solo silences the others in the mix, not on the cue route")
  func solo() throws {
    let output = try settled {
      $0.strips[0].isSoloed = true
      $0.sends.append(SendSpec(strip: "two", route: "phones"))
    }
    #expect(output == [1, 10])
  }

  @Test("a send before the fader hears what mute, solo, gate and duck leave")
  func preFader() throws {
    let preFader: (inout MixSpec) -> Void = {
      $0.sends[1].isPreFader = true
      $0.strips[1].faderDB = -.infinity
    }
    #expect(try settled(preFader) == [11, 0])
    #expect(
      try settled {
        preFader(&$0)
        $0.strips[1].isMuted = true
      } == [1, 0]
    )
    #expect(
      try settled {
        preFader(&$0)
        $0.strips[0].isSoloed = true
      } == [1, 0]
    )
  }

  @Test("a closed gate silences the cue too, and so does a duck to silence")
  func gate() throws {
    let gated = try settled {
      $0.strips[0].isGated = true
      $0.strips[0].isCued = true
    }
    #expect(gated == [10, 0])
    let ducked = try settled {
      $0.strips[0].duckDB = -.infinity
      $0.strips[0].isCued = true
    }
    #expect(ducked == [10, 0])
  }

  @Test("a muted route is silent, a muted send too")
  func mutedRoute() throws {
    #expect(try settled { $0.routes[0].isMuted = true } == [0, 0])
    #expect(try settled { $0.sends[0].isMuted = true } == [10, 0])
  }

  @Test("setters do the same as specs")
  func setters() throws {
    var renderer = try OfflineRenderer(spec)
    let inputs = [constant(1, 1000), constant(10, 1000)]
    let engine = renderer.engine
    func next() throws -> [Float] {
      try renderer.render(inputs: inputs, frames: 1000).map { $0[999] }
    }
    #expect(try next() == [11, 0])
    try engine.setCue(strip: "two", isCued: true)
    #expect(try next() == [11, 10])
    try engine.setSolo(strip: "one", isSoloed: true)
    #expect(try next() == [1, 10])
    try engine.setSolo(strip: "one", isSoloed: false)
    try engine.setMute(strip: "two", isMuted: true)
    try engine.setCue(strip: "two", isCued: false)
    #expect(try next() == [1, 0])
    try engine.setSend(strip: "two", route: "phones", decibels: 0)
    try engine.setMute(strip: "two", isMuted: false)
    #expect(try next() == [11, 10])
    try engine.setMute(route: "phones", isMuted: true)
    try engine.setRouteGain(route: "main", decibels: -.infinity)
    #expect(try next() == [0, 0])
  }
}
