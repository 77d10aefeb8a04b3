// SPDX-License-Identifier: MIT

import CMixKernels
import TestSupport
import Testing

@testable import Mixing

/// The lists that the audio thread makes of a plan, so that a cycle does no work for what nobody hears.
@Suite("Lists of a plan")
struct PlanListTests {
  /// The plan that is played, with its lists as arrays.
  @safe
  private struct Lists {
    let outputs: [RenderPlan.Output]
    let routes: [RenderPlan.Route]
    let plan: UnsafeMutablePointer<RenderPlan>

    init(_ engine: MixEngine) {
      unsafe plan = engine.renderer.core.pointee.plan
      outputs = unsafe Array(plan.pointee.outputs)
      routes = unsafe Array(plan.pointee.routes)
    }

    /// The inputs of an output whose gains stand still.
    func inputs(of output: Int) -> [Int32] {
      (0..<Int(outputs[output].steadyCount)).map {
        unsafe plan.pointee.heardInputs[Int(outputs[output].firstCell) + $0]
      }
    }

    func gains(of output: Int) -> [Float] {
      (0..<Int(outputs[output].steadyCount)).map {
        unsafe plan.pointee.heardGains[Int(outputs[output].firstCell) + $0]
      }
    }

    func places(of route: Int) -> Range<Int> {
      let first = Int(routes[route].firstOutput)
      return first..<first + Int(routes[route].channels)
    }

    var activeRoutes: [Int] {
      (0..<(unsafe plan.pointee.activeRouteCount)).map {
        unsafe Int(plan.pointee.activeRoutes[$0])
      }
    }

    var activeOutputs: [Int] { activeRoutes.flatMap { places(of: $0) } }

    var idleOutputs: [Int] {
      (0..<(unsafe plan.pointee.idleOutputCount)).map { unsafe Int(plan.pointee.idleOutputs[$0]) }
    }

    var meteredOutputs: [Int] {
      guard let levels = unsafe plan.pointee.outputLevels.baseAddress else { return [] }
      return (0..<(unsafe plan.pointee.meteredOutputCount)).map {
        unsafe plan.pointee.meteredOutputs[$0].level - UnsafePointer(levels)
      }
    }

    var readInputs: [Int32] {
      (0..<(unsafe plan.pointee.readCount)).map { unsafe plan.pointee.readPlaces[$0] }
    }

    /// The outputs whose levels are compared with their limits.
    var comparedOutputs: Range<Int> {
      let first = unsafe plan.pointee.firstActiveOutput
      return first..<first + (unsafe plan.pointee.activeOutputSpan)
    }

    /// The outputs with a single input.
    var singles: [MixSingle] {
      (0..<(unsafe Int(plan.pointee.sums[0].single_count))).map {
        unsafe plan.pointee.singles[$0]
      }
    }

    /// The outputs with two inputs of their own.
    var pairs: [MixPair] {
      (0..<(unsafe Int(plan.pointee.sums[0].pair_count))).map { unsafe plan.pointee.pairs[$0] }
    }

    /// The outputs that are summed together, those by themselves too, and their gains for each input.
    var groups: [(outputs: [Int], gains: [[Float]])] {
      singles.map { ([Int($0.output)], [[$0.gain]]) }
        + pairs.map { ([Int($0.output)], [[$0.gains.0, $0.gains.1]]) } + severals
    }

    private var severals: [(outputs: [Int], gains: [[Float]])] {
      (0..<(unsafe Int(plan.pointee.sums[0].count))).map { index in
        let group = unsafe plan.pointee.groups[index]
        let count = Int(group.outputs)
        return (
          (0..<count).map { unsafe Int(plan.pointee.groupOutputs[Int(group.first_output) + $0]) },
          (0..<count).map { output in
            (0..<Int(group.count)).map { input in
              unsafe plan.pointee.groupGains[Int(group.first_gain) + input * count + output]
            }
          }
        )
      }
    }
  }

