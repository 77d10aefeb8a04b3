// SPDX-License-Identifier: MIT

/// The first thing on a strip's way to the hardware that keeps all of it from being heard.
///
/// The order of the cases is that of the judgement; see ``MixHearing``.
///
/// A plain value: [any-thread].
public enum StripSilence: Sendable, Hashable {
  /// The mix has no such strip.
  case noStrip
  /// The gate from above is closed; see ``StripSpec/isGated``.
  case gate
  /// It is lowered to nothing from above; see ``StripSpec/duckDB``.
  case duck
  /// The cue of this route is at the bottom, and the strip has no send.
  case cueGain(route: String)
  /// It is not on the cue, and has no send.
  case noSend
  /// It is muted.
  case mute
  /// Its send to this route is muted.
  case sendMute(route: String)
  /// Its send to this route is at the bottom.
  case sendGain(route: String)
  /// The matrix or the pan of its send to this route lets no channel through.
  case channels(route: String)
  /// Its fader is at the bottom.
  case fader
  /// The crossfader stands on the other side.
  case crossfader
  /// This strip is soloed instead.
  case solo(of: String)
  /// This route is muted.
  case routeMute(route: String)
  /// This route is at the bottom.
  case routeGain(route: String)
  /// The ports of this route are missing.
  case away(route: String)
  /// Nobody is connected to these channels of this route, the only ones with a share of the strip.
  case cut(route: String, channels: [Int])
  /// All levels on its way to this route together are at most ``MixHearing/floorDB``.
  case faint(route: String)
}

/// The way from a route of the mix to those who hear it.
///
/// A plain value: [any-thread].
public struct RouteOutlet: Sendable, Hashable {
  /// Whether its ports are there, or another route's stand in for them.
  public var isThere: Bool

  /// The channels to which nobody is connected, from 0.
  public var cutChannels: Set<Int>

  /// Makes an outlet; by default everything is heard there.
  public init(isThere: Bool = true, cutChannels: Set<Int> = []) {
    self.isThere = isThere
    self.cutChannels = cutChannels
  }
}
