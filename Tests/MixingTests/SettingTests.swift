// SPDX-License-Identifier: MIT

import Realtime
import TestSupport
import Testing

@testable import Mixing

/// Mixes that are changed while they play.
@Suite("Settings of a mix that plays")
struct SettingTests {
  /// One random setting, other than the present one or the same.
  private static func set(_ engine: MixEngine, _ random: inout SeededRandom) throws {
    let spec = engine.spec
    let fade = Fade.frames([0, 1, 7, 100].randomElement(using: &random) ?? 0)
    let strip = spec.strips.randomElement(using: &random)?.id ?? ""
    let route = spec.routes.randomElement(using: &random)?.id ?? ""
    let isOn = Bool.random(using: &random)
    let gains = [-Double.infinity, -20, -6, 0, 6]
    let decibels = gains.randomElement(using: &random) ?? 0
    switch Int.random(in: 0..<12, using: &random) {
    case 0: try engine.setFader(strip: strip, decibels: decibels, fade: fade)
    case 1: try engine.setMute(strip: strip, isMuted: isOn, fade: fade)
    case 2: try engine.setGate(strip: strip, isOpen: isOn, fade: fade)
    case 3: try engine.setDuck(strip: strip, decibels: decibels, fade: fade)
    case 4: try engine.setRouteGain(route: route, decibels: decibels, fade: fade)
    case 5: try engine.setMute(route: route, isMuted: isOn, fade: fade)
    case 6: try engine.setSend(strip: strip, route: route, decibels: decibels, fade: fade)
    case 7: try engine.setSolo(strip: strip, isSoloed: isOn, fade: fade)
    case 8: try engine.setCue(strip: strip, isCued: isOn, fade: fade)
    case 9:
      try engine.setPan(strip: strip, pan: isOn ? .random(in: -1...1, using: &random) : nil)
    case 10: try engine.setCrossfader(position: .random(in: -1...1, using: &random), fade: fade)
    default:
      var other = spec
      if isOn, !other.sends.isEmpty {
        other.sends.remove(at: .random(in: 0..<other.sends.count, using: &random))
      } else {
        other.crossfader.position = .random(in: -1...1, using: &random)
      }
      try engine.apply(other, fade: fade)
    }
  }

  @Test func `after any settings a mix sounds as one that was made with its values`() throws {
    var heardCount = 0
    for mix in 0..<150 {
      let seed = TestSeed.derived(number: mix)
      var random = SeededRandom(seed: seed)
      var renderer = try OfflineRenderer(MixSpec.random(seed: seed), blockFrames: 32)
      let inputs = (0..<renderer.engine.spec.inputChannels).map { noise(UInt64($0), 700) }
      for _ in 0..<12 {
        try Self.set(renderer.engine, &random)
        if Bool.random(using: &random) { _ = try renderer.render(inputs: inputs, frames: 50) }
      }
      _ = try renderer.render(inputs: inputs, frames: 700)
      var fresh = try OfflineRenderer(renderer.engine.spec, blockFrames: 32)
      let played = try renderer.render(inputs: inputs, frames: 64)
      let expected = try fresh.render(inputs: inputs, frames: 64)
      let loudest = expected.joined().reduce(1) { max($0, abs($1)) }
      #expect(largestDifference(played, expected) <= 1e-5 * loudest, "mix \(mix)")
      if expected.joined().contains(where: { $0 != 0 }) { heardCount += 1 }
    }
    #expect(heardCount > 50)
  }

