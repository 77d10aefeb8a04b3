// SPDX-License-Identifier: MIT

/// One destination of the mix.
///
/// A plain value: [any-thread].
public struct RouteSpec: Sendable, Equatable, Identifiable {
  /// The name that sends refer to; unique among the routes.
  public var id: String

  /// Number of output channels, 1 or more.
  public var channels: Int

  /// Gain of everything that arrives, −∞…24 dB.
  public var gainDB: Double

  /// Silences the route.
  public var isMuted: Bool

  /// Holds the route below a ceiling; nil is no limiter.
  public var limiter: LimiterSpec?

  /// Frames by which everything is later than it has to be, at most ``longestDelaySeconds``: to
  /// bring routes of different latency together.
  ///
  /// Changes are faded over, without a click and without a gap; a longer delay begins once so much
  /// has been played.
  public var delayFrames: Int

  /// Makes this a cue route: it hears every cued strip, and solo does not act on it.
  public var receivesCue: Bool

  /// Gain of the cued strips on this route, −∞…24 dB.
  public var cueGainDB: Double

  /// The id of the route on which this one is heard, because its own outputs are away; nil for none.
  ///
  /// Everything that arrives here is heard there, too: behind the gain and the mute of this route, and in front of the gain, mute, limiter
  /// and delay of the other one. Channels go by the default of ``SendSpec/matrix``. The other route has no fallback itself.
  public var fallback: String?

  /// The longest delay in seconds.
  public static let longestDelaySeconds = 0.5

  /// Makes a route at 0 dB without limiter, delay, cue or fallback.
  public init(
    id: String,
    channels: Int,
    gainDB: Double = 0,
    isMuted: Bool = false,
    limiter: LimiterSpec? = nil,
    delayFrames: Int = 0,
    receivesCue: Bool = false,
    cueGainDB: Double = 0,
    fallback: String? = nil,
  ) {
    self.id = id
    self.channels = channels
    self.gainDB = gainDB
    self.isMuted = isMuted
    self.limiter = limiter
    self.delayFrames = delayFrames
    self.receivesCue = receivesCue
    self.cueGainDB = cueGainDB
    self.fallback = fallback
  }
}

/// A brick-wall limiter: no sample leaves above the ceiling.
///
/// All channels of the route share one gain, so that the image stays where it is.
///
/// A plain value: [any-thread].
public struct LimiterSpec: Sendable, Equatable {
  /// The highest magnitude that leaves, −60…24 dB below full scale.
  public var ceilingDB: Double

  /// Time constant of the return to 0 dB, 0.001…10 s.
  public var releaseSeconds: Double

  /// Frames that the route is delayed so that the gain can go down ahead of a peak, 0…8192.
  ///
  /// 0 attacks at once and adds no latency. Otherwise ``MixEngine/latencyFrames(ofRoute:)`` gives
  /// the delay; a change of this value starts the route's delay line anew.
  public var lookaheadFrames: Int

  /// Makes a limiter; by default −1 dB, 100 ms and no latency.
  public init(ceilingDB: Double = -1, releaseSeconds: Double = 0.1, lookaheadFrames: Int = 0) {
    self.ceilingDB = ceilingDB
    self.releaseSeconds = releaseSeconds
    self.lookaheadFrames = lookaheadFrames
  }
}
