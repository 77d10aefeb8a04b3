// SPDX-License-Identifier: MIT

import Mixing
import TestSupport
import Testing

@Suite("Plan swaps")
struct PlanSwapTests {
  /// Everything at random: strips, routes, sends, gains, switches.
  private static func randomSpec(_ random: inout SeededRandom, strips: [Int], routes: [Int])
    -> MixSpec
  {
    var spec = MixSpec()
    for strip in strips {
      spec.strips.append(
        StripSpec(
          id: "s\(strip)",
          channels: 1,
          faderDB: .random(in: -30...0, using: &random),
          isMuted: Int.random(in: 0..<5, using: &random) == 0,
          isSoloed: Int.random(in: 0..<8, using: &random) == 0,
          isCued: Bool.random(using: &random),
          isGated: Int.random(in: 0..<6, using: &random) == 0,
          duckDB: Bool.random(using: &random) ? -14 : 0,
          crossfaderSide: StripSpec.CrossfaderSide.allCases.randomElement(using: &random) ?? .none,
          pan: Bool.random(using: &random) ? .random(in: -1...1, using: &random) : nil,
        )
      )
    }
    for route in routes {
      spec.routes.append(
        RouteSpec(
          id: "r\(route)",
          channels: 2,
          gainDB: .random(in: -12...0, using: &random),
          isMuted: Int.random(in: 0..<6, using: &random) == 0,
          receivesCue: route == 1,
        )
      )
    }
    for strip in strips {
      for route in routes where Bool.random(using: &random) {
        spec.sends.append(
          SendSpec(
            strip: "s\(strip)",
            route: "r\(route)",
            gainDB: .random(in: -20...0, using: &random),
            isMuted: Int.random(in: 0..<5, using: &random) == 0,
            isPreFader: Int.random(in: 0..<4, using: &random) == 0,
          )
        )
      }
    }
    spec.crossfader.position = .random(in: -1...1, using: &random)
    return spec
  }

  /// Steps that four strips at full scale may make when all their factors move at once.
  ///
  /// A ramp of N frames moves a factor by 1 ÷ N a frame at most; a send has seven factors, and on
  /// the cue route a strip has a cue and two kinds of send that cross over.
  private static func allowedStep(strips: Int, fade: Int) -> Float {
    Float(strips) * 3 * 7 / Float(fade)
  }

  @Test(
    "values and sends at random, at random times, never click",
    arguments: 0..<20
  )
  func values(round: Int) throws {
    var random = TestSeed.random(number: round)
    let strips = Array(0..<4)
    let routes = [0, 1]
    var renderer = try OfflineRenderer(
      Self.randomSpec(&random, strips: strips, routes: routes),
      blockFrames: [1, 16, 64, 100].randomElement(using: &random) ?? 64,
    )
    let fade = 2400
    var changes: [OfflineRenderer.Change] = []
    for _ in 0..<60 {
      let spec = Self.randomSpec(&random, strips: strips, routes: routes)
      changes.append(
        .init(atFrame: .random(in: 0..<20_000, using: &random)) {
          try $0.apply(spec, fade: .frames(fade))
        }
      )
    }
    let output = try renderer.render(
      inputs: strips.map { _ in constant(1, 21_000) },
      frames: 21_000,
      changes: changes,
    )
    for channel in output {
      #expect(largestStep(channel) <= Self.allowedStep(strips: 4, fade: fade))
    }
    // All over, it is as if the last spec had always been there.
    let last = try #require(changes.max { $0.frame < $1.frame })
    try last.body(renderer.engine)
    _ = try renderer.render(inputs: strips.map { _ in constant(1, 3000) }, frames: 3000)
    var fresh = try OfflineRenderer(renderer.engine.spec)
    let inputs = strips.map { noise(UInt64($0), 500) }
    let settled = try renderer.render(inputs: inputs, frames: 500)
    let difference = try largestDifference(settled, fresh.render(inputs: inputs, frames: 500))
    #expect(difference < 1e-6)
  }

