// SPDX-License-Identifier: MIT

import Foundation
import Mixing
import TestSupport
import Testing

@Suite("Limiter")
struct LimiterTests {
  private func spec(_ limiter: LimiterSpec, channels: Int = 1) -> MixSpec {
    var spec = oneToOne(channels: channels)
    spec.routes[0].limiter = limiter
    return spec
  }

  @Test("samples stay below the ceiling", arguments: [0, 1, 7, 64, 480], [1, 64, 100, 1024])
  func ceiling(lookahead: Int, block: Int) throws {
    let limiter = LimiterSpec(ceilingDB: -1, releaseSeconds: 0.01, lookaheadFrames: lookahead)
    var spec = spec(limiter, channels: 2)
    spec.strips[0].faderDB = 24
    var renderer = try OfflineRenderer(spec, blockFrames: block)
    var random = TestSeed.random(number: lookahead + block)
    let inputs = (0..<2).map { _ in
      // Long quiet passages with bursts and single peaks in them.
      (0..<20_000).map { frame in
        Float.random(in: -1...1, using: &random)
          * (frame / 1000 % 3 == 0 || Int.random(in: 0..<500, using: &random) == 0 ? 1 : 0.01)
      }
    }
    let output = try renderer.render(inputs: inputs, frames: 20_000)
    let ceiling = Decibels.linear(fromDB: -1)
    for channel in output {
      #expect(channel.allSatisfy { abs($0) <= ceiling })
      #expect(channel.contains { abs($0) > ceiling * 0.9 })
    }
  }

  @Test("below the ceiling it changes no bit, and only look-ahead delays", arguments: [0, 100])
  func transparent(lookahead: Int) throws {
    let spec = spec(LimiterSpec(ceilingDB: 0, lookaheadFrames: lookahead))
    var renderer = try OfflineRenderer(spec)
    let input = noise(5, 3000)
    let output = try renderer.render(inputs: [input], frames: 3000)[0]
    #expect(renderer.engine.latencyFrames(ofRoute: "out") == lookahead)
    #expect(output[..<lookahead].allSatisfy { $0 == 0 })
    #expect(Array(output[lookahead...]) == Array(input[..<(3000 - lookahead)]))
  }

  @Test(arguments: [0, 7, 480])
  func `the lowest gain is told once, and unity where nothing is held down`(lookahead: Int) throws {
    var renderer = try OfflineRenderer(spec(LimiterSpec(ceilingDB: 0, lookaheadFrames: lookahead)))
    _ = try renderer.render(inputs: [constant(4, 2000)], frames: 2000)
    #expect(renderer.engine.meters().routes[0].limiterGain == 0.25)
    _ = try renderer.render(inputs: [constant(0.5, 480_000)], frames: 480_000)
    _ = renderer.engine.meters()
    _ = try renderer.render(inputs: [constant(0.5, 64)], frames: 64)
    #expect(renderer.engine.meters().routes[0].limiterGain == 1)
  }

  @Test func `a route without a limiter has no gain of one`() throws {
    var renderer = try OfflineRenderer(oneToOne(channels: 1))
    _ = try renderer.render(inputs: [constant(4, 64)], frames: 64)
    #expect(renderer.engine.meters().routes[0].limiterGain == nil)
  }

  @Test("the last of several routes is limited while the others are idle")
  func behindIdleRoutes() throws {
    var spec = MixSpec(
      strips: [StripSpec(id: "in", channels: 1)],
      routes: ["a", "b", "c"].map { RouteSpec(id: $0, channels: 2) },
      sends: [SendSpec(strip: "in", route: "c")],
    )
    spec.routes[2].limiter = LimiterSpec(ceilingDB: -6)
    let ceiling = Decibels.linear(fromDB: -6)
    for level in [0.25, 0.8] as [Float] {
      var renderer = try OfflineRenderer(spec)
      let outputs = try renderer.render(inputs: [constant(level, 4_800)], frames: 4_800)
      #expect(outputs[4...].joined().allSatisfy { $0 == min(level, ceiling) })
      #expect(outputs[..<4].joined().allSatisfy { $0 == 0 })
    }
  }

  @Test("channels share one gain")
  func linked() throws {
    var renderer = try OfflineRenderer(spec(LimiterSpec(ceilingDB: 0), channels: 2))
    let output = try renderer.render(inputs: [constant(4, 64), constant(1, 64)], frames: 64)
    #expect(output[0].allSatisfy { $0 == 1 })
    #expect(output[1].allSatisfy { $0 == 0.25 })
  }

