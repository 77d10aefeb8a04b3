// SPDX-License-Identifier: MIT

import Mixing
import Testing

/// Moves of the crossfader that the audio thread makes itself, at the frame of a controller's message.
@Suite struct CrossfaderMoveTests {
  /// Frames of the standard ramp, 5 ms at 48 kHz.
  static let ramp = 240

  /// Two decks at the crossfader's ends into one route each, so that each gain can be read from its output.
  static func decks(_ curve: CrossfaderSpec.Curve = .linear, at position: Double = -1) -> MixSpec {
    MixSpec(
      strips: [
        StripSpec(id: "a", channels: 1, crossfaderSide: .a),
        StripSpec(id: "b", channels: 1, crossfaderSide: .b),
        StripSpec(id: "voice", channels: 1),
      ],
      routes: ["a", "b", "voice"].map { RouteSpec(id: $0, channels: 1) },
      sends: ["a", "b", "voice"].map { SendSpec(strip: $0, route: $0) },
      crossfader: CrossfaderSpec(position: position, curve: curve),
    )
  }

  static func inputs(_ frames: Int) -> [[Float]] { Array(repeating: constant(1, frames), count: 3) }

  @Test(arguments: [1, 7, 64, 256, 1024, 4096])
  func `a move begins at its frame, whatever the block, and lands 5 ms later`(block: Int) throws {
    var renderer = try OfflineRenderer(Self.decks(), blockFrames: block)
    let start = 777
    let output = try renderer.render(
      inputs: Self.inputs(3_000),
      frames: 3_000,
      moves: [.init(atFrame: start, to: 1)],
    )
    #expect(output[0][...start].allSatisfy { $0 == 1 })
    #expect(output[0][start + 1] < 1)
    #expect(output[0][start + Self.ramp - 1] > 0)
    #expect(output[0][(start + Self.ramp)...].allSatisfy { $0 == 0 })
    #expect(output[1][...start].allSatisfy { $0 == 0 })
    #expect(output[1][(start + Self.ramp)...].allSatisfy { $0 == 1 })
    #expect(output[2].allSatisfy { $0 == 1 })
    #expect(largestStep(output[0]) <= 1.001 / Float(Self.ramp))
    #expect(renderer.events.contains(.crossfaderMoved(position: 1, frame: UInt64(start))))
    #expect(renderer.engine.spec.crossfader.position == 1)
  }

  @Test func `a move takes as long as the ramp of the arrangement that is played`() throws {
    var renderer = try OfflineRenderer(Self.decks(), blockFrames: 64)
    let output = try renderer.render(
      inputs: Self.inputs(4_000),
      frames: 4_000,
      changes: [
        .init(atFrame: 1_000) { engine in
          engine.setStandardFade(seconds: 0.02)
          try engine.apply(engine.spec, tag: 2)
        }
      ],
      moves: [.init(atFrame: 100, to: 1), .init(atFrame: 2_000, to: -1)],
    )[0]
    #expect(output[100] == 1 && output[101] < 1)
    #expect(output[100 + Self.ramp - 1] > 0 && output[100 + Self.ramp] == 0)
    #expect(output[2_000] == 0 && output[2_001] > 0)
    #expect(output[2_000 + 4 * Self.ramp - 1] < 1 && output[2_000 + 4 * Self.ramp] == 1)
  }

  @Test(arguments: CrossfaderSpec.Curve.allCases)
  func `a move has the gains that control gives to the same position`(
    curve: CrossfaderSpec.Curve
  ) throws {
    for position in stride(from: -1.0, through: 1, by: 0.037) {
      var moved = try OfflineRenderer(Self.decks(curve), blockFrames: 64)
      let direct = try moved.render(
        inputs: Self.inputs(600),
        frames: 600,
        moves: [.init(atFrame: 100, to: position)],
      )
      var set = try OfflineRenderer(Self.decks(curve), blockFrames: 64)
      let commanded = try set.render(
        inputs: Self.inputs(600),
        frames: 600,
        changes: [.init(atFrame: 100) { try $0.setCrossfader(position: position) }],
      )
      #expect(largestDifference(direct, commanded) < 1e-6)
      #expect(direct.map(\.last) == commanded.map(\.last))
    }
  }

