// SPDX-License-Identifier: MIT

/// A brick-wall limiter: no sample leaves above the ceiling.
///
/// All channels of the route share one gain, so that the image stays where it is.
public struct LimiterSpec: Sendable, Equatable {
  /// The highest magnitude that leaves, −60…24 dB below full scale.
  public var ceilingDB: Double

  /// Time constant of the way back to 0 dB, 0.001…10 s.
  public var releaseSeconds: Double

  /// Frames that the route is delayed so that the gain can go down ahead of a peak, 0…8192.
  ///
  /// 0 attacks at once and adds no latency. Otherwise ``MixEngine/latencyFrames(ofRoute:)`` tells
  /// the delay; a change of this value starts the route's delay line anew.
  public var lookaheadFrames: Int

  /// Makes a limiter; −1 dB, 100 ms and no latency unless told otherwise.
  public init(ceilingDB: Double = -1, releaseSeconds: Double = 0.1, lookaheadFrames: Int = 0) {
    self.ceilingDB = ceilingDB
    self.releaseSeconds = releaseSeconds
    self.lookaheadFrames = lookaheadFrames
  }
}
