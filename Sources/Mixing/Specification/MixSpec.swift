// SPDX-License-Identifier: MIT

import CMixKernels

/// A mix as it should be: strips, routes, and the sends between them.
///
/// A plain value. ``MixEngine/apply(_:fade:tag:)`` finds the changes and applies them without a click.
///
/// Its functions compute from its values only: [any-thread].
public struct MixSpec: Sendable, Equatable {
  /// The sources, in the order of the renderer's inputs.
  public var strips: [StripSpec]

  /// The destinations, in the order of the renderer's outputs.
  public var routes: [RouteSpec]

  /// The sends: at most one from a strip to a route; without a send the strip is not heard on the
  /// route.
  public var sends: [SendSpec]

  /// The crossfader.
  public var crossfader: CrossfaderSpec

  /// Makes a mix; empty by default.
  public init(
    strips: [StripSpec] = [],
    routes: [RouteSpec] = [],
    sends: [SendSpec] = [],
    crossfader: CrossfaderSpec = CrossfaderSpec(),
  ) {
    self.strips = strips
    self.routes = routes
    self.sends = sends
    self.crossfader = crossfader
  }

  /// Channels of all strips together: the number of inputs that the renderer reads.
  public var inputChannels: Int { strips.reduce(0) { $0 + $1.channels } }

  /// Channels of all routes together: the number of outputs that the renderer writes.
  public var outputChannels: Int { routes.reduce(0) { $0 + $1.channels } }
}

/// The position of the crossfader, and the law it fades by.
///
/// A plain value: [any-thread].
public struct CrossfaderSpec: Sendable, Equatable {
  /// The law between position and the gains of side A and side B.
  ///
  /// With t = (position + 1) ÷ 2, from 0 at A to 1 at B:
  public enum Curve: String, Sendable, CaseIterable {
    /// A = 1 − t, B = t: the sum of amplitudes is constant, −6 dB in the middle.
    case linear
    /// A = cos(t·π/2), B = sin(t·π/2): the sum of powers is constant, −3 dB in the middle.
    case equalPower
    /// Both full in the middle; each falls in a line over the far half.
    case fullCenter
    /// Both full, except over the last 5 % of the travel: for cutting and scratching.
    case cut
  }

  /// −1 (A alone) … 1 (B alone).
  public var position: Double

  /// The law in use.
  public var curve: Curve

  /// Makes a crossfader; by default in the middle, with equal power.
  public init(position: Double = 0, curve: Curve = .equalPower) {
    self.position = position
    self.curve = curve
  }

  /// The linear gain that a strip on `side` gets; 1 for a strip on neither.
  public func gainLinear(side: StripSpec.CrossfaderSide) -> Float {
    guard side != .none else { return 1 }
    // Distance from the strip's own end: 0 there, 1 at the other.
    return curve.gainLinear(distance: side == .a ? (position + 1) / 2 : (1 - position) / 2)
  }
}

extension CrossfaderSpec.Curve {
  /// The gain at a distance from a strip's own end: 0 there, 1 at the other.
  ///
  /// [any-thread] never waits, never allocates.
  @_noLocks
  @_noAllocation
  func gainLinear(distance: Double) -> Float {
    switch self {
    case .linear: return Float(1 - distance)
    // cos(π/2) is not quite 0, and the far end must be.
    case .equalPower: return distance >= 1 ? 0 : Float(mix_cosine(distance * .pi / 2))
    case .fullCenter: return Float(min(1, 2 - 2 * distance))
    case .cut: return Float(min(1, (1 - distance) / 0.05))
    }
  }
}

/// Why a mix, or a change to it, was refused.
///
/// The mix is unchanged then.
///
/// A plain value: [any-thread].
public struct MixError: Error, Sendable, Equatable, CustomStringConvertible {
  /// The kind of fault.
  public enum Code: String, Sendable {
    /// A number is outside of its allowed range.
    case valueOutOfRange
    /// Two strips, two routes or two sends have the same name.
    case duplicate
    /// The strip's name is unknown.
    case unknownStrip
    /// The route's name is unknown.
    case unknownRoute
    /// A matrix does not have a row for each route channel with a column for each strip channel.
    case matrixShape
    /// A route is heard on itself, or on a route that is heard on another one.
    case fallbackChain
  }

  /// The kind of fault.
  public let code: Code

  /// Place, fault, and what is allowed.
  public let description: String

  init(_ code: Code, _ description: String) {
    self.code = code
    self.description = description
  }
}
