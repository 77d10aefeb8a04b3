// SPDX-License-Identifier: MIT

/// What became of a preferred buffer size.
struct BufferOutcome: Equatable, Sendable {
  /// The size that holds now, in frames.
  let actualFrames: Int
  /// Why it is not the wanted one, or how it came to be; for people.
  let reason: String
}

/// Brings a server to a preferred buffer size, or as near as it goes.
enum BufferNegotiation {
  /// Tries sizes until one holds.
  ///
  /// - Parameters:
  ///   - wantedFrames: The preferred size.
  ///   - currentFrames: The size that holds now.
  ///   - set: Asks the server for a size, and returns the size that holds then, or nil when it
  ///     refused.
  /// - Returns: The size that holds at the end, and why.
  static func run(
    wantedFrames: Int,
    currentFrames: Int,
    set: (Int) async -> Int?,
  ) async -> BufferOutcome {
    guard wantedFrames != currentFrames else {
      return BufferOutcome(actualFrames: currentFrames, reason: "as preferred")
    }
    var refused: [Int] = []
    var holds = currentFrames
    for candidate in BufferSizeCandidates.around(wantedFrames) {
      if let actual = await set(candidate) {
        holds = actual
        if actual == candidate { return outcome(wantedFrames, candidate, refused: refused) }
      }
      refused.append(candidate)
    }
    return BufferOutcome(
      actualFrames: holds,
      reason: "the driver refused \(wantedFrames) frames and every size near it",
    )
  }

  private static func outcome(_ wanted: Int, _ actual: Int, refused: [Int]) -> BufferOutcome {
    guard actual != wanted else {
      return BufferOutcome(actualFrames: actual, reason: "as preferred, set by the host")
    }
    let reason =
      refused.isEmpty
      ? "JACK allows \(BufferSizeCandidates.allowedFrames.lowerBound) to "
        + "\(BufferSizeCandidates.allowedFrames.upperBound) frames"
      : "the driver refused \(wanted) frames; \(actual) is the nearest size that works"
    return BufferOutcome(actualFrames: actual, reason: reason)
  }
}