  @Test("the gain comes back with the release's time constant, to exact unity")
  func release() throws {
    let limiter = LimiterSpec(ceilingDB: 0, releaseSeconds: 0.01)
    var renderer = try OfflineRenderer(spec(limiter))
    let input = [Float(2)] + constant(0.5, 20_000)
    let output = try renderer.render(inputs: [input], frames: input.count)[0]
    // 480 frames on, 1 − 0.5 ÷ e.
    #expect(abs(output[480] / 0.5 - Float(1 - 0.5 * exp(-1.0))) < 0.002)
    #expect(output[20_000] == 0.5)
    #expect(zip(output.dropFirst(), output.dropFirst(2)).allSatisfy { $0 <= $1 })
  }

  @Test("look-ahead goes down ahead of the peak in a line, not in a step")
  func lookahead() throws {
    var renderer = try OfflineRenderer(spec(LimiterSpec(ceilingDB: 0, lookaheadFrames: 100)))
    var input = constant(0.5, 1000)
    input[500] = 4
    let output = try renderer.render(inputs: [input], frames: 1000)[0]
    #expect(output[600] == 1)
    let around = output[400..<600]
    #expect(largestStep(Array(around)) < 0.5 * 0.75 / 100 * 1.05)
  }

  @Test("a route that falls silent plays what its limiter has looked ahead at")
  func tail() throws {
    var renderer = try OfflineRenderer(spec(LimiterSpec(ceilingDB: 0, lookaheadFrames: 1_000)))
    let input = noise(5, 3_008)
    _ = try renderer.render(inputs: [input], frames: 3_008)
    try renderer.engine.setMute(route: "out", isMuted: true, fade: .none)
    let output = try renderer.render(inputs: [noise(6, 3_000)], frames: 3_000)[0]
    #expect(Array(output[..<1_000]) == Array(input[2_008...]))
    #expect(output[1_000...].allSatisfy { $0 == 0 })
  }

  @Test("a route that falls silent right behind a peak still plays it", arguments: [-6, 0.0])
  func peakAhead(ceilingDB: Double) throws {
    let limiter = LimiterSpec(ceilingDB: ceilingDB, lookaheadFrames: 1_000)
    var renderer = try OfflineRenderer(spec(limiter))
    // Nothing has been heard before, so that the meters are at rest.
    _ = try renderer.render(inputs: [constant(0, 63) + [0.9]], frames: 64)
    try renderer.engine.setMute(route: "out", isMuted: true, fade: .none)
    let output = try renderer.render(inputs: [], frames: 3_000)[0]
    let expected = min(0.9, Decibels.linear(fromDB: ceilingDB))
    #expect(output.enumerated().allSatisfy { abs($1 - ($0 == 999 ? expected : 0)) < 1e-6 })
  }

  @Test("look-ahead that comes while playing delays from then on, and can go again")
  func lookaheadChange() throws {
    var renderer = try OfflineRenderer(oneToOne())
    let input = noise(3, 3_000).map { 0.5 * $0 }
    for lookahead in [100, 0, 37] {
      let limiter = LimiterSpec(ceilingDB: 0, lookaheadFrames: lookahead)
      try renderer.engine.setLimiter(route: "out", limiter: limiter)
      let output = try renderer.render(inputs: [input], frames: 3_000)[0]
      #expect(Array(output[lookahead...]) == Array(input[..<(3_000 - lookahead)]))
    }
  }

  @Test("goes off and on while playing")
  func switching() throws {
    var renderer = try OfflineRenderer(spec(LimiterSpec(ceilingDB: 0, releaseSeconds: 0.05)))
    let output = try renderer.render(
      inputs: [constant(2, 80_000)],
      frames: 80_000,
      changes: [
        .init(atFrame: 1000) { try $0.setLimiter(route: "out", limiter: nil) },
        .init(atFrame: 79_000) {
          try $0.setLimiter(route: "out", limiter: LimiterSpec(ceilingDB: 0))
        },
      ],
    )[0]
    #expect(output[999] == 1)
    #expect(largestStep(Array(output[..<79_000])) < 0.01)
    #expect(output[78_999] == 2)
    #expect(output[79_999] == 1)
  }
}
