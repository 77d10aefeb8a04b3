// SPDX-License-Identifier: MIT

import GraphFiles
import TestSupport
import Testing

@testable import Surfaces

@Suite("Takeover of faders")
struct FaderTakeoverTests {
  @Test("MID-T2 a fader picks the value up; it never pulls it over faster than a threshold in 5 ms")
  func pickup() throws {
    var fader = FaderTakeover(.pickup)
    #expect(fader.move(to: 0.10, current: 0.5, at: 0) == nil)
    #expect(fader.move(to: 0.30, current: 0.5, at: 10) == nil)
    #expect(fader.move(to: 0.48, current: 0.5, at: 20) == .init(position: 0.48))
    #expect(fader.move(to: 0.90, current: 0.48, at: 30) == .init(position: 0.90))
    let moved = fader.move(to: 0.20, current: 0.8, at: 1_030)
    let step = try #require(moved)
    #expect(step.position == 0.2)
    #expect(try #require(step.rampMilliseconds) > 0.59 / FaderTakeover.threshold * 5)
    // A move while the parameter catches up does not shorten its way.
    let further = fader.move(to: 0.21, current: 0.2, at: 1_040)
    let next = try #require(further)
    #expect(try #require(next.rampMilliseconds) > 100)
    #expect(fader.hasCaughtUp(at: 1_040) == false && fader.hasCaughtUp(at: 1_200))
  }

  @Test("MID-23 a scaled fader and its value reach the end together")
  func scaled() {
    var fader = FaderTakeover(.scaled)
    #expect(fader.move(to: 0.2, current: 0.6, at: 0) == nil)
    #expect(abs((fader.move(to: 0.6, current: 0.6, at: 10)?.position ?? 0) - 0.8) < 1e-9)
    #expect(fader.move(to: 1, current: 0.8, at: 20)?.position == 1)
    #expect(fader.move(to: 0, current: 1, at: 30)?.position == 0)
  }

  @Test("a fader that has left its value does not have it when the value is put back")
  func putBack() {
    var fader = FaderTakeover(.pickup)
    #expect(fader.move(to: 0.5, current: 0.5, at: 0) == .init(position: 0.5))
    #expect(fader.move(to: 0.3, current: 0.9, at: 10) == nil)
    #expect(fader.move(to: 0.2, current: 0.5, at: 20) == nil)
  }

  @Test("a fader that jumps gives its position at once, and is forgotten when it is plugged in")
  func jump() {
    var fader = FaderTakeover(.jump)
    #expect(fader.move(to: 0.9, current: 0.1, at: 0) == .init(position: 0.9))
    #expect(fader.isInSync(with: 0.9) && !fader.isInSync(with: 0.1))
    fader.forget()
    #expect(!fader.isInSync(with: 0.9))
  }

  @Test(
    "10,000 random traces: a parameter moves no faster than its fader, or a threshold in 5 ms",
    arguments: [ControlMapping.Takeover.pickup, .scaled]
  )
  func traces(mode: ControlMapping.Takeover) {
    var random = TestSeed.random()
    var steps = 0
    for _ in 0..<10_000 {
      var fader = FaderTakeover(mode)
      var current = Double.random(in: 0...1, using: &random)
      var hardware = Double.random(in: 0...1, using: &random)
      var now = 0.0
      _ = fader.move(to: hardware, current: current, at: now)
      for _ in 0..<20 {
        now += Double.random(in: 1...50, using: &random)
        // Now and then somebody else moves the parameter.
        if Int.random(in: 0..<8, using: &random) == 0 {
          current = Double.random(in: 0...1, using: &random)
        }
        let way = Int.random(in: 0..<4, using: &random) == 0 ? 0.6 : 0.03
        let before = hardware
        hardware = min(max(hardware + Double.random(in: -way...way, using: &random), 0), 1)
        let wasInSync = fader.isInSync(with: current)
        guard let step = fader.move(to: hardware, current: current, at: now) else { continue }
        steps += 1
        let travel = abs(step.position - current)
        let allowed =
          (mode == .pickup ? wasInSync : true)
          ? max(abs(hardware - before), FaderTakeover.threshold) : FaderTakeover.threshold
        let slices = max(1, (step.rampMilliseconds ?? 5) / FaderTakeover.thresholdMilliseconds)
        #expect(travel <= allowed + 1e-9 || travel / slices <= FaderTakeover.threshold + 1e-9)
        #expect((-1e-9...1 + 1e-9).contains(step.position))
        current = step.position
      }
    }
    #expect(steps > 10_000)
  }

  @Test("a fader that a hand moves slowly to the value always gets hold of it")
  func alwaysPicksUp() {
    for current in stride(from: 0.0, through: 1, by: 0.05) {
      var fader = FaderTakeover(.pickup)
      var position: Double?
      for value in 0...127 {
        if let step = fader.move(
          to: Double(value) / 127,
          current: position ?? current,
          at: Double(value)
        ) {
          position = step.position
        }
      }
      #expect(position == 1)
    }
  }
}
