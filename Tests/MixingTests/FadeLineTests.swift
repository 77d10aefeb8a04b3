// SPDX-License-Identifier: MIT

import Mixing
import Realtime
import Testing

/// Fades in equal steps of amplitude, compared with a straight line at each frame.
@Suite("Lines of fades")
struct FadeLineTests {
  /// A factor of the gain from strip "in" to route "out", to be sent to silence and back.
  enum Factor: CaseIterable {
    case fader, mute, solo, gate, duck, crossfader, send, routeGain, routeMute

    func set(_ engine: MixEngine, isSilent: Bool, fade: Fade) throws {
      let decibels = isSilent ? -Double.infinity : 0
      switch self {
      case .fader: try engine.setFader(strip: "in", decibels: decibels, fade: fade)
      case .mute: try engine.setMute(strip: "in", isMuted: isSilent, fade: fade)
      case .solo: try engine.setSolo(strip: "other", isSoloed: isSilent, fade: fade)
      case .gate: try engine.setGate(strip: "in", isOpen: !isSilent, fade: fade)
      case .duck: try engine.setDuck(strip: "in", decibels: decibels, fade: fade)
      case .crossfader: try engine.setCrossfader(position: isSilent ? 1 : -1, fade: fade)
      case .send: try engine.setSend(strip: "in", route: "out", decibels: decibels, fade: fade)
      case .routeGain: try engine.setRouteGain(route: "out", decibels: decibels, fade: fade)
      case .routeMute: try engine.setMute(route: "out", isMuted: isSilent, fade: fade)
      }
    }
  }

  private static func mix() -> MixSpec {
    MixSpec(
      strips: [
        StripSpec(id: "in", channels: 1, crossfaderSide: .a), StripSpec(id: "other", channels: 1),
      ],
      routes: [RouteSpec(id: "out", channels: 1)],
      sends: [SendSpec(strip: "in", route: "out")],
      crossfader: CrossfaderSpec(position: -1, curve: .linear),
    )
  }

  private func expect(
    _ output: [Float],
    within tolerance: Float = 1e-5,
    _ comment: String = "",
    _ line: (Int) -> Float,
  ) {
    let first = output.indices.first { abs(output[$0] - line($0)) > tolerance }
    #expect(first == nil, "\(comment) \(first.map { "\(output[$0]), not \(line($0))" } ?? "")")
  }

  @Test(arguments: Factor.allCases)
  func `each factor goes down and up in a line, and is exact at both ends`(factor: Factor) throws {
    let (down, up, fade) = (37, 500, 300)
    var renderer = try OfflineRenderer(Self.mix(), blockFrames: 100)
    let output = try renderer.render(
      inputs: [constant(1, 1_000)],
      frames: 1_000,
      changes: [
        .init(atFrame: down) { try factor.set($0, isSilent: true, fade: .frames(fade)) },
        .init(atFrame: up) { try factor.set($0, isSilent: false, fade: .frames(fade)) },
      ],
    )[0]
    expect(output) { frame in
      frame < up
        ? max(0, 1 - Float(max(0, frame - down)) / Float(fade))
        : min(1, Float(frame - up) / Float(fade))
    }
    #expect(output[...down].allSatisfy { $0 == 1 } && output[(up + fade)...].allSatisfy { $0 == 1 })
    #expect(output[(down + fade)...up].allSatisfy { $0 == 0 })
  }

  @Test(arguments: Factor.allCases)
  func `a fade that is asked for ahead of the first cycle begins with it`(factor: Factor) throws {
    var renderer = try OfflineRenderer(Self.mix())
    try factor.set(renderer.engine, isSilent: true, fade: .frames(100))
    let output = try renderer.render(inputs: [constant(1, 200)], frames: 200)[0]
    expect(output, within: 1e-6) { max(0, 1 - Float($0) / 100) }
  }

