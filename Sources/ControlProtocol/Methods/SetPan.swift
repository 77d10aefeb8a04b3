// SPDX-License-Identifier: MIT

/// Sets a strip's equal-power pan.
public enum SetPan: ControlMethod {
  /// The name on the wire.
  public static let name = "setPan"

  /// What to set.
  public struct Params: ControlParams {
    /// The strip's id.
    public var strip: String
    /// −1 is left, 0 the middle, 1 right.
    public var pan: Double
    /// The ramp's length; the host's default when `nil`.
    public var rampMilliseconds: Double?

    /// Makes the parameters.
    public init(strip: String, pan: Double, rampMilliseconds: Double? = nil) {
      self.strip = strip
      self.pan = pan
      self.rampMilliseconds = rampMilliseconds
    }

    /// Every parameter with what it may be.
    public static let fields: [ParamField<Params>] = [
      .strip,
      .number("pan", in: -1...1, "-1 is left, 1 is right") { $0.pan },
      .ramp { $0.rampMilliseconds },
    ]
  }

  /// When it is heard.
  public typealias Result = Applied
}
