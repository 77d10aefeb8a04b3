// SPDX-License-Identifier: MIT

/// A strip: one source on its way to the routes.
public struct StripStatus: Codable, Sendable, Hashable {
  /// The id.
  public var id: String
  /// What it plays, in words: a file, a tone, JACK ports.
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
  ) {
    self.id = id
    self.source = source
    self.gainDB = gainDB
    self.muted = muted
    self.solo = solo
    self.cue = cue
    self.pan = pan
    self.crossfaderSide = crossfaderSide
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
