// SPDX-License-Identifier: MIT

import Glibc

/// The gain of a signal path over time, sample by sample, read from a constant signal in it.
///
/// Pure value: [any-thread].
struct LevelTrace: Equatable, Sendable {
  /// One move from a level that stands to another that stands.
  struct Change: Equatable, Sendable {
    /// The first sample that is not at the old level.
    var start: Int
    /// The first sample from which on all are at the new one.
    var end: Int
    /// Gain before, linear.
    var fromGainLinear: Float
    /// Gain after, linear.
    var toGainLinear: Float

    /// Samples between the two.
    var frames: Int { end - start }
    /// The new level above the old one in dB; -inf for silence.
    var stepDB: Double { 20 * log10(Double(toGainLinear) / Double(fromGainLinear)) }
  }

  /// The gain of each frame, linear.
  let gains: [Float]

  /// Reads a recording.
  ///
  /// - Parameters:
  ///   - samples: The recorded samples.
  ///   - fullLevelLinear: The level of the signal where the path's gain is 1; not 0.
  init(_ samples: some Collection<Float>, fullLevelLinear: Float) {
    gains = samples.map { $0 / fullLevelLinear }
  }

  /// A part of the trace, counted from its own start.
  subscript(range: some RangeExpression<Int>) -> LevelTrace {
    LevelTrace(gains[range], fullLevelLinear: 1)
  }

  /// The move from the first level to the last.
  ///
  /// Levels count as one where they are within a millionth; what becomes 0 must be exactly 0.
  ///
  /// - Returns: The change; nil where all stands at one level, or the trace is empty.
  var change: Change? {
    guard let first = gains.first, let last = gains.last,
      let start = gains.firstIndex(where: { !Self.isSame($0, first) }),
      let end = gains.lastIndex(where: { !Self.isSame($0, last) })
    else { return nil }
    return Change(start: start, end: end + 1, fromGainLinear: first, toGainLinear: last)
  }

  /// The steepest move within so many frames in dB, among levels above -60 dB.
  func steepestDB(withinFrames frames: Int) -> Double {
    guard frames > 0, gains.count > frames else { return 0 }
    return (0..<gains.count - frames).reduce(0) { steepest, index in
      let (before, after) = (Double(gains[index]), Double(gains[index + frames]))
      guard before > Self.audibleLinear, after > Self.audibleLinear else { return steepest }
      return max(steepest, abs(20 * log10(after / before)))
    }
  }

  private static func isSame(_ gain: Float, _ other: Float) -> Bool {
    other == 0 ? gain == 0 : abs(gain - other) <= 1e-6 * max(1, abs(other))
  }

  private static let audibleLinear = 0.001
}
