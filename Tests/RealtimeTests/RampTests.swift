// SPDX-License-Identifier: MIT

import Foundation
import Realtime
import Testing

@Suite("Ramp")
struct RampTests {
  @Test("is linear, and exact at both ends", arguments: [1, 2, 3, 100, 48_000] as [UInt32])
  func linear(frames: UInt32) {
    var ramp = Ramp(restingAt: 0.25)
    ramp.retarget(to: 1, frames: frames, shape: .linear)
    for frame in 0..<frames {
      let expected = 0.25 + 0.75 * Float(frame) / Float(frames)
      #expect(abs(ramp.value(afterFrames: frame) - expected) < 1e-6)
    }
    #expect(ramp.value == 0.25)
    #expect(ramp.value(afterFrames: frames) == 1)
    ramp.advance(frames: frames)
    #expect(ramp.value == 1)
    #expect(ramp.remainingFrames == 0)
  }

  @Test("an exponential one moves in equal decibels")
  func exponential() {
    var ramp = Ramp(restingAt: 1)
    ramp.retarget(to: 0.1, frames: 1000, shape: .exponential)
    for frame in stride(from: 0, to: 1000, by: 50) {
      let decibels = 20 * log10(Double(ramp.value(afterFrames: UInt32(frame))))
      #expect(abs(decibels + 20 * Double(frame) / 1000) < 1e-4)
    }
    #expect(ramp.value(afterFrames: 1000) == 0.1)
  }

  @Test("an exponential one to silence falls to −100 dB and then is silent")
  func exponentialToSilence() {
    var ramp = Ramp(restingAt: 1)
    ramp.retarget(to: 0, frames: 100, shape: .exponential)
    #expect(abs(ramp.value(afterFrames: 50) - 0.003_162_28) < 1e-7)
    #expect(ramp.value(afterFrames: 99) > 1e-5)
    #expect(ramp.value(afterFrames: 100) == 0)
    ramp.advance(frames: 100)
    ramp.retarget(to: 1, frames: 100, shape: .exponential)
    #expect(ramp.value == 0)
    #expect(ramp.value(afterFrames: 1) < 2e-5)
  }

  @Test(
    "a new target starts from wherever the ramp is",
    arguments: [.linear, .exponential] as [Ramp.Shape]
  )
  func retargeting(shape: Ramp.Shape) {
    var ramp = Ramp(restingAt: 1)
    ramp.retarget(to: 0.01, frames: 100, shape: shape)
    ramp.advance(frames: 37)
    let before = ramp.value
    ramp.retarget(to: 1, frames: 50, shape: shape)
    #expect(ramp.value == before)
    ramp.advance(frames: 1000)
    #expect(ramp.value == 1)
  }

  @Test("a ramp of 0 frames is a step, and a change of sign goes straight")
  func edges() {
    var ramp = Ramp(restingAt: 1)
    ramp.retarget(to: 0.5, frames: 0, shape: .linear)
    #expect(ramp.value == 0.5)
    ramp.retarget(to: -0.5, frames: 10, shape: .exponential)
    #expect(abs(ramp.value(afterFrames: 5)) < 1e-6)
  }

  @Test("time beyond the end changes nothing, and time within it adds up")
  func advancing() {
    var ramp = Ramp(restingAt: 0)
    #expect(ramp.totalFrames == 0)
    #expect(ramp.remainingFrames == 0)
    ramp.retarget(to: 1, frames: 10, shape: .linear)
    #expect(ramp.totalFrames == 10)
    ramp.advance(frames: 3)
    ramp.advance(frames: 4)
    #expect(ramp.elapsedFrames == 7)
    #expect(ramp.remainingFrames == 3)
    #expect(abs(ramp.value - 0.7) < 1e-6)
    #expect(abs(ramp.value(afterFrames: 2) - 0.9) < 1e-6)
    #expect(ramp.value(afterFrames: 3) == 1)
    ramp.advance(frames: 100)
    #expect(ramp.totalFrames == 0)
    #expect(ramp.elapsedFrames == 0)
    #expect(ramp.start == 1)
    ramp.advance(frames: 1)
    #expect(ramp.value == 1)
  }

  @Test("a ramp from or to a negative gain is linear, and one from silence is not")
  func shapes() {
    var ramp = Ramp(restingAt: -1)
    ramp.retarget(to: 1, frames: 4, shape: .exponential)
    #expect(ramp.shape == .linear)
    ramp = Ramp(restingAt: 1)
    ramp.retarget(to: -1, frames: 4, shape: .exponential)
    #expect(ramp.shape == .linear)
    ramp = Ramp(restingAt: 0)
    ramp.retarget(to: 1, frames: 4, shape: .exponential)
    #expect(ramp.shape == .exponential)
    ramp.retarget(to: 0, frames: 4, shape: .exponential)
    #expect(ramp.shape == .exponential)
  }

  @Test("half-way in decibels is the geometric mean, from any gain to any other")
  func geometricMean() {
    for (start, target) in [(0.5, 0.02), (0.02, 0.5), (2, 8), (4, 0.25)] as [(Float, Float)] {
      var ramp = Ramp(restingAt: start)
      ramp.retarget(to: target, frames: 100, shape: .exponential)
      let mean = (start * target).squareRoot()
      #expect(abs(ramp.value(afterFrames: 50) / mean - 1) < 1e-6)
    }
  }
}