  /// Plays the first cycle of a mix, without memory.
  private static func play(_ engine: MixEngine, cycles: Int = 1, frames: Int = 64) {
    let spec = engine.spec
    let silence = unsafe [UnsafePointer<Float>?](repeating: nil, count: 1 + spec.inputChannels)
    let skipped = unsafe [UnsafeMutablePointer<Float>?](
      repeating: nil,
      count: 1 + spec.outputChannels
    )
    for _ in 0..<cycles {
      unsafe engine.renderer.render(
        inputs: silence,
        outputs: skipped,
        frames: frames,
        atFrame: 0,
      )
    }
  }

  private static func engine(_ spec: MixSpec, queueCapacity: Int = 8192) throws -> MixEngine {
    try MixEngine(spec, configuration: .init(sampleRateHz: 48_000, queueCapacity: queueCapacity))
  }

  @Test func `a cycle reads, sums, meters and compares what is heard, and clears the rest`() throws
  {
    var idleCount = 0
    for mix in 0..<300 {
      let engine = try Self.engine(MixSpec.random(seed: TestSeed.derived(number: mix)))
      Self.play(engine)
      let lists = Lists(engine)
      let heard = Set(lists.outputs.indices.flatMap { lists.inputs(of: $0) })
      #expect(lists.readInputs == heard.sorted())
      #expect(unsafe lists.plan.pointee.meteredCount == heard.count)
      let active = lists.routes.indices.filter { route in
        lists.places(of: route).contains { !lists.inputs(of: $0).isEmpty }
      }
      #expect(lists.activeRoutes == active)
      #expect(unsafe lists.plan.pointee.areActiveRoutesHeard)
      #expect(lists.meteredOutputs == lists.activeOutputs)
      let idle = Set(lists.outputs.indices).subtracting(lists.activeOutputs)
      #expect(lists.idleOutputs == idle.sorted())
      for output in idle {
        let level = unsafe lists.plan.pointee.outputLevels[output]
        #expect(level.peak == 0 && level.squares == 0)
      }
      let compared = lists.comparedOutputs
      #expect(compared.isEmpty == active.isEmpty)
      #expect(compared.first == lists.activeOutputs.first)
      #expect(compared.last == lists.activeOutputs.last)
      idleCount += idle.count
    }
    #expect(idleCount > 100)
  }

  @Test func `each output is summed once, together with those that take the same inputs`() throws {
    let most = Int(mix_most_outputs())
    var sizes: [Int: Int] = [:]
    var pairCount = 0
    for mix in 0..<300 {
      let engine = try Self.engine(MixSpec.random(seed: TestSeed.derived(number: mix)))
      Self.play(engine)
      let lists = Lists(engine)
      let groups = lists.groups
      #expect(groups.flatMap(\.outputs).sorted() == lists.activeOutputs)
      let single = lists.activeOutputs.filter { lists.inputs(of: $0).count == 1 }
      #expect(lists.singles.map { Int($0.output) } == single)
      #expect(lists.singles.map(\.input) == single.map { lists.inputs(of: $0)[0] })
      for pair in lists.pairs {
        #expect([pair.inputs.0, pair.inputs.1] == lists.inputs(of: Int(pair.output)))
      }
      for group in groups {
        sizes[group.outputs.count, default: 0] += 1
        for (output, gains) in zip(group.outputs, group.gains) {
          let inputs = lists.inputs(of: output)
          // In their order, so that outputs with the same inputs are found.
          #expect(inputs == inputs.sorted() && inputs == lists.inputs(of: group.outputs[0]))
          #expect(gains == lists.gains(of: output))
        }
      }
      // A single input is copied, by itself. Others go together: as many as the kernels take, two, or one that is left.
      let kinds = Dictionary(grouping: lists.activeOutputs) { lists.inputs(of: $0) }
      guard kinds.keys.filter({ $0.count > 1 }).count <= 8 else { continue }
      let alone = lists.activeOutputs.filter {
        lists.inputs(of: $0).count == 2 && kinds[lists.inputs(of: $0)]?.count == 1
      }
      #expect(lists.pairs.map { Int($0.output) } == alone)
      pairCount += alone.count
      let expected = kinds.flatMap { inputs, outputs -> [Int] in
        guard inputs.count > 1 else { return outputs.map { _ in 1 } }
        let left = outputs.count % most
        return Array(repeating: most, count: outputs.count / most)
          + Array(repeating: 2, count: most == 2 ? 0 : left / 2)
          + Array(repeating: 1, count: left % 2)
      }
      #expect(groups.map(\.outputs.count).sorted() == expected.sorted(), "mix \(mix)")
    }
    #expect(sizes.keys.sorted() == Array(Set([1, 2, most])).sorted())
    #expect(pairCount > 50)
  }

