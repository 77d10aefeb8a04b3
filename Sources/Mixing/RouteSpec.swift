// SPDX-License-Identifier: MIT

/// One destination of the mix.
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

  /// Makes this a cue route: it hears every cued strip, and solo does not act on it.
  public var receivesCue: Bool

  /// Gain of the cued strips on this route, −∞…24 dB.
  public var cueGainDB: Double

  /// Makes a route at 0 dB without limiter or cue.
  public init(
    id: String,
    channels: Int,
    gainDB: Double = 0,
    isMuted: Bool = false,
    limiter: LimiterSpec? = nil,
    receivesCue: Bool = false,
    cueGainDB: Double = 0,
  ) {
    self.id = id
    self.channels = channels
    self.gainDB = gainDB
    self.isMuted = isMuted
    self.limiter = limiter
    self.receivesCue = receivesCue
    self.cueGainDB = cueGainDB
  }
}
