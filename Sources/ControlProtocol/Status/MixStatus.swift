// SPDX-License-Identifier: MIT

/// A strip: the channel strip of one source or session.
///
/// Pure value: [any-thread].
public struct StripStatus: Codable, Sendable, Hashable {
  /// The id.
  public var id: String
  /// Its source, in words: a file, a tone, JACK ports.
  public var source: String
  /// The gain in dB, "-inf" for silence.
  public var gainDB: Double
  /// Whether it is muted.
  public var muted: Bool
  /// Whether it is soloed.
  public var solo: Bool
  /// Whether it is heard on the cue route.
  public var cue: Bool
  /// −1 is left, 1 is right.
  public var pan: Double
  /// The side of the crossfader that it is on, `null` for neither.
  @OrNull public var crossfaderSide: CrossfaderSide?
  /// The tap at which displays show its level.
  @NamedIfKnown public var meter: MeterTap?
  /// The samples of its input that were no sound; `null` if there were none since the host attached.
  @OrNull public var faults: InputFaultStatus?

  /// Makes the value from its parts.
  public init(
    id: String,
    source: String,
    gainDB: Double,
    muted: Bool,
    solo: Bool,
    cue: Bool,
    pan: Double,
    crossfaderSide: CrossfaderSide?,
    meter: MeterTap = .post,
    faults: InputFaultStatus? = nil,
  ) {
    self.id = id
    self.source = source
    self.gainDB = gainDB
    self.muted = muted
    self.solo = solo
    self.cue = cue
    self.pan = pan
    self.crossfaderSide = crossfaderSide
    _meter = NamedIfKnown(meter)
    self.faults = faults
  }
}

/// The samples of an input that were no sound, since the host attached.
///
/// Pure value: [any-thread].
public struct InputFaultStatus: Codable, Sendable, Hashable {
  /// Samples that were replaced by silence: infinite, not a number, or 60 dB over full scale.
  public var silencedSamples: UInt64
  /// Samples that were clamped to 24 dB over full scale.
  public var clampedSamples: UInt64
  /// When the host last saw more of them, on CLOCK_MONOTONIC.
  public var lastMonotonicNanoseconds: UInt64

  /// Makes the value from its parts.
  public init(silencedSamples: UInt64, clampedSamples: UInt64, lastMonotonicNanoseconds: UInt64) {
    self.silencedSamples = silencedSamples
    self.clampedSamples = clampedSamples
    self.lastMonotonicNanoseconds = lastMonotonicNanoseconds
  }
}

/// A side of the crossfader.
public enum CrossfaderSide: String, Codable, Sendable, Hashable, CaseIterable {
  /// Alone at −1.
  case a
  /// Alone at 1.
  case b
}

/// The crossfader.
///
/// Pure value: [any-thread].
public struct CrossfaderStatus: Codable, Sendable, Hashable {
  /// −1 is side A alone, 1 is side B alone.
  public var position: Double
  /// The curve's name from the graph.
  public var curve: String

  /// Makes the value from its parts.
  public init(position: Double, curve: String) {
    self.position = position
    self.curve = curve
  }
}

/// The send from a strip to a route.
///
/// Pure value: [any-thread].
public struct SendStatus: Codable, Sendable, Hashable {
  /// The strip's id.
  public var strip: String
  /// The route's name.
  public var route: String
  /// The gain in dB, "-inf" for silence.
  public var gainDB: Double
  /// Whether it is muted.
  public var muted: Bool
  /// The gain from each strip channel to each route channel, where set one by one.
  public var cells: [Cell]

  /// Makes the value from its parts.
  public init(
    strip: String,
    route: String,
    gainDB: Double,
    muted: Bool,
    cells: [Cell],
  ) {
    self.strip = strip
    self.route = route
    self.gainDB = gainDB
    self.muted = muted
    self.cells = cells
  }
}

/// Pure value: [any-thread].
extension SendStatus {
  /// One cell of a matrix: the gain from a channel of the strip to a channel of the route, counted from
  /// 1.
  public struct Cell: Codable, Sendable, Hashable {
    /// The strip's channel.
    public var stripChannel: Int
    /// The route's channel.
    public var routeChannel: Int
    /// The gain in dB, "-inf" for silence.
    public var gainDB: Double

    /// Makes the value from its parts.
    public init(stripChannel: Int, routeChannel: Int, gainDB: Double) {
      self.stripChannel = stripChannel
      self.routeChannel = routeChannel
      self.gainDB = gainDB
    }
  }
}

/// A connection at one of the host's ports that a user made or removed by hand.
///
/// Pure value: [any-thread].
public struct PatchStatus: Codable, Sendable, Hashable {
  /// The full name of the output.
  public var source: String
  /// The full name of the input.
  public var destination: String
  /// Whether it was made; otherwise it was removed.
  public var made: Bool
  /// Whether it is kept over the host's end.
  public var kept: Bool

  /// Makes the value from its parts.
  public init(source: String, destination: String, made: Bool, kept: Bool) {
    self.source = source
    self.destination = destination
    self.made = made
    self.kept = kept
  }
}
