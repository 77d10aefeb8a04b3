// SPDX-License-Identifier: MIT

import Testing

@testable import Host

/// The crossfade between with and without effects, cycle by cycle.
@safe
struct InsertFaderTests {
  private static let frames = 128
  private static let fadeFrames = 256

  /// The output of a cycle whose dry samples and wet ones have one value each.
  private func cycle(
    _ fader: inout InsertFader,
    dry: Float,
    wet: Float?,
  ) -> [Float] {
    let dry = [Float](repeating: dry, count: Self.frames)
    let wetSamples = [Float](repeating: wet ?? 0, count: Self.frames)
    let heard = unsafe dry.withUnsafeBufferPointer { dry in
      unsafe wetSamples.withUnsafeBufferPointer { wetSamples in
        let samples = unsafe fader.select(
          channel: 0,
          own: dry.baseAddress,
          inlet: nil,
          wet: wet == nil ? nil : wetSamples.baseAddress,
          isMissing: wet == nil,
          frames: Self.frames,
        )
        return (0..<Self.frames).map { unsafe samples?[$0] ?? .nan }
      }
    }
    fader.finishCycle(frames: Self.frames, isHere: wet != nil)
    return heard
  }

  private func largestStep(_ samples: [Float]) -> Float {
    zip(samples, samples.dropFirst()).map { abs($1 - $0) }.max() ?? 0
  }

  @Test func `it goes to the effects in a straight line, and is exact at both ends`() {
    var fader = InsertFader(channels: 1, fadeFrames: Self.fadeFrames)
    var heard = cycle(&fader, dry: 1, wet: -1)
    #expect(heard.allSatisfy { $0 == 1 })
    fader.setTarget(1)
    for _ in 1...2 { heard += cycle(&fader, dry: 1, wet: -1) }
    #expect(largestStep(heard) <= 2.01 / Float(Self.fadeFrames))
    let after = cycle(&fader, dry: 1, wet: -1)
    #expect(after.allSatisfy { $0 == -1 })
    #expect(fader.landed == 1)
  }

  @Test func `a miss while the effects' share goes back adds nothing to the sound`() {
    var fader = InsertFader(channels: 1, fadeFrames: Self.fadeFrames)
    fader.setTarget(1)
    for _ in 1...3 { _ = cycle(&fader, dry: 1, wet: 1) }
    // The rest of the sound is heard at the mix's own port.
    var levels = (1...Self.frames).map { 1 - Float($0) / 480 }
    let heard = unsafe levels.withUnsafeMutableBufferPointer { levels -> [Float] in
      guard let base = levels.baseAddress else { return [] }
      let outlet = unsafe fader.select(
        channel: 0,
        own: base,
        inlet: nil,
        wet: nil,
        isMissing: true,
        share: InsertFader.Share(levels: base, last: 1),
        frames: Self.frames,
      )
      return (0..<Self.frames).map { unsafe (outlet?[$0] ?? .nan) + 1 - base[$0] }
    }
    #expect(heard.allSatisfy { abs($0 - 1) < 1e-6 })
  }

  @Test func `where they are missing it goes from the last sample to the dry ones in 64 frames`() {
    var fader = InsertFader(channels: 1, fadeFrames: Self.fadeFrames)
    fader.setTarget(1)
    for _ in 1...3 { _ = cycle(&fader, dry: 0.5, wet: -0.5) }
    let before = cycle(&fader, dry: 0.5, wet: -0.5)
    let gap = cycle(&fader, dry: 0.5, wet: nil)
    #expect(largestStep(before + gap) <= 1.01 / 64)
    #expect(gap[63...].allSatisfy { $0 == 0.5 })
    #expect(fader.landed == 0)
    let next = cycle(&fader, dry: 0.5, wet: nil)
    #expect(next.allSatisfy { $0 == 0.5 })
    let back = cycle(&fader, dry: 0.5, wet: -0.5)
    #expect(largestStep(next + back) <= 1.01 / Float(Self.fadeFrames))
  }
}