  @Test func `outputs that take the same inputs are found among eight kinds`() throws {
    // Kind n takes inputs n and n + 1. The first kind comes again behind 8 kinds in all, or behind 9.
    for (kinds, isFound) in [(8, true), (9, false)] {
      let engine = try Self.engine(
        MixSpec(
          strips: (0...kinds).map { StripSpec(id: "\($0)", channels: 1) },
          routes: (0...kinds).map { RouteSpec(id: "\($0)", channels: 1) },
          sends: (0...kinds).flatMap { route in
            [route % kinds, route % kinds + 1].map { SendSpec(strip: "\($0)", route: "\(route)") }
          },
        )
      )
      Self.play(engine)
      let groups = Lists(engine).groups.map { $0.outputs.sorted() }
      #expect(groups.contains([0, kinds]) == isFound)
      #expect(groups.count == kinds + (isFound ? 0 : 1))
    }
  }

  @Test func `routes and strips that have fallen silent are at rest once their meters are`() throws
  {
    var renderer = try OfflineRenderer(oneToOne(channels: 2), sampleRateHz: 1_000)
    _ = try renderer.render(inputs: [noise(1, 640), noise(2, 640)], frames: 640)
    try renderer.engine.setMute(route: "out", isMuted: true)
    _ = try renderer.render(inputs: [], frames: 640)
    var lists = Lists(renderer.engine)
    #expect(lists.activeRoutes == [0] && lists.idleOutputs.isEmpty)
    #expect(unsafe !lists.plan.pointee.areActiveRoutesHeard && lists.plan.pointee.meteredCount == 2)
    _ = try renderer.render(inputs: [], frames: 20_000)
    lists = Lists(renderer.engine)
    #expect(lists.activeRoutes.isEmpty && lists.meteredOutputs.isEmpty && lists.groups.isEmpty)
    #expect(lists.idleOutputs == [0, 1] && lists.comparedOutputs.isEmpty)
    #expect(unsafe lists.plan.pointee.meteredCount == 0)
  }

  @Test func `lists are made once, and again behind a cycle in which a gain has landed`() throws {
    let engine = try Self.engine(oneToOne())
    func areStale() -> Bool {
      Self.play(engine)
      return unsafe engine.renderer.core.pointee.areListsStale
    }
    #expect(!areStale())
    try engine.setFader(strip: "in", decibels: -6, fade: .frames(40))
    // The lists of its last 24 frames keep what was heard in the first 40.
    #expect(areStale())
    #expect(!areStale())
  }

  @Test func `only the levels of outputs that sound are compared with their limits`() throws {
    var spec = MixSpec(
      strips: [StripSpec(id: "in", channels: 1)],
      routes: ["a", "b", "c"].map { RouteSpec(id: $0, channels: 1) },
      sends: [SendSpec(strip: "in", route: "c")],
    )
    spec.routes[2].limiter = LimiterSpec(ceilingDB: -6)
    var renderer = try OfflineRenderer(spec)
    _ = try renderer.render(inputs: [constant(0.25, 64)], frames: 64)
    let plan = unsafe renderer.engine.renderer.core.pointee.plan
    let (levels, limits) = unsafe (plan.pointee.outputLevels, plan.pointee.outputLimits)
    // The memory before them holds levels that would pass.
    let memory = UnsafeMutablePointer<MixLevel>.allocate(capacity: 12)
    unsafe memory.initialize(repeating: MixLevel(peak: 0, squares: 0), count: 6)
    unsafe (memory + 6).initialize(
      repeating: MixLevel(peak: .infinity, squares: .infinity),
      count: 6
    )
    for output in 0..<3 {
      unsafe memory[3 + output] = levels[output]
      unsafe memory[9 + output] = limits[output]
    }
    unsafe plan.pointee.outputLevels = UnsafeMutableBufferPointer(start: memory + 3, count: 3)
    unsafe plan.pointee.outputLimits = UnsafeMutableBufferPointer(start: memory + 9, count: 3)
    let output = try renderer.render(inputs: [constant(0.8, 64)], frames: 64)[2]
    unsafe plan.pointee.outputLevels = levels
    unsafe plan.pointee.outputLimits = limits
    unsafe memory.deallocate()
    #expect(output == constant(Decibels.linear(fromDB: -6), 64))
  }

