// SPDX-License-Identifier: MIT

/// Moves the crossfader.
public enum SetCrossfader: ControlMethod {
  /// The name on the wire.
  public static let name = "setCrossfader"

  /// What to set.
  public struct Params: ControlParams {
    /// −1 is side A alone, 0 the middle, 1 side B alone.
    public var position: Double
    /// The ramp's length; the host's default when `nil`.
    public var rampMilliseconds: Double?

    /// Makes the parameters.
    public init(position: Double, rampMilliseconds: Double? = nil) {
      self.position = position
      self.rampMilliseconds = rampMilliseconds
    }

    /// Every parameter with what it may be.
    public static let fields: [ParamField<Params>] = [
      .number("position", in: -1...1, "-1 is side A, 1 is side B") { $0.position },
      .ramp { $0.rampMilliseconds },
    ]
  }

  /// When it is heard.
  public typealias Result = Applied
}
