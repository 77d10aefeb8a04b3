// SPDX-License-Identifier: MIT

public import Sessions

/// Levels of all strips and routes: the parameters of the notification `meters`.
///
/// Levels are linear amplitudes (1 is full scale, 0 is silence), one per channel. They cover the time
/// since the previous notification of the connection's interval, so no peak is missed between two.
///
/// Pure value: [any-thread].
public struct Meters: Codable, Sendable, Hashable {
  /// When the levels were read.
  public var time: EventTime
  /// The strips, in the order of `status`.
  public var strips: [StripLevels]
  /// The routes, in the order of `status`.
  public var routes: [MixLevels]

  /// Makes the value from its parts.
  public init(
    time: EventTime,
    strips: [StripLevels],
    routes: [MixLevels],
  ) {
    self.time = time
    self.strips = strips
    self.routes = routes
  }
}

/// The levels of one route, or of one strip at one tap.
///
/// Pure value: [any-thread].
public struct MixLevels: Codable, Sendable, Hashable {
  /// The strip's id or the route's name.
  public var id: String
  /// The highest absolute sample of each channel.
  public var peak: [Float]
  /// The root of the mean square of each channel.
  public var rms: [Float]
  /// The lowest gain of the route's limiter, 0…1; without a limiter, and of strips, it is left out.
  public var limiterGain: Float?

  /// Makes the value from its parts.
  public init(id: String, peak: [Float], rms: [Float], limiterGain: Float? = nil) {
    self.id = id
    self.peak = peak
    self.rms = rms
    self.limiterGain = limiterGain
  }
}

/// The levels of one strip at both taps.
///
/// Pure value: [any-thread].
public struct StripLevels: Codable, Sendable, Hashable {
  /// The strip's id.
  public var id: String
  /// The highest absolute sample of each channel behind the fader.
  public var peak: [Float]
  /// The root of the mean square of each channel behind the fader.
  public var rms: [Float]
  /// The highest absolute sample of each channel before the fader.
  public var prePeak: [Float]
  /// The root of the mean square of each channel before the fader.
  public var preRMS: [Float]
  /// The tap that the graph file has displays show.
  @NamedIfKnown public var tap: MeterTap?

  /// Makes the value from its parts.
  public init(
    id: String,
    peak: [Float],
    rms: [Float],
    prePeak: [Float],
    preRMS: [Float],
    tap: MeterTap,
  ) {
    self.id = id
    self.peak = peak
    self.rms = rms
    self.prePeak = prePeak
    self.preRMS = preRMS
    _tap = NamedIfKnown(tap)
  }

  /// The levels at one tap.
  public func levels(at tap: MeterTap) -> MixLevels {
    switch tap {
    case .pre: MixLevels(id: id, peak: prePeak, rms: preRMS)
    case .post: MixLevels(id: id, peak: peak, rms: rms)
    }
  }
}

/// The place of a strip at which its level is taken.
public enum MeterTap: String, WireNamed, CaseIterable {
  /// Before fader, mute, solo, crossfader, duck and gate.
  case pre
  /// Behind all of them; silence while no send of the strip is open.
  case post
}
