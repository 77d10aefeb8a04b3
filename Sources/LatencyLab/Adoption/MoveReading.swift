// SPDX-License-Identifier: MIT

/// What one channel of a client that was moved to its strip has sounded like, from its first sample on.
///
/// The client plays one constant level, and its strip is lower: so each sample tells which way it came.
struct MoveReading: Equatable, Sendable {
  /// Where in the recording it was first heard.
  private(set) var start = 0
  /// How long until it was heard through its strip only, in frames.
  private(set) var directFrames = 0
  /// The longest silence after that start, in frames.
  private(set) var longestGapFrames = 0
  /// Samples that came both ways, or at any other level.
  private(set) var doubledFrames = 0
  /// Whether it is heard through its strip in the end.
  private(set) var isMoved = false

  /// Reads a recording; nil where nothing was heard.
  ///
  /// - Parameters:
  ///   - samples: What was heard.
  ///   - levelLinear: The level of the direct way.
  ///   - stripGainLinear: The gain of the strip, below 1.
  init?(_ samples: [Float], levelLinear: Float, stripGainLinear: Float) {
    guard let start = samples.firstIndex(where: { $0 != 0 }) else { return nil }
    self.start = start
    var gap = 0
    for (index, sample) in samples.enumerated().dropFirst(start) {
      gap = sample == 0 ? gap + 1 : 0
      longestGapFrames = max(longestGapFrames, gap)
      isMoved = abs(sample - levelLinear * stripGainLinear) < Self.tolerance
      if abs(sample - levelLinear) < Self.tolerance {
        directFrames = index - start + 1
      } else if sample != 0, !isMoved {
        doubledFrames += 1
      }
    }
  }

  private static let tolerance: Float = 1e-5
}
