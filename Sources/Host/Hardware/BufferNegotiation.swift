// SPDX-License-Identifier: MIT

/// The outcome of the request for a buffer size.
struct BufferOutcome: Equatable, Sendable {
  /// The size that holds now, in frames.
  let actualFrames: Int
  /// The reason for the size, in words.
  let reason: String
}

/// Brings a server to a preferred buffer size, or to the nearest possible one. [any-thread]
enum BufferNegotiation {
  /// Tries sizes until one holds.
  ///
  /// - Parameters:
  ///   - wantedFrames: The preferred size.
  ///   - currentFrames: The size that holds now.
  ///   - powersOfTwo: Whether the server takes no other sizes, as PipeWire.
  ///   - set: Asks the server for a size, and returns the size that holds then, or nil when it
  ///     refused.
  /// - Returns: The size that holds at the end, and why.
  static func run(
    wantedFrames: Int,
    currentFrames: Int,
    powersOfTwo: Bool = false,
    set: (Int) async -> Int?,
  ) async -> BufferOutcome {
    guard wantedFrames != currentFrames else {
      return BufferOutcome(actualFrames: currentFrames, reason: "as preferred")
    }
    var refused: [Int] = []
    var holds = currentFrames
    for candidate in BufferSizeCandidates.around(wantedFrames, powersOfTwo: powersOfTwo) {
      if powersOfTwo, candidate == holds {
        return outcome(wantedFrames, holds, refused: refused, powersOfTwo: powersOfTwo)
      }
      if let actual = await set(candidate) {
        holds = actual
        if actual == candidate {
          return outcome(wantedFrames, candidate, refused: refused, powersOfTwo: powersOfTwo)
        }
      }
      refused.append(candidate)
    }
    return BufferOutcome(
      actualFrames: holds,
      reason: "the driver refused \(wantedFrames) frames and every size near it",
    )
  }

  /// The outcome where a size was asked for and holds, or is taken to hold.
  static func outcome(
    _ wanted: Int,
    _ actual: Int,
    refused: [Int] = [],
    powersOfTwo: Bool,
  ) -> BufferOutcome {
    guard actual != wanted else {
      return BufferOutcome(actualFrames: actual, reason: "as preferred, set by the host")
    }
    guard !refused.isEmpty || !powersOfTwo else {
      let reason = "PipeWire takes powers of two; \(actual) is the nearest to \(wanted) frames"
      return BufferOutcome(actualFrames: actual, reason: reason)
    }
    let reason =
      refused.isEmpty
      ? "JACK allows \(BufferSizeCandidates.allowedFrames.lowerBound) to "
        + "\(BufferSizeCandidates.allowedFrames.upperBound) frames"
      : "the driver refused \(wanted) frames; \(actual) is the nearest size that works"
    return BufferOutcome(actualFrames: actual, reason: reason)
  }
}
