// SPDX-License-Identifier: MIT

import Glibc
import Testing

@testable import LatencyLab

@Suite struct LevelTraceTests {
  /// 100 frames at full level, a ramp of `frames` in dB to `decibels`, and 100 frames there.
  private static func ramp(to decibels: Double, frames: Int) -> LevelTrace {
    let gains = (0..<frames).map { Float(pow(10, decibels * Double($0 + 1) / Double(frames) / 20)) }
    let samples =
      [Float](repeating: 1, count: 100) + gains
      + [Float](repeating: gains.last ?? 1, count: 100)
    return LevelTrace(samples.map { $0 * 0.25 }, fullLevelLinear: 0.25)
  }

  @Test func findsWhereARampBeginsAndEnds() throws {
    let change = try #require(Self.ramp(to: -14, frames: 960).change)
    #expect(change.start == 100)
    #expect(change.end == 100 + 959)
    #expect(change.frames == 959)
    #expect(abs(change.stepDB + 14) < 0.001)
  }

  @Test func silenceMustBeExact() throws {
    let samples: [Float] = [1, 1, 0.5, 1e-9, 1e-9, 0, 0]
    let change = try #require(LevelTrace(samples, fullLevelLinear: 1).change)
    #expect(change.start == 2)
    #expect(change.end == 5)
    #expect(change.stepDB == -.infinity)
  }

  @Test func whatStandsHasNoChange() {
    #expect(LevelTrace([Float](repeating: 0.3, count: 10), fullLevelLinear: 0.25).change == nil)
    #expect(LevelTrace([], fullLevelLinear: 1).change == nil)
  }

  @Test func tellsTheSteepestStep() {
    let trace = Self.ramp(to: -14, frames: 960)
    #expect(abs(trace.steepestDB(withinFrames: 96) - 1.4) < 0.001)
    #expect(trace.steepestDB(withinFrames: 5000) == 0)
    // Down to silence is no step that dB can tell.
    #expect(LevelTrace([1, 1, 0, 0], fullLevelLinear: 1).steepestDB(withinFrames: 1) == 0)
  }

  @Test func readsAPromptThatLowersMusic() throws {
    let level: Float = 0.2
    let music =
      [Float](repeating: 1, count: 1000) + [Float](repeating: level, count: 2000)
      + [Float](repeating: 1, count: 1000)
    let prompt =
      [Float](repeating: 0, count: 1010) + [Float](repeating: 1, count: 1900)
      + [Float](repeating: 0, count: 1090)
    let step = RoleStep(
      music: LevelTrace(music, fullLevelLinear: 1),
      prompt: LevelTrace(prompt, fullLevelLinear: 1),
      requestIndex: 500,
    )
    let reading = try #require(RoleStory.read(step))
    #expect(reading.heard == 510)
    #expect(reading.lowered == -10)
    #expect(reading.fall == 0)
    #expect(reading.back == 90)
    #expect(abs(reading.remainingPercent - 20) < 0.001)

    // A prompt that is not heard, and music that does not come back, are no readings.
    var deaf = step
    deaf.prompt = LevelTrace([Float](repeating: 0, count: 4000), fullLevelLinear: 1)
    #expect(RoleStory.read(deaf) == nil)
    var lost = step
    lost.music = step.music[..<2500]
    #expect(RoleStory.read(lost) == nil)
  }
}
