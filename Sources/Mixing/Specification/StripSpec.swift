// SPDX-License-Identifier: MIT

/// One source of the mix.
///
/// A plain value: [any-thread].
public struct StripSpec: Sendable, Equatable, Identifiable {
  /// The end of the crossfader to which a strip belongs.
  public enum CrossfaderSide: String, Sendable, CaseIterable {
    /// The end at −1.
    case a
    /// The end at 1.
    case b
    /// Neither: the crossfader does not touch the strip.
    case none
  }

  /// The place at which displays show the level unless they are asked for the other one; both are metered.
  public enum MeterTap: String, Sendable, CaseIterable {
    /// Before fader, mute, solo, crossfader, duck and gate.
    case pre
    /// Behind all of them.
    case post
  }

  /// The name that sends refer to; unique among the strips.
  public var id: String

  /// Number of input channels, 1 or more.
  public var channels: Int

  /// Fader, −∞…24 dB.
  public var faderDB: Double

  /// Silences all sends; the cue still hears the strip.
  public var isMuted: Bool

  /// While any strip is soloed, those that are not are silent everywhere but on the cue routes.
  public var isSoloed: Bool

  /// Sends the strip to every cue route, before fader, crossfader, mute, solo and pan.
  public var isCued: Bool

  /// Silences everything that the strip sends, the cue too: for interruptions from above.
  public var isGated: Bool

  /// Lowers everything that the strip sends, the cue too: for ducking from above, −∞…24 dB.
  public var duckDB: Double

  /// The end of the crossfader to which the strip belongs.
  public var crossfaderSide: CrossfaderSide

  /// Pan of a mono strip, balance of a stereo one, −1 (left) … 1 (right); nil leaves both sides
  /// alone.
  ///
  /// Acts on sends from mono and stereo strips to stereo routes that have no matrix of their own.
  /// Mono pans with equal power: cos and sin of (pan + 1)·π/4, −3 dB each in the middle. Stereo is
  /// balanced by the same law with the middle at 0 dB, and never raised:
  /// left = min(1, √2·cos), right = min(1, √2·sin).
  public var pan: Double?

  /// The place at which displays show the level; it changes nothing that is heard.
  public var meterTap: MeterTap

  /// Makes a strip at 0 dB, on no side of the crossfader, without pan.
  public init(
    id: String,
    channels: Int,
    faderDB: Double = 0,
    isMuted: Bool = false,
    isSoloed: Bool = false,
    isCued: Bool = false,
    isGated: Bool = false,
    duckDB: Double = 0,
    crossfaderSide: CrossfaderSide = .none,
    pan: Double? = nil,
    meterTap: MeterTap = .post,
  ) {
    self.id = id
    self.channels = channels
    self.faderDB = faderDB
    self.isMuted = isMuted
    self.isSoloed = isSoloed
    self.isCued = isCued
    self.isGated = isGated
    self.duckDB = duckDB
    self.crossfaderSide = crossfaderSide
    self.pan = pan
    self.meterTap = meterTap
  }
}
