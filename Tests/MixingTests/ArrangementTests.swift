// SPDX-License-Identifier: MIT

import CMixKernels
import Realtime
import Synchronization
import TestSupport
import Testing

@testable import Mixing

/// A change makes a new arrangement or only ramps, acts at a known time, reports to whoever asked, and gives memory back.
@Suite("Arrangements")
struct ArrangementTests {
  /// An engine that plays without memory, cycle by cycle.
  private struct Player {
    let engine: MixEngine
    private(set) var frame: UInt64 = 0

    init(_ spec: MixSpec, queueCapacity: Int = 8192) throws {
      engine = try MixEngine(
        spec,
        configuration: .init(sampleRateHz: 48_000, queueCapacity: queueCapacity),
      )
    }

    /// Plays cycles of 64 frames.
    mutating func play(_ cycles: Int = 1) {
      let silence = unsafe [UnsafePointer<Float>?](repeating: nil, count: 32)
      let skipped = unsafe [UnsafeMutablePointer<Float>?](repeating: nil, count: 32)
      for _ in 0..<cycles {
        unsafe engine.renderer.render(
          inputs: silence,
          outputs: skipped,
          frames: 64,
          atFrame: frame,
        )
        frame += 64
      }
    }

    /// Plays, and gives the reports of ramps.
    mutating func reports(after cycles: Int) -> [MixEvent] {
      play(cycles)
      return engine.collect().filter { if case .rampFinished = $0 { true } else { false } }
    }

    /// Plays, and gives the number of plans that were adopted.
    mutating func plans() -> Int {
      play(20)
      return engine.collect().filter { if case .planAdopted = $0 { true } else { false } }.count
    }
  }

  private static func mix() -> MixSpec {
    MixSpec(
      strips: [
        StripSpec(id: "a", channels: 1, crossfaderSide: .a),
        StripSpec(id: "b", channels: 2, crossfaderSide: .b),
        StripSpec(id: "spare", channels: 1),
      ],
      routes: [RouteSpec(id: "x", channels: 2), RouteSpec(id: "y", channels: 2)],
      sends: [
        SendSpec(strip: "b", route: "x"), SendSpec(strip: "b", route: "y"),
        SendSpec(strip: "a", route: "x"), SendSpec(strip: "a", route: "y"),
      ],
    )
  }

  /// A change of a mix, and whether it takes another plan.
  struct Change: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var isArrangement: Bool
    var edit: @Sendable (inout MixSpec) -> Void

