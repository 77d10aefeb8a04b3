// SPDX-License-Identifier: MIT

/// A stream in which every sample tells its place, so that lost cycles show.
enum PlaceStream {
  static let period = 48_000
  static let samples = (0..<period).map { Float($0 + 1) / Float(period) }

  /// How many frames are missing in what was captured, or there twice.
  static func lostFrames(_ captured: [Float]) -> Int {
    let places = captured.map { Int(($0 * Float(period)).rounded()) - 1 }
    return zip(places, places.dropFirst()).reduce(0) { lost, pair in
      let step = (pair.1 - pair.0 - 1 + 2 * period) % period
      return lost + min(step, period - step)
    }
  }

  /// The largest step between two samples, in places; that from the end to the beginning is none.
  ///
  /// 1 where nothing is missing, the length of a cycle where one is there twice.
  static func largestStep(_ captured: [Float]) -> Int {
    zip(captured, captured.dropFirst()).reduce(0) { largest, pair in
      let step = pair.1 - pair.0
      return step < -0.9 ? largest : max(largest, Int((abs(step) * Float(period)).rounded()))
    }
  }
}