  @Test func `all gains of a mix can move at once`() throws {
    let names = ["a", "b", "c"]
    let engine = try Self.engine(
      MixSpec(
        strips: zip(names, [.a, .b, .a] as [StripSpec.CrossfaderSide]).map {
          StripSpec(id: $0, channels: 1, crossfaderSide: $1)
        },
        routes: [RouteSpec(id: "out", channels: 1)],
        sends: names.map { SendSpec(strip: $0, route: "out") },
      )
    )
    let fade = Fade.frames(1_000)
    for name in names {
      try engine.setFader(strip: name, decibels: -6, fade: fade)
      try engine.setMute(strip: name, isMuted: true, fade: fade)
      try engine.setGate(strip: name, isOpen: false, fade: fade)
      try engine.setDuck(strip: name, decibels: -6, fade: fade)
      try engine.setSend(strip: name, route: "out", decibels: -6, fade: fade)
    }
    try engine.setSolo(strip: "c", isSoloed: true, fade: fade)
    try engine.setCrossfader(position: 0.5, fade: fade)
    try engine.setRouteGain(route: "out", decibels: -6, fade: fade)
    try engine.setMute(route: "out", isMuted: true, fade: fade)
    Self.play(engine)
    // All but the solo of the strip that is soloed.
    #expect(unsafe engine.renderer.core.pointee.movingCount == 3 * 6 + 3 + 2 - 1)
    Self.play(engine, frames: 1_000)
    #expect(unsafe engine.renderer.core.pointee.movingCount == 0)
  }

  @Test func `ramps that nobody asked to hear of fill no queue`() throws {
    let names = (0..<4).map { "\($0)" }
    let engine = try Self.engine(
      MixSpec(
        strips: names.map { StripSpec(id: $0, channels: 1) },
        routes: [RouteSpec(id: "out", channels: 1)],
        sends: names.map { SendSpec(strip: $0, route: "out") },
      ),
      queueCapacity: 16,
    )
    Self.play(engine)
    for round in 0..<6 {
      for name in names {
        try engine.setFader(strip: name, decibels: -Double(round + 1))
        try engine.setMute(strip: name, isMuted: round % 2 == 0)
        try engine.setSend(strip: name, route: "out", decibels: -Double(round + 1))
      }
      Self.play(engine, cycles: 5)
      #expect(unsafe engine.renderer.core.pointee.movingCount == 0)
    }
  }

  @Test
  func `the end of a ramp is reported where it was asked for, of gates and of sends at silence`() {
    let header = UnsafeMutablePointer<RampGroup.Header>.allocate(capacity: 1)
    unsafe header.initialize(to: RampGroup.Header(groupID: 1))
    defer { unsafe header.deallocate() }
    for kind in [GainRamp.Kind.plain, .gate, .send] {
      for target in [0, 0.5, 1] as [Float] {
        var ramp = unsafe GainRamp(restingAt: target, header: header, kind: kind)
        #expect(ramp.isReported == (kind == .gate || (kind == .send && target == 0)))
        for id in [1, 2] as [UInt32] {
          ramp.reportID = id
          #expect(ramp.isReported)
        }
      }
    }
  }
}
