// SPDX-License-Identifier: MIT

/// The signal path from one strip to one route.
///
/// A plain value: [any-thread].
public struct SendSpec: Sendable, Equatable {
  /// The strip's id.
  public var strip: String

  /// The route's id.
  public var route: String

  /// Gain, −∞…24 dB.
  public var gainDB: Double

  /// Silences this send alone.
  public var isMuted: Bool

  /// Takes the signal before fader and crossfader; mute, solo, gate and duck still act.
  public var isPreFader: Bool

  /// Linear coefficients, a row for each route channel with a column for each strip channel.
  ///
  /// Each −16…16; negative turns the polarity. Nil takes the default: a mono strip goes to all
  /// channels, a mono route gets the mean of the strip's channels, otherwise channel N goes to
  /// channel N and what has no counterpart is left out.
  public var matrix: [[Float]]?

  /// Pan of this send alone, −1…1; nil takes the strip's (see ``StripSpec/pan``).
  public var pan: Double?

  /// Makes a send at 0 dB, after the fader, with the default matrix.
  public init(
    strip: String,
    route: String,
    gainDB: Double = 0,
    isMuted: Bool = false,
    isPreFader: Bool = false,
    matrix: [[Float]]? = nil,
    pan: Double? = nil,
  ) {
    self.strip = strip
    self.route = route
    self.gainDB = gainDB
    self.isMuted = isMuted
    self.isPreFader = isPreFader
    self.matrix = matrix
    self.pan = pan
  }
}

extension SendSpec {
  /// The coefficients of a send that has no matrix of its own; see ``matrix``.
  ///
  /// - Parameters:
  ///   - stripChannels: Channels of the strip, 1 or more.
  ///   - routeChannels: Channels of the route, 1 or more.
  /// - Returns: A row for each route channel with a column for each strip channel.
  /// [any-thread]
  public static func defaultMatrix(stripChannels: Int, routeChannels: Int) -> [[Float]] {
    (0..<routeChannels).map { row in
      (0..<stripChannels).map { column in
        MixSpec.defaultCoefficient(column, of: stripChannels, row, of: routeChannels)
      }
    }
  }

  /// The coefficients by which a strip is heard on another route than the one of its send; see ``RouteSpec/fallback``.
  ///
  /// - Parameters:
  ///   - matrix: The coefficients of the send; a row for each channel of its route.
  ///   - routeChannels: Channels of the other route, 1 or more.
  /// - Returns: A row for each channel of the other route.
  /// [any-thread]
  public static func matrix(_ matrix: [[Float]], heardOn routeChannels: Int) -> [[Float]] {
    let shares = defaultMatrix(stripChannels: matrix.count, routeChannels: routeChannels)
    let columns = matrix.first?.indices ?? 0..<0
    return shares.map { shares in
      columns.map { column in
        zip(shares, matrix).reduce(0) { $0 + $1.0 * $1.1[column] }
      }
    }
  }
}
