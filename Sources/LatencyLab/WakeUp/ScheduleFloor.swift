// SPDX-License-Identifier: MIT

/// Takes the error of JACK's clock filter out of wake-up delays.
///
/// The server predicts the start of each cycle with a filter that takes seconds to settle after an xrun; until
/// then every delay is wrong by milliseconds, with a slowly falling error. A cycle never starts before it is
/// due, so the lower convex hull of the delays over time shows that error. At an xrun the driver begins a new
/// schedule, so each schedule has its own hull.
///
/// Pure value: [any-thread].
enum ScheduleFloor {
  /// A delay against JACK's prediction.
  struct Point {
    var atNanoseconds: Int64
    var delayNanoseconds: Int64
  }

  /// The delays of a stretch of time without the filter's error.
  ///
  /// - Parameters:
  ///   - points: Points in order of time, at different times.
  ///   - toleranceNanoseconds: A floor this near to zero is the machine's, not the filter's, and is
  ///     left in.
  /// - Returns: One delay per point.
  static func corrected(_ points: [Point], toleranceNanoseconds: Int64) -> [Int64] {
    schedules(in: points, leastShiftNanoseconds: 2 * toleranceNanoseconds).flatMap {
      correctedSchedule($0, toleranceNanoseconds: toleranceNanoseconds)
    }
  }

  /// Cuts where the delays shift and stay shifted; a single late cycle is no such place.
  private static func schedules(
    in points: [Point],
    leastShiftNanoseconds: Int64,
  ) -> [ArraySlice<Point>] {
    func floor(_ range: Range<Int>) -> Int64 {
      points[range].reduce(.max) { min($0, $1.delayNanoseconds) }
    }
    var cuts = [0]
    for index in points.indices.dropFirst(neighbours).dropLast(neighbours - 1) {
      let step = points[index].delayNanoseconds - points[index - 1].delayNanoseconds
      guard abs(step) > leastShiftNanoseconds / 2 else { continue }
      let after = floor(index + 1..<index + neighbours)
      // The late cycle that an xrun is belongs to the schedule before it.
      guard abs(points[index].delayNanoseconds - after) <= leastShiftNanoseconds else { continue }
      let shift = after - floor(index - neighbours..<index)
      if abs(shift) > leastShiftNanoseconds { cuts.append(index) }
    }
    return zip(cuts, cuts.dropFirst() + [points.count]).map { points[$0..<$1] }
  }

  private static func correctedSchedule(
    _ points: ArraySlice<Point>,
    toleranceNanoseconds: Int64,
  ) -> [Int64] {
    // The ends are always corners of the hull: a late cycle there must not be the floor.
    var anchored = points
    if let first = points.prefix(neighbours).map(\.delayNanoseconds).min(),
      let last = points.suffix(neighbours).map(\.delayNanoseconds).min()
    {
      anchored[anchored.startIndex].delayNanoseconds = first
      anchored[anchored.endIndex - 1].delayNanoseconds = last
    }
    let hull = lowerHull(of: anchored)
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
  private static func lowerHull(of points: ArraySlice<Point>) -> [Point] {
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

  /// Number of cycles before and after a place that distinguish a new schedule from a late cycle.
  private static let neighbours = 4
}
