// SPDX-License-Identifier: MIT

/// Takes the error of JACK's clock filter out of wake-up delays.
///
/// The server predicts the start of each cycle with a filter that takes seconds to settle after an
/// xrun: meanwhile every delay is off by milliseconds, slowly getting less. No cycle starts before
/// it is due, so the lower convex hull of the delays over time shows that error.
enum ScheduleFloor {
  /// A delay against JACK's prediction.
  struct Point {
    var atNanoseconds: Int64
    var delayNanoseconds: Int64
  }

  /// The delays of a stretch of time without the filter's error.
  ///
  /// - Parameters:
  ///   - points: In order of time, none at the same time.
  ///   - toleranceNanoseconds: A floor this near to zero is the machine's, not the filter's, and is
  ///     left in.
  /// - Returns: One delay per point.
  static func corrected(_ points: [Point], toleranceNanoseconds: Int64) -> [Int64] {
    let hull = lowerHull(of: points)
    var segment = 0
    return points.map { point in
      while segment + 2 < hull.count, hull[segment + 1].atNanoseconds <= point.atNanoseconds {
        segment += 1
      }
      let floor = Self.floor(at: point.atNanoseconds, from: hull, segment)
      return abs(floor) <= toleranceNanoseconds
        ? point.delayNanoseconds : point.delayNanoseconds - floor
    }
  }

  private static func floor(at time: Int64, from hull: [Point], _ segment: Int) -> Int64 {
    guard segment + 1 < hull.count else { return hull[segment].delayNanoseconds }
    let (left, right) = (hull[segment], hull[segment + 1])
    let share =
      Double(time - left.atNanoseconds) / Double(right.atNanoseconds - left.atNanoseconds)
    let rise = Double(right.delayNanoseconds - left.delayNanoseconds)
    return left.delayNanoseconds + Int64((share * rise).rounded())
  }

  /// The corners of the lower convex hull, by Andrew's monotone chain.
  private static func lowerHull(of points: [Point]) -> [Point] {
    var hull: [Point] = []
    for point in points {
      while hull.count >= 2 {
        let (a, b) = (hull[hull.count - 2], hull[hull.count - 1])
        let rise = Double(b.delayNanoseconds - a.delayNanoseconds)
        let run = Double(b.atNanoseconds - a.atNanoseconds)
        let nextRise = Double(point.delayNanoseconds - a.delayNanoseconds)
        let nextRun = Double(point.atNanoseconds - a.atNanoseconds)
        guard rise * nextRun >= nextRise * run else { break }
        hull.removeLast()
      }
      hull.append(point)
    }
    return hull
  }
}