  @Test func `each setting is in the spec, and is heard`() throws {
    var renderer = try OfflineRenderer(oneToOne())
    let engine = renderer.engine
    func heard() throws -> Float {
      try renderer.render(inputs: [constant(1, 1_000)], frames: 1_000)[0][999]
    }
    #expect(try heard() == 1)
    try engine.setMute(route: "out", isMuted: true)
    #expect(try engine.spec.routes[0].isMuted && heard() == 0)
    try engine.setMute(route: "out", isMuted: false)
    #expect(try !engine.spec.routes[0].isMuted && heard() == 1)
    try engine.setMute(strip: "in", isMuted: true)
    #expect(try engine.spec.strips[0].isMuted && heard() == 0)
    try engine.setMute(strip: "in", isMuted: false)
    #expect(try !engine.spec.strips[0].isMuted && heard() == 1)
    try engine.setGate(strip: "in", isOpen: false)
    #expect(try engine.spec.strips[0].isGated && heard() == 0)
    try engine.setGate(strip: "in", isOpen: true)
    #expect(try !engine.spec.strips[0].isGated && heard() == 1)
    let gain = Decibels.linear(fromDB: -6)
    try engine.setRouteGain(route: "out", decibels: -6)
    #expect(try engine.spec.routes[0].gainDB == -6 && abs(heard() - gain) < 1e-6)
    try engine.setDuck(strip: "in", decibels: -6)
    #expect(try engine.spec.strips[0].duckDB == -6 && abs(heard() - gain * gain) < 1e-6)
  }

  @Test func `the audio side knows which gates are open, by the first inputs of their strips`()
    throws
  {
    let engine = try MixEngine(
      MixSpec(
        strips: [
          StripSpec(id: "a", channels: 2), StripSpec(id: "b", channels: 1, isGated: true),
          StripSpec(id: "c", channels: 3),
        ],
        routes: [RouteSpec(id: "out", channels: 1)],
        sends: ["a", "b", "c"].map { SendSpec(strip: $0, route: "out") },
      ),
      configuration: .init(sampleRateHz: 48_000),
    )
    func open() -> [Int] {
      _ = engine.renderer.beginCycle(atFrame: 0)
      return (-1...6).filter { engine.renderer.isGateOpen(ofInput: $0) }
    }
    #expect(open() == [0, 3])
    try engine.setGate(strip: "b", isOpen: true, fade: .seconds(60))
    // It opens from here on.
    #expect(open() == [0, 2, 3])
    try engine.setGate(strip: "a", isOpen: false, fade: .seconds(60))
    #expect(open() == [2, 3])
  }

  @Test(arguments: 1...4, 1...4)
  func `a send without a matrix sounds as with the default one`(strip: Int, route: Int) throws {
    var spec = MixSpec(
      strips: [StripSpec(id: "in", channels: strip)],
      routes: [RouteSpec(id: "out", channels: route)],
      sends: [SendSpec(strip: "in", route: "out")],
    )
    let inputs = (0..<strip).map { noise(UInt64($0), 64) }
    var plain = try OfflineRenderer(spec)
    let matrix = SendSpec.defaultMatrix(stripChannels: strip, routeChannels: route)
    spec.sends[0].matrix = matrix
    var written = try OfflineRenderer(spec)
    let outputs = try plain.render(inputs: inputs, frames: 64)
    #expect(try written.render(inputs: inputs, frames: 64) == outputs)
    #expect(outputs.joined().contains { $0 != 0 })
  }

  @Test func `a strip or a route that goes at full level fades out, and the rest plays on`() throws
  {
    let names = ["a", "b"]
    var spec = MixSpec(
      strips: names.map { StripSpec(id: $0, channels: 1) },
      routes: names.map { RouteSpec(id: $0, channels: 1) },
      sends: names.map { SendSpec(strip: $0, route: $0) },
    )
    let engine = try MixEngine(spec, configuration: .init(sampleRateHz: 48_000))
    var layouts: [UInt64: MixSpec] = [0: spec]
    var player = LayoutPlayer(engine: engine)
    player.cycle(frames: 64, layouts: layouts)
    for (tag, edit): (UInt64, (inout MixSpec) -> Void) in [
      (1, { $0.strips.removeLast() }), (2, { $0.routes.removeLast() }),
    ] {
      edit(&spec)
      spec.sends.removeAll { $0.strip == "b" }
      layouts[tag] = spec
      try engine.apply(spec, fade: .frames(240), tag: tag)
      for _ in 0..<6 { player.cycle(frames: 64, layouts: layouts) }
      #expect(player.tag == tag && player.last["a"]?.allSatisfy { $0 == 1 } == true)
      _ = engine.collect()
    }
    #expect(player.largestStep <= 1.001 / 240)
  }

