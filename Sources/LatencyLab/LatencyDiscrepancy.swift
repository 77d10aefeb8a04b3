// SPDX-License-Identifier: MIT

/// The named difference between a measured delay and what JACK claims.
public enum LatencyDiscrepancy: Equatable, Sendable, CustomStringConvertible {
  /// The measured delay lies within the claimed range (half a frame allowed).
  case agrees
  /// The path is later than claimed by so many frames.
  case unreported(frames: Double)
  /// The path is earlier than claimed by so many frames.
  case overreported(frames: Double)
  /// The path is later than claimed by whole periods: a loop in the graph or a server that is not
  /// synchronous.
  case unreportedPeriods(count: Int)

  /// Names the difference.
  ///
  /// - Parameters:
  ///   - measuredFrames: The delay measured.
  ///   - claim: What JACK claims.
  ///   - bufferFrames: The period.
  public init(measuredFrames: Double, claim: LatencyClaim, bufferFrames: Int) {
    fatalError("unwritten")
  }

  /// The difference in words.
  public var description: String { fatalError("unwritten") }
}
