// SPDX-License-Identifier: MIT

import Testing

@testable import LatencyLab

@Suite struct ScheduleFloorTests {
  private static let millisecond: Int64 = 1_000_000

  /// Cycles every 2.667 ms, on time but for jitter of up to 50 µs, with a filter's error on top.
  private static func points(
    error: (Double) -> Double,
  ) -> (points: [ScheduleFloor.Point], truth: [Int64]) {
    var random = TestRandom(9)
    var points: [ScheduleFloor.Point] = []
    var truth: [Int64] = []
    for cycle in 0..<190 {
      let time = Int64(cycle) * 2_667_000
      let jitter = Int64.random(in: 0...50_000, using: &random)
      let wrong = Int64(error(Double(time) / 1e9) * 1e9)
      truth.append(jitter)
      points.append(ScheduleFloor.Point(atNanoseconds: time, delayNanoseconds: jitter + wrong))
    }
    return (points, truth)
  }

  @Test func leavesASmallFloorAlone() {
    let (points, _) = Self.points { _ in 0.00005 }
    let corrected = ScheduleFloor.corrected(points, toleranceNanoseconds: 110_000)
    #expect(corrected == points.map(\.delayNanoseconds))
  }

  @Test(arguments: [0.006, -0.006])
  func takesOutAFilterThatSettles(error: Double) {
    let (points, truth) = Self.points { error * (1 - $0) }
    let corrected = ScheduleFloor.corrected(points, toleranceNanoseconds: 100_000)
    for (found, expected) in zip(corrected, truth) {
      // The remaining error is at most the tolerance and the least jitter near by.
      #expect(abs(found - expected) <= 101_000)
      #expect(found >= -100_000)
    }
  }

  @Test func keepsASingleLateCycle() {
    var (points, _) = Self.points { _ in 0.006 }
    points[70].delayNanoseconds += 3 * Self.millisecond
    let corrected = ScheduleFloor.corrected(points, toleranceNanoseconds: 100_000)
    #expect(corrected.max() == corrected[70])
    #expect(corrected[70] > 2_900_000)
    #expect(corrected.filter { $0 > 200_000 }.count == 1)
  }

  @Test(arguments: [0.006, -0.006])
  func beginsANewScheduleAtAnXrun(shift: Double) {
    var (points, truth) = Self.points { $0 < 0.25 ? 0 : shift * (1.25 - $0) }
    // The late cycle that the xrun was.
    points[93].delayNanoseconds += 4 * Self.millisecond
    truth[93] += 4 * Self.millisecond
    let corrected = ScheduleFloor.corrected(points, toleranceNanoseconds: 100_000)
    #expect(corrected.count == points.count)
    for (found, expected) in zip(corrected, truth) { #expect(abs(found - expected) <= 101_000) }
  }

  @Test func copesWithFewPoints() {
    let one = ScheduleFloor.Point(atNanoseconds: 5, delayNanoseconds: 7_000_000)
    #expect(ScheduleFloor.corrected([], toleranceNanoseconds: 10).isEmpty)
    #expect(ScheduleFloor.corrected([one], toleranceNanoseconds: 10) == [0])
  }
}
