// SPDX-License-Identifier: MIT

@testable import EndToEndSupport

/// A stream whose samples count its frames, so that lost cycles show.
enum PlaceStream {
  static let period = 48_000
  static let samples = (0..<period).map { Float($0 + 1) / Float(period) }

  /// The number of frames that a captured stream lacks or has twice.
  static func lostFrames(_ captured: [Float]) -> Int {
    let places = captured.map { Int(($0 * Float(period)).rounded()) - 1 }
    return zip(places, places.dropFirst()).reduce(0) { lost, pair in
      let step = (pair.1 - pair.0 - 1 + 2 * period) % period
      return lost + min(step, period - step)
    }
  }

  /// Whether a captured stream is exact but for cycles that are missing as a whole, or there twice.
  static func losesWholeCycles(_ captured: [Float], of cycleFrames: Int) -> Bool {
    let places = captured.map { Int(($0 * Float(period)).rounded()) - 1 }
    return zip(places, places.dropFirst()).allSatisfy { place, next in
      (next - place - 1 + 2 * period) % cycleFrames == 0
    }
  }

  /// Whether a captured stream, at most 2 % louder than the original, lacks whole cycles or has some twice.
  static func hasLostCycles(_ captured: [Float], of cycleFrames: Int) -> Bool {
    steps(captured).contains { step in
      let cycles = (step - 1) / Double(cycleFrames)
      return abs(cycles) > 0.9 && abs(cycles - cycles.rounded()) * Double(cycleFrames) < 3
    }
  }

  /// The largest step between two samples, in places; that from the end to the beginning is none.
  ///
  /// 1 where nothing is missing, the length of a cycle where one is there twice.
  ///
  /// - Parameters:
  ///   - captured: The samples.
  ///   - frames: How many frames after an end do not count: the sound that an effect has delayed may end in them.
  /// - Returns: The step.
  static func largestStep(_ captured: [Float], afterEnd frames: Int = 0) -> Int {
    var largest = 0.0
    var sinceEnd = Int.max
    for step in steps(captured) {
      if step < -0.9 * Double(period) { sinceEnd = 0 }
      if sinceEnd >= frames, sinceEnd > 0 { largest = max(largest, abs(step)) }
      sinceEnd = sinceEnd == .max ? .max : sinceEnd + 1
    }
    return Int(largest.rounded())
  }

  /// The steps between two samples, in places.
  private static func steps(_ captured: [Float]) -> [Double] {
    zip(captured, captured.dropFirst()).map { (Double($1) - Double($0)) * Double(period) }
  }
}
