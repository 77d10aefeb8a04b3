// SPDX-License-Identifier: MIT

import Mixing
import Testing

@Suite("Lengths of fades")
struct FadeTests {
  @Test("decibels are twenty times the logarithm of a gain")
  func linearGains() {
    for (decibels, linear) in [(0, 1), (1, 1.122_018_4), (-20, 0.1), (20, 10)] as [(Double, Float)]
    {
      #expect(abs(Decibels.linear(fromDB: decibels) / linear - 1) < 1e-6)
    }
    #expect(Decibels.linear(fromDB: 0) == 1 && Decibels.linear(fromDB: -.infinity) == 0)
  }

  /// Frames from the start of a fade to its report.
  private func frames(_ fade: Fade, rate: Double = 48_000, standard: Double? = nil) throws -> Int {
    var renderer = try OfflineRenderer(oneToOne(), sampleRateHz: rate)
    if let standard { renderer.engine.setStandardFade(seconds: standard) }
    _ = try renderer.render(
      inputs: [],
      frames: 2000,
      changes: [
        .init(atFrame: 64) {
          try $0.setFader(strip: "in", decibels: -6, fade: fade, reportID: 1)
        }
      ],
    )
    for case .rampFinished(1, let frame) in renderer.events { return Int(frame) - 64 }
    return -1
  }

  @Test("in frames, in seconds, and the standard one")
  func lengths() throws {
    #expect(try frames(.frames(7)) == 7)
    #expect(try frames(.seconds(0.01)) == 480)
    #expect(try frames(.seconds(0.01), rate: 96_000) == 960)
    #expect(try frames(.standard) == 240)
    #expect(try frames(.standard, rate: 96_000) == 480)
    #expect(try frames(.standard, standard: 0.02) == 960)
    // 0.48 frames, and 0.72.
    #expect(try frames(.seconds(0.000_01)) == 0)
    #expect(try frames(.seconds(0.000_015)) == 1)
  }

  @Test("one that is no length is a step, and one that is too long is long")
  func edges() throws {
    for fade in [.none, .frames(-5), .seconds(-1), .seconds(.nan)] as [Fade] {
      #expect(try frames(fade) == 0, "\(fade)")
    }
    var renderer = try OfflineRenderer(oneToOne())
    try renderer.engine.setFader(strip: "in", decibels: -.infinity, fade: .seconds(.infinity))
    let output = try renderer.render(inputs: [constant(1, 1000)], frames: 1000)[0]
    #expect(output.allSatisfy { $0 > 0.999 && $0 <= 1 })
  }

  @Test("decibels of a gain are those it was made of")
  func decibels() {
    #expect(Decibels.linear(fromDB: 0) == 1)
    #expect(Decibels.linear(fromDB: 20) == 10)
    #expect(Decibels.linear(fromDB: -.infinity) == 0)
    #expect(Decibels.decibels(fromLinear: 10) == 20)
    #expect(Decibels.decibels(fromLinear: 0) == -.infinity)
    #expect(Decibels.decibels(fromLinear: -1) == -.infinity)
    #expect(abs(Decibels.decibels(fromLinear: 0.5) + 6.0206) < 1e-4)
  }
}