  @Test
  func
    `moves of one cycle happen each at its frame, and one that comes out of order with the last`()
    throws
  {
    var renderer = try OfflineRenderer(Self.decks(), blockFrames: 1024)
    let output = try renderer.render(
      inputs: Self.inputs(2_048),
      frames: 2_048,
      moves: [
        .init(atFrame: 100, to: 0), .init(atFrame: 600, to: 1), .init(atFrame: 500, to: -1),
      ],
    )[0]
    #expect(output[100] == 1 && output[101] < 1)
    #expect(output[100 + Self.ramp] == 0.5 && output[600] == 0.5)
    #expect(output[601] > 0.5)
    #expect(output[600 + Self.ramp] == 1)
    #expect(
      renderer.events.filter { if case .crossfaderMoved = $0 { true } else { false } }
        == [.crossfaderMoved(position: -1, frame: 600)]
    )
  }

  @Test func `a thousand moves in a cycle end at the last position`() throws {
    var renderer = try OfflineRenderer(Self.decks(), blockFrames: 1024)
    let output = try renderer.render(
      inputs: Self.inputs(2_048),
      frames: 2_048,
      moves: (0..<1_000).map { .init(atFrame: $0, to: Double($0) / 999 * 2 - 1) },
    )
    #expect(output[0].last == 0 && output[1].last == 1)
    #expect(largestStep(output[1]) <= 1.001 / Float(Self.ramp))
    #expect(renderer.engine.spec.crossfader.position == 1)
  }

  @Test func `the newer of a move and a setting counts`() throws {
    var renderer = try OfflineRenderer(Self.decks(), blockFrames: 256)
    let engine = renderer.engine
    // The setting comes after the move, but before control has heard of it.
    _ = engine.renderer.beginCycle(atFrame: 0)
    engine.renderer.moveCrossfader(to: 1, atFrameOffset: 5)
    let silence = unsafe [UnsafePointer<Float>?](repeating: nil, count: 3)
    let skipped = unsafe [UnsafeMutablePointer<Float>?](repeating: nil, count: 3)
    unsafe engine.renderer.mix(inputs: silence, outputs: skipped, frames: 256)
    try engine.setCrossfader(position: -0.5)
    #expect(engine.collect() == [.planAdopted(tag: 0, frame: 0)])
    #expect(engine.spec.crossfader.position == -0.5)
    let output = try renderer.render(inputs: Self.inputs(1_024), frames: 1_024)
    #expect(output[0].last == 0.75 && output[1].last == 0.25)
    // The move comes after the setting.
    let after = try renderer.render(
      inputs: Self.inputs(1_024),
      frames: 1_024,
      changes: [.init(atFrame: 0) { try $0.setCrossfader(position: 0.5) }],
      moves: [.init(atFrame: 3, to: 0)],
    )
    #expect(after[0].last == 0.5)
    #expect(engine.spec.crossfader.position == 0)
    #expect(after[1].last == 0.5)
  }

  /// Moves the crossfader as the audio thread does, without telling control.
  private static func move(_ engine: MixEngine, to position: Double) {
    _ = engine.renderer.beginCycle(atFrame: 0)
    engine.renderer.moveCrossfader(to: position, atFrameOffset: 5)
    let silence = unsafe [UnsafePointer<Float>?](repeating: nil, count: 4)
    let skipped = unsafe [UnsafeMutablePointer<Float>?](repeating: nil, count: 4)
    unsafe engine.renderer.mix(inputs: silence, outputs: skipped, frames: 256)
  }

  private static func hasMoved(_ events: [MixEvent]) -> Bool {
    events.contains { if case .crossfaderMoved = $0 { true } else { false } }
  }

  @Test func `another mix overrules an earlier move by its crossfader, and only by that`() throws {
    for (position, isOverruled) in [(-0.5, true), (-1.0, false)] {
      var renderer = try OfflineRenderer(Self.decks(), blockFrames: 256)
      let engine = renderer.engine
      Self.move(engine, to: 1)
      var spec = engine.spec
      spec.crossfader.position = position
      spec.strips[2].faderDB = -6
      try engine.apply(spec)
      #expect(Self.hasMoved(engine.collect()) == !isOverruled)
      #expect(engine.spec.crossfader.position == (isOverruled ? position : 1))
      let output = try renderer.render(inputs: Self.inputs(1_024), frames: 1_024)
      #expect(output[0].last == (isOverruled ? 0.75 : 0))
    }
  }

  @Test func `a strip that is on its way when the crossfader moves arrives where it stands`() throws
  {
    var renderer = try OfflineRenderer(Self.decks(), blockFrames: 256)
    let engine = renderer.engine
    Self.move(engine, to: 1)
    var spec = engine.spec
    spec.strips.append(StripSpec(id: "late", channels: 1, crossfaderSide: .a))
    spec.routes.append(RouteSpec(id: "late", channels: 1))
    spec.sends.append(SendSpec(strip: "late", route: "late"))
    try engine.apply(spec)
    #expect(Self.hasMoved(engine.collect()))
    let inputs = Array(repeating: constant(1, 1_024), count: 4)
    _ = try renderer.render(inputs: inputs, frames: 1_024)
    let output = try renderer.render(inputs: inputs, frames: 1_024)
    #expect(output.map(\.last) == [0, 1, 1, 0])
  }

  @Test func `the last of several moves counts where a strip comes between them`() throws {
    var renderer = try OfflineRenderer(Self.decks(), blockFrames: 256)
    let engine = renderer.engine
    Self.move(engine, to: 0)
    var spec = engine.spec
    spec.strips.append(StripSpec(id: "late", channels: 1, crossfaderSide: .a))
    spec.routes.append(RouteSpec(id: "late", channels: 1))
    spec.sends.append(SendSpec(strip: "late", route: "late"))
    try engine.apply(spec)
    Self.move(engine, to: 1)
    #expect(Self.hasMoved(engine.collect()))
    #expect(engine.spec.crossfader.position == 1)
    let inputs = Array(repeating: constant(1, 1_024), count: 4)
    _ = try renderer.render(inputs: inputs, frames: 1_024)
    let output = try renderer.render(inputs: inputs, frames: 1_024)
    #expect(output.map(\.last) == [0, 1, 1, 0])
  }

  @Test func `a mix with the position from before a move takes the crossfader back`() throws {
    for position in [-1.0, -0.5] {
      var renderer = try OfflineRenderer(Self.decks(), blockFrames: 256)
      let before = renderer.engine.spec
      _ = try renderer.render(
        inputs: Self.inputs(512),
        frames: 512,
        moves: [.init(atFrame: 3, to: position), .init(atFrame: 300, to: 1)],
      )
      #expect(renderer.engine.spec.crossfader.position == 1)
      try renderer.engine.apply(before)
      let output = try renderer.render(inputs: Self.inputs(512), frames: 512)
      #expect(output.map(\.last) == [1, 0, 1])
    }
  }

  @Test func `a move follows the curve and the sides of the mix that is played`() throws {
    var renderer = try OfflineRenderer(Self.decks(.linear), blockFrames: 256)
    func heard(to position: Double) throws -> [Float?] {
      let moves = [OfflineRenderer.Move(atFrame: 3, to: position)]
      return try renderer.render(inputs: Self.inputs(512), frames: 512, moves: moves).map(\.last)
    }
    #expect(try heard(to: 0) == [0.5, 0.5, 1])
    var spec = renderer.engine.spec
    spec.crossfader.curve = .fullCenter
    try renderer.engine.apply(spec)
    #expect(try heard(to: 0) == [1, 1, 1])
    #expect(try heard(to: 1) == [0, 1, 1])
    spec.crossfader.position = 1
    spec.strips[0].crossfaderSide = .b
    spec.strips[1].crossfaderSide = .none
    try renderer.engine.apply(spec)
    #expect(try heard(to: 1) == [1, 1, 1])
    #expect(try heard(to: -1) == [0, 1, 1])
  }

  @Test func `a move without a ramp is heard from its frame on`() throws {
    for frame in [0, 1, 100, 255] {
      var renderer = try OfflineRenderer(Self.decks(), blockFrames: 256)
      renderer.engine.setStandardFade(seconds: 0)
      try renderer.engine.apply(renderer.engine.spec, tag: 2)
      let output = try renderer.render(
        inputs: Self.inputs(512),
        frames: 512,
        moves: [.init(atFrame: frame, to: 1)],
      )
      #expect(output[0] == constant(1, frame) + constant(0, 512 - frame), "\(frame)")
      #expect(output[1] == constant(0, frame) + constant(1, 512 - frame), "\(frame)")
      #expect(output[2] == constant(1, 512))
    }
  }

  @Test func `a setting that waits for room in the queue overrules an earlier move`() throws {
    let engine = try MixEngine(
      Self.decks(),
      configuration: .init(sampleRateHz: 48_000, queueCapacity: 4),
    )
    Self.move(engine, to: 1)
    for _ in 0..<4 { try engine.setFader(strip: "voice", decibels: -6) }
    try engine.setCrossfader(position: -0.5)
    #expect(!Self.hasMoved(engine.collect()))
    #expect(engine.spec.crossfader.position == -0.5)
  }

  @Test func `a strip that comes later stands where the move has put the crossfader`() throws {
    var renderer = try OfflineRenderer(Self.decks(), blockFrames: 256)
    _ = try renderer.render(
      inputs: Self.inputs(1_024),
      frames: 1_024,
      moves: [.init(atFrame: 10, to: 1)],
    )
    var spec = renderer.engine.spec
    spec.strips[2].crossfaderSide = .b
    spec.strips.append(StripSpec(id: "late", channels: 1, crossfaderSide: .a))
    spec.sends.append(SendSpec(strip: "late", route: "voice"))
    try renderer.engine.apply(spec)
    let output = try renderer.render(
      inputs: Array(repeating: constant(1, 2_048), count: 4),
      frames: 2_048,
    )
    #expect(output[2].last == 1)
    let back = try renderer.render(
      inputs: Array(repeating: constant(1, 2_048), count: 4),
      frames: 2_048,
      moves: [.init(atFrame: 1_000, to: -1)],
    )
    #expect(back.map(\.last) == [1, 0, 1])
    #expect(largestStep(back[2]) <= 2.002 / Float(Self.ramp))
  }
}