  @Test(
    "strips and routes that come and go at random never click",
    arguments: 0..<20
  )
  func shapes(round: Int) throws {
    var random = TestSeed.random(number: round)
    let fade = 1200
    let first = Self.randomSpec(&random, strips: [0, 1, 2, 3], routes: [0, 1])
    let engine = try MixEngine(first, configuration: .init(sampleRateHz: 48_000))
    var layouts: [UInt64: MixSpec] = [0: first]
    var player = LayoutPlayer(engine: engine)
    var events: [MixEvent] = []
    for step in 1...60 {
      let strips = [0, 1, 2, 3, 4].shuffled(using: &random).prefix(
        .random(in: 0...5, using: &random)
      )
      let routes = [0, 1, 2].shuffled(using: &random).prefix(.random(in: 0...3, using: &random))
      let spec = Self.randomSpec(&random, strips: Array(strips), routes: Array(routes))
      layouts[UInt64(step)] = spec
      try engine.apply(spec, fade: .frames(fade), tag: UInt64(step))
      for _ in 0..<Int.random(in: 0..<8, using: &random) {
        let frames = Int.random(in: 1...200, using: &random)
        player.cycle(frames: frames, layouts: layouts)
        if Bool.random(using: &random) { events += engine.collect() }
      }
    }
    for _ in 0..<40 { player.cycle(frames: 100, layouts: layouts) }
    #expect(player.largestStep <= Self.allowedStep(strips: 5, fade: fade))
    #expect(player.tag == 60)
    events += engine.collect()
    #expect(events.contains { if case .planAdopted(60, _) = $0 { true } else { false } })
  }

  @Test("a send that goes leaves exact silence behind")
  func silence() throws {
    var renderer = try OfflineRenderer(oneToOne())
    var without = oneToOne()
    without.sends = []
    let output = try renderer.render(
      inputs: [noise(1, 2000)],
      frames: 2000,
      changes: [.init(atFrame: 500) { try $0.apply(without, fade: .frames(100)) }],
    )[0]
    #expect(output[..<500].contains { $0 != 0 })
    #expect(output[600...].allSatisfy { $0 == 0 })
  }

  @Test("a strip that stays plays on without losing a sample while others come and go")
  func undisturbed() throws {
    let engine = try MixEngine(oneToOne(), configuration: .init(sampleRateHz: 48_000))
    var player = LayoutPlayer(engine: engine)
    var layouts: [UInt64: MixSpec] = [0: oneToOne()]
    for step in 1...40 {
      var spec = oneToOne()
      if step % 2 == 1 {
        spec.strips.insert(StripSpec(id: "other", channels: 2), at: 0)
        spec.routes.insert(RouteSpec(id: "third", channels: 3), at: 0)
        spec.sends.append(SendSpec(strip: "other", route: "third"))
      }
      layouts[UInt64(step)] = spec
      try engine.apply(spec, tag: UInt64(step))
      for _ in 0..<10 {
        player.cycle(frames: 64, layouts: layouts)
        #expect(player.last["out"]?.allSatisfy { $0 == 1 } == true)
      }
    }
  }
}

/// Renders cycle by cycle with inputs of 1 and the outputs that the engine's tag asks for.
struct LayoutPlayer {
  let engine: MixEngine
  private(set) var tag: UInt64 = 0
  /// The largest step on any channel of any route, from one cycle to the next too.
  private(set) var largestStep: Float = 0
  /// The last cycle's first channel of each route.
  private(set) var last: [String: [Float]] = [:]
  private var ends: [String: Float] = [:]
  private var isFirst = true

  init(engine: MixEngine) {
    self.engine = engine
  }

  mutating func cycle(frames: Int, layouts: [UInt64: MixSpec]) {
    tag = engine.renderer.beginCycle(atFrame: 0)
    guard let spec = layouts[tag] else { return }
    let input = UnsafeMutablePointer<Float>.allocate(capacity: frames)
    unsafe input.initialize(repeating: 1, count: frames)
    let samples = UnsafeMutablePointer<Float>.allocate(
      capacity: frames * max(1, spec.outputChannels)
    )
    unsafe samples.initialize(repeating: .nan, count: frames * max(1, spec.outputChannels))
    defer {
      unsafe input.deallocate()
      unsafe samples.deallocate()
    }
    let inputs: [UnsafePointer<Float>?] = unsafe Array(
      repeating: UnsafePointer(input),
      count: max(1, spec.inputChannels),
    )
    let outputs: [UnsafeMutablePointer<Float>?] = unsafe (0..<max(1, spec.outputChannels)).map {
      unsafe samples + $0 * frames
    }
    unsafe engine.renderer.mix(inputs: inputs, outputs: outputs, frames: frames)
    var channel = 0
    var nextEnds: [String: Float] = [:]
    last = [:]
    for route in spec.routes {
      for index in 0..<route.channels {
        let block = (0..<frames).map { unsafe samples[channel * frames + $0] }
        let name = "\(route.id) \(index)"
        // A route that comes starts from silence, but the first cycle of all from anywhere.
        let before = isFirst ? block.first : ends[name] ?? 0
        largestStep = max(largestStep, MixingTests.largestStep(block, before: before))
        nextEnds[name] = block.last
        if index == 0 { last[route.id] = block }
        channel += 1
      }
    }
    // A route that goes must have come to silence.
    for (name, end) in ends where nextEnds[name] == nil { largestStep = max(largestStep, abs(end)) }
    ends = nextEnds
    isFirst = false
  }
}