  @Test(arguments: 0..<4)
  func `a ramp goes on to its end while strips and routes come`(kind: Int) throws {
    var spec = oneToOne()
    let engine = try MixEngine(spec, configuration: .init(sampleRateHz: 48_000))
    var layouts: [UInt64: MixSpec] = [0: spec]
    var player = LayoutPlayer(engine: engine)
    player.cycle(frames: 64, layouts: layouts)
    let fade = Fade.frames(640, shape: .linear)
    switch kind {
    case 0: try engine.setFader(strip: "in", decibels: -20, fade: fade)
    case 1: try engine.setRouteGain(route: "out", decibels: -20, fade: fade)
    case 2: try engine.setSend(strip: "in", route: "out", decibels: -20, fade: fade)
    default: try engine.setSend(strip: "in", route: "out", decibels: -.infinity, fade: fade)
    }
    let target: Float = kind < 3 ? 0.1 : 0
    for _ in 0..<3 { player.cycle(frames: 64, layouts: layouts) }
    spec = engine.spec
    spec.strips.append(StripSpec(id: "other", channels: 1))
    spec.routes.append(RouteSpec(id: "other", channels: 1))
    spec.sends.append(SendSpec(strip: "other", route: "other"))
    layouts[1] = spec
    try engine.apply(spec, tag: 1)
    var ends: [Float] = []
    for _ in 0..<10 {
      player.cycle(frames: 64, layouts: layouts)
      ends.append(player.last["out"]?.last ?? -1)
    }
    #expect(player.tag == 1)
    #expect(zip(ends, ends.dropFirst()).prefix(6).allSatisfy { $0 > $1 })
    #expect(ends.suffix(3).allSatisfy { abs($0 - target) < 1e-6 })
    #expect(player.largestStep <= 1.01 * (1 - target) / 640 || player.largestStep <= 1.001 / 240)
  }

  @Test func `once all ramps have landed, no gain counts as moving`() throws {
    var renderer = try OfflineRenderer(oneToOne(channels: 2), blockFrames: 64)
    let engine = renderer.engine
    try engine.setFader(strip: "in", decibels: -6, fade: .frames(100))
    try engine.setGate(strip: "in", isOpen: false, fade: .frames(50))
    try engine.setRouteGain(route: "out", decibels: -6, fade: .frames(70), reportID: 4)
    try engine.setSend(strip: "in", route: "out", decibels: -6, fade: .frames(30))
    _ = try renderer.render(inputs: [], frames: 64)
    #expect(unsafe engine.renderer.core.pointee.movingCount == 2)
    _ = try renderer.render(inputs: [], frames: 64)
    #expect(unsafe engine.renderer.core.pointee.movingCount == 0)
  }

  @Test func `the cells of a mix are those that can be heard`() throws {
    for mix in 0..<300 {
      let spec = MixSpec.random(seed: TestSeed.derived(number: mix))
      let cells = spec.matrixCells
      #expect(cells.allSatisfy { $0.coefficient != 0 })
      // All others are silent with every fader up.
      var open = spec
      for index in open.strips.indices {
        open.strips[index].faderDB = 0
        open.strips[index].isMuted = false
        open.strips[index].isGated = false
        open.strips[index].isSoloed = false
        open.strips[index].crossfaderSide = .none
        open.strips[index].duckDB = 0
      }
      // A route that is heard on another one has its fader in the cells there.
      for index in open.routes.indices where open.routes[index].fallback == nil {
        open.routes[index].gainDB = 0
        open.routes[index].isMuted = false
      }
      #expect(open.matrixCells == cells)
      let engine = try MixEngine(open, configuration: .init(sampleRateHz: 48_000))
      let places = Set(cells.map { [$0.strip, $0.input, $0.route, $0.output] })
      #expect(engine.heardGains().count <= places.count)
    }
  }

  @Test func `an engine that is asked again to watch the levels has nothing to report`() throws {
    let engine = try MixEngine(oneToOne(), configuration: .init(sampleRateHz: 48_000))
    let changes = Counter()
    engine.watchLevels(true)
    engine.whenChanged { changes.count() }
    engine.watchLevels(true)
    #expect(changes.value == 0)
  }
}