  @Test(arguments: [0, 1, 2, 31, 32, 33, 100])
  func `a send that comes is heard in a line from silence on, and reports its end`(
    fade: Int
  ) throws {
    var spec = Self.mix()
    spec.sends = []
    var renderer = try OfflineRenderer(spec)
    let start = 70
    let output = try renderer.render(
      inputs: [constant(1, 300)],
      frames: 300,
      changes: [
        .init(atFrame: start) {
          try $0.setSend(
            strip: "in",
            route: "out",
            decibels: 0,
            fade: .frames(fade),
            reportID: 5
          )
        }
      ],
    )[0]
    expect(output, within: 1e-6) { frame in
      frame < start ? 0 : min(1, Float(frame - start) / Float(max(1, fade)) + (fade == 0 ? 1 : 0))
    }
    #expect(output[(start + fade)...].allSatisfy { $0 == 1 })
    #expect(renderer.events.contains(.rampFinished(reportID: 5, frame: UInt64(start + fade))))
  }

  @Test(arguments: [7, 1_024])
  func `a fade that is replaced at any frame goes on in a line from there`(block: Int) throws {
    // Beside strips that stand still, on two routes.
    let names = ["a", "b", "c"]
    let spec = MixSpec(
      strips: names.map { StripSpec(id: $0, channels: 1) },
      routes: ["x", "y"].map { RouteSpec(id: $0, channels: 1) },
      sends: names.flatMap { strip in ["x", "y"].map { SendSpec(strip: strip, route: $0) } },
    )
    let target = Decibels.linear(fromDB: -20)
    for cut in 1...70 {
      var renderer = try OfflineRenderer(spec, blockFrames: block)
      let outputs = try renderer.render(
        inputs: [constant(0.25, 300), constant(1, 300), constant(0.5, 300)],
        frames: 300,
        changes: [
          .init(atFrame: 0) { try $0.setFader(strip: "b", decibels: 20, fade: .frames(1_000)) },
          .init(atFrame: cut) { try $0.setFader(strip: "b", decibels: -20, fade: .frames(100)) },
        ],
      )
      let reached = 1 + 9 * Float(cut) / 1_000
      for output in outputs {
        expect(output, "replaced at \(cut)") { frame in
          0.75
            + (frame < cut
              ? 1 + 9 * Float(frame) / 1_000
              : reached + (target - reached) * min(1, Float(frame - cut) / 100))
        }
      }
    }
  }

  @Test func `a gain that has landed stays exact where another one sets out at once`() throws {
    let names = ["a", "b"]
    let spec = MixSpec(
      strips: names.map { StripSpec(id: $0, channels: 1) },
      routes: names.map { RouteSpec(id: $0, channels: 1) },
      sends: names.map { SendSpec(strip: $0, route: $0) },
    )
    for fade in 1...200 {
      var renderer = try OfflineRenderer(spec, blockFrames: 64)
      let output = try renderer.render(
        inputs: [constant(1, 300), constant(1, 300)],
        frames: 300,
        changes: [
          .init(atFrame: 0) { try $0.setGate(strip: "a", isOpen: false, fade: .frames(fade)) },
          .init(atFrame: fade) { try $0.setFader(strip: "b", decibels: -6, fade: .frames(50)) },
        ],
      )[0]
      #expect(output[fade...].allSatisfy { $0 == 0 }, "\(fade) frames")
    }
  }

  @Test func `a plan that comes in the middle of a curved fade moves no gain`() throws {
    /// Plays a curved fade; a send that nobody hears comes at a frame.
    func play(planAt frame: Int?) throws -> [Float] {
      var renderer = try OfflineRenderer(Self.mix(), blockFrames: 16)
      let comes = frame.map { frame in
        OfflineRenderer.Change(atFrame: frame) {
          try $0.setSend(strip: "other", route: "out", decibels: 0, fade: .none)
        }
      }
      let fade = OfflineRenderer.Change(atFrame: 0) {
        let fade = Fade.frames(640, shape: .exponential)
        try $0.setFader(strip: "in", decibels: -60, fade: fade)
        try $0.setRouteGain(route: "out", decibels: -60, fade: fade)
        try $0.setSend(strip: "in", route: "out", decibels: -60, fade: fade)
      }
      let changes = [fade] + (comes.map { [$0] } ?? [])
      return try renderer.render(inputs: [constant(1, 700)], frames: 700, changes: changes)[0]
    }
    let expected = try play(planAt: nil)
    for frame in [5, 16, 31, 40, 333] {
      #expect(try largestDifference([play(planAt: frame)], [expected]) < 1e-6, "\(frame)")
    }
  }
}