    init(
      _ testDescription: String,
      _ isArrangement: Bool,
      _ edit: @escaping @Sendable (inout MixSpec) -> Void,
    ) {
      self.testDescription = testDescription
      self.isArrangement = isArrangement
      self.edit = edit
    }
  }

  static let changes: [Change] = [
    Change("order of strips", true) { $0.strips.swapAt(0, 1) },
    Change("order of routes", true) { $0.routes.swapAt(0, 1) },
    Change("side of the crossfader", true) { $0.strips[0].crossfaderSide = .none },
    Change("curve of the crossfader", true) { $0.crossfader.curve = .cut },
    Change("channels of a strip", true) { $0.strips[2].channels = 2 },
    Change("look-ahead", true) { $0.routes[0].limiter = LimiterSpec(lookaheadFrames: 10) },
    Change("first delay", true) { $0.routes[1].delayFrames = 1 },
    Change("new send", true) { $0.sends.append(SendSpec(strip: "spare", route: "x")) },
    Change("nothing", false) { _ in },
    Change("gains", false) {
      $0.strips[0].faderDB = -3
      $0.routes[1].gainDB = -3
      $0.sends[2].gainDB = -3
    },
    Change("switches", false) {
      $0.strips[0].isMuted = true
      $0.strips[1].isSoloed = true
      $0.routes[0].isMuted = true
    },
    Change("position of the crossfader", false) { $0.crossfader.position = 0.5 },
    Change("ceiling", false) { $0.routes[0].limiter = LimiterSpec(ceilingDB: -3) },
    Change("send that goes", false) { $0.sends.removeLast() },
  ]

  @Test(arguments: changes)
  func `only a change of the arrangement makes a new plan`(change: Change) throws {
    var player = try Player(Self.mix())
    #expect(player.plans() == 1)
    var spec = player.engine.spec
    change.edit(&spec)
    try player.engine.apply(spec)
    #expect(player.plans() == (change.isArrangement ? 1 : 0))
    try player.engine.apply(spec)
    #expect(player.plans() == 0)
    try player.engine.apply(spec, tag: 7)
    #expect(player.plans() == 1)
  }

  @Test func `a mix without any part is in force from the first cycle`() throws {
    let engine = try MixEngine(MixSpec(), configuration: .init(sampleRateHz: 48_000), tag: 5)
    #expect(engine.renderer.beginCycle(atFrame: 64) == 5)
    #expect(engine.collect() == [.planAdopted(tag: 5, frame: 64)])
  }

  @Test func `a mix that is applied again changes nothing, and disturbs no ramp`() throws {
    var player = try Player(Self.mix())
    let engine = player.engine
    player.play()
    try engine.setSend(strip: "a", route: "x", decibels: -6, fade: .frames(640), reportID: 1)
    player.play(2)
    let changes = Counter()
    engine.whenChanged { changes.count() }
    try engine.apply(engine.spec)
    #expect(changes.value == 0)
    try engine.setSolo(strip: "spare", isSoloed: true)
    #expect(changes.value == 1)
    #expect(player.reports(after: 20) == [.rampFinished(reportID: 1, frame: 64 + 640)])
  }

  @Test func `the report of a send is that of its own end, beside other sends and a cue`() throws {
    var spec = Self.mix()
    spec.strips[0].isCued = true
    spec.routes[1].receivesCue = true
    for (id, decibels) in [(1, -6), (2, -.infinity)] as [(UInt32, Double)] {
      for (strip, route) in [("a", "x"), ("a", "y"), ("b", "x"), ("b", "y")] {
        var player = try Player(spec)
        #expect(player.reports(after: 1).isEmpty)
        try player.engine.setSend(
          strip: strip,
          route: route,
          decibels: decibels,
          fade: .frames(300),
          reportID: id,
        )
        #expect(player.reports(after: 10) == [.rampFinished(reportID: id, frame: 364)])
      }
    }
  }

  @Test(arguments: [1, 2] as [UInt32])
  func `a send that was silent already reports at once`(id: UInt32) throws {
    var spec = Self.mix()
    spec.sends[0].gainDB = -.infinity
    var player = try Player(spec)
    player.play()
    try player.engine.setSend(strip: "b", route: "x", decibels: -.infinity, reportID: id)
    #expect(player.reports(after: 10) == [.rampFinished(reportID: id, frame: 64)])
  }

  @Test(arguments: [false, true])
  func `a send reports its end although its strip goes meanwhile`(isMuted: Bool) throws {
    var spec = Self.mix()
    spec.strips[0].isMuted = isMuted
    var player = try Player(spec)
    player.play()
    try player.engine.setSend(
      strip: "a",
      route: "x",
      decibels: -.infinity,
      fade: .frames(640),
      reportID: 3,
    )
    player.play()
    spec.strips.removeFirst()
    spec.sends.removeLast(2)
    try player.engine.apply(spec)
    #expect(player.reports(after: 20) == [.rampFinished(reportID: 3, frame: 64 + 640)])
  }

  // MARK: Queues

  /// Strips that are heard with 1 each on one route.
  private static func row(_ count: Int) -> MixSpec {
    MixSpec(
      strips: (0..<count).map { StripSpec(id: "\($0)", channels: 1) },
      routes: [RouteSpec(id: "out", channels: 1)],
      sends: (0..<count).map { SendSpec(strip: "\($0)", route: "out") },
    )
  }

  @Test func `changes that fill the queue act in one cycle`() throws {
    let engine = try MixEngine(
      Self.row(5),
      configuration: .init(sampleRateHz: 48_000, queueCapacity: 4),
    )
    var player = LayoutPlayer(engine: engine)
    let layouts: [UInt64: MixSpec] = [0: engine.spec]
    player.cycle(frames: 64, layouts: layouts)
    _ = engine.collect()
    var spec = engine.spec
    for strip in 1..<5 { spec.strips[strip].isMuted = true }
    try engine.apply(spec, fade: .none)
    player.cycle(frames: 64, layouts: layouts)
    #expect(player.last["out"]?.last == 1)
    // One more than fits beside a command that waits.
    try engine.setGate(strip: "0", isOpen: false, fade: .none)
    spec = engine.spec
    for strip in 1..<5 { spec.strips[strip].isMuted = false }
    try engine.apply(spec, fade: .none)
    player.cycle(frames: 64, layouts: layouts)
    #expect(player.last["out"]?.last == 0)
    _ = engine.collect()
    player.cycle(frames: 64, layouts: layouts)
    #expect(player.last["out"]?.last == 4)
  }

  @Test func `fades are known in frames and in nanoseconds`() throws {
    let engine = try MixEngine(oneToOne(), configuration: .init(sampleRateHz: 48_000))
    for (fade, frames, nanoseconds) in [
      (.none, 0, 0), (.frames(1), 1, 20_833), (.frames(480), 480, 10_000_000),
      (.standard, 240, 5_000_000), (.seconds(2), 96_000, 2_000_000_000),
    ] as [(Fade, UInt32, UInt64)] {
      let (heard, told) = engine.control.withLock { control in
        let time = control.time(fade)
        return (time.frames, time.nanoseconds)
      }
      #expect(heard == frames && told == nanoseconds)
    }
  }

  // MARK: Parts that go

  @Test func `a send that fades out holds up no other arrangement`() throws {
    let spec = Self.row(2)
    let engine = try MixEngine(spec, configuration: .init(sampleRateHz: 48_000))
    #expect(engine.renderer.beginCycle(atFrame: 0) == 0)
    try engine.setSend(strip: "0", route: "out", decibels: -.infinity, fade: .seconds(60))
    #expect(engine.renderer.beginCycle(atFrame: 0) == 0)
    var more = engine.spec
    more.strips.append(StripSpec(id: "other", channels: 1))
    try engine.apply(more, tag: 1)
    #expect(engine.renderer.beginCycle(atFrame: 0) == 1)
  }

  @Test func `a part that goes before it was ever played holds up nothing`() throws {
    let spec = Self.row(1)
    let engine = try MixEngine(spec, configuration: .init(sampleRateHz: 48_000))
    #expect(engine.renderer.beginCycle(atFrame: 0) == 0)
    try engine.apply(Self.row(2), tag: 1)
    try engine.apply(spec, fade: .seconds(60), tag: 2)
    #expect(engine.renderer.beginCycle(atFrame: 0) == 2)
  }

  @Test
  func `cells that have fallen silent leave with the next plan, and their memory with its report`()
    throws
  {
    var player = try Player(Self.row(3))
    let engine = player.engine
    func cells() -> Int { unsafe engine.renderer.core.pointee.plan.pointee.cells.count }
    func kept() -> [Int] {
      engine.control.withLock { [$0.sends.count, $0.departing.count, $0.plans.count] }
    }
    #expect(player.plans() == 1 && cells() == 3)
    try engine.setSend(strip: "1", route: "out", decibels: -.infinity)
    #expect(player.plans() == 0)
    #expect(cells() == 3 && kept() == [3, 0, 1])
    // Another plan leaves it out, and one without a strip lets that go.
    try engine.apply(engine.spec, tag: 1)
    #expect(player.plans() == 1)
    #expect(cells() == 2 && kept() == [2, 0, 1])
    var fewer = engine.spec
    fewer.strips.removeLast()
    fewer.sends.removeLast()
    try engine.apply(fewer, tag: 2)
    #expect(kept() == [1, 1, 2])
    #expect(player.plans() == 1)
    #expect(cells() == 1 && kept() == [1, 0, 1])
  }

  @Test func `a route that was never delayed has no line, and one that was keeps it`() throws {
    var spec = Self.mix()
    spec.routes[1].delayFrames = 1
    var player = try Player(spec)
    func lines() -> [Bool] {
      player.play()
      let plan = unsafe player.engine.renderer.core.pointee.plan
      return unsafe plan.pointee.routes.map { unsafe $0.delay != nil }
    }
    #expect(lines() == [false, true])
    spec.routes[1].delayFrames = 0
    try player.engine.apply(spec, tag: 1)
    #expect(lines() == [false, true])
  }

  @Test func `meters are silent at first, whatever was in their memory before`() {
    // More channels than a slab has get one of their own.
    for channels in [1, 2, 3, 8, 100] {
      let count = max(64, channels)
      let memory = UnsafeMutableRawBufferPointer.allocate(
        byteCount: count * MemoryLayout<MixTaps>.stride,
        alignment: 64,
      )
      unsafe memory.initializeMemory(as: UInt8.self, repeating: 0x3F)
      unsafe memory.deallocate()
      let taps = TapsRoom()
      let strip = StripMeterBlock(channels: channels, taps: taps)
      let route = MeterBlock(channels: channels, taps: taps)
      let silence = Array(repeating: MeterReading(peakLinear: 0, rmsLinear: 0), count: channels)
      let read = strip.read(as: StripSpec(id: "in", channels: channels))
      #expect(read.pre == silence && read.post == silence && !read.isHeard)
      #expect(strip.faults == InputFaults() && !strip.takeSounded())
      #expect(route.read() == silence)
    }
  }

  @Test func `meters lie side by side, and outlive the room that they come from`() {
    var room: TapsRoom? = TapsRoom()
    let blocks = (0..<100).compactMap { index in
      room.map { MeterBlock(channels: 1 + index % 3, taps: $0) }
    }
    room = nil
    let neighbours = zip(blocks, blocks.dropFirst()).count { block, next in
      unsafe block.taps + block.channels == next.taps
    }
    // 199 channels in slabs of 64: where three of them end, the next block begins anew.
    #expect(neighbours == 96)
    for (index, block) in blocks.enumerated() {
      for channel in 0..<block.channels {
        unsafe block.taps[channel].mean_squares = UInt64(10 * index + channel)
      }
    }
    // Slabs that are made now would get the memory of a slab that had been freed, and write to it.
    let others = (0..<8).map { _ in MeterBlock(channels: 64, taps: TapsRoom()) }
    #expect(others.allSatisfy { $0.read().count == 64 })
    for (index, block) in blocks.enumerated() {
      for channel in 0..<block.channels {
        #expect(unsafe block.taps[channel].mean_squares == UInt64(10 * index + channel))
      }
    }
  }
}
