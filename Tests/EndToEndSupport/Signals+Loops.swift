// SPDX-License-Identifier: MIT

import TestSupport
import Testing

extension Signals {
  /// Expects recorded channels to be loops of others from their first sample that is not silence.
  ///
  /// - Returns: How many frames are equal.
  @discardableResult
  static func expectLoop(
    _ recorded: [[Float]],
    of references: [[Float]],
    atLeast frames: Int,
  ) throws -> Int {
    #expect(recorded.count == references.count)
    var equal = Int.max
    for (samples, reference) in zip(recorded, references) {
      let start = try #require(samples.indices.first { samples[$0] != 0 })
      let match = try #require(longestMatch(of: samples, from: start, inLoop: reference))
      #expect(start + match.frames == samples.count, "a difference at \(start + match.frames)")
      equal = min(equal, match.frames)
    }
    #expect(equal >= frames)
    return equal
  }
}
