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
    let above = measuredFrames - Double(claim.maximumFrames)
    let below = Double(claim.minimumFrames) - measuredFrames
    if below > Self.toleranceFrames {
      self = .overreported(frames: below)
    } else if above > Self.toleranceFrames {
      let periods = bufferFrames > 0 ? (above / Double(bufferFrames)).rounded() : 0
      let isWhole = abs(above - periods * Double(bufferFrames)) <= Self.toleranceFrames
      self =
        periods >= 1 && isWhole
        ? .unreportedPeriods(count: Int(periods)) : .unreported(frames: above)
    } else {
      self = .agrees
    }
  }

  /// The difference in words.
  public var description: String {
    switch self {
    case .agrees:
      "agrees with JACK's latency range"
    case .unreported(let frames):
      "\(ReportColumn.text(frames, decimals: 2)) frames later than JACK's latency range: a client "
        + "or the hardware does not report them"
    case .overreported(let frames):
      "\(ReportColumn.text(frames, decimals: 2)) frames earlier than JACK's latency range: a "
        + "client or the driver reports too much"
    case .unreportedPeriods(let count):
      "\(count) \(count == 1 ? "period" : "periods") later than JACK's latency range: a loop in "
        + "the graph, or a server that is not synchronous"
    }
  }

  /// Ranges are whole frames, delays are not.
  private static let toleranceFrames = 0.5
}
