// SPDX-License-Identifier: MIT

/// One channel of a client that is moved to its strip, read from its first sample on.
///
/// The client plays one constant level, and its strip has a lower gain: so each sample shows its signal path.
///
/// Pure value: [any-thread].
struct MoveReading: Equatable, Sendable {
  /// The index in the recording at which it was first heard.
  private(set) var start = 0
  /// Frames until the client was heard through its strip only.
  private(set) var directFrames = 0
  /// The longest silence after that start, in frames.
  private(set) var longestGapFrames = 0
  /// Samples that arrived on both paths, or at any other level.
  private(set) var doubledFrames = 0
  /// Whether it is heard through its strip in the end.
  private(set) var isMoved = false

  /// Reads a recording; nil if it is silent.
  ///
  /// - Parameters:
  ///   - samples: The recording.
  ///   - levelLinear: The level of the direct path.
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
