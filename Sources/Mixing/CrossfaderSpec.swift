// SPDX-License-Identifier: MIT

#if canImport(Glibc)
  import Glibc
#endif

/// Where the crossfader stands, and by which law it fades.
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
    /// Both full, except over the far 5 % of the way: for cutting and scratching.
    case cut
  }

  /// −1 (A alone) … 1 (B alone).
  public var position: Double

  /// The law in use.
  public var curve: Curve

  /// Makes a crossfader; in the middle with equal power unless told otherwise.
  public init(position: Double = 0, curve: Curve = .equalPower) {
    self.position = position
    self.curve = curve
  }

  /// The linear gain that a strip on `side` gets; 1 for a strip on neither.
  public func gainLinear(side: StripSpec.CrossfaderSide) -> Float {
    guard side != .none else { return 1 }
    // Distance from the strip's own end: 0 there, 1 at the other.
    let distance = side == .a ? (position + 1) / 2 : (1 - position) / 2
    switch curve {
    case .linear: return Float(1 - distance)
    // cos(π/2) is not quite 0, and the far end must be.
    case .equalPower: return distance >= 1 ? 0 : Float(cos(distance * .pi / 2))
    case .fullCenter: return Float(min(1, 2 - 2 * distance))
    case .cut: return Float(min(1, (1 - distance) / 0.05))
    }
  }
}
