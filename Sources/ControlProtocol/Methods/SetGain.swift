// SPDX-License-Identifier: MIT

/// Sets the gain of a strip, a route or a send, with a ramp.
public enum SetGain: ControlMethod {
  /// The name on the wire.
  public static let name = "setGain"

  /// What to set.
  public struct Params: ControlParams {
    /// What it applies to.
    public var target: MixTarget
    /// The gain in dB, −inf for silence.
    public var gainDB: Double
    /// The ramp's length; the host's default when `nil`.
    public var rampMilliseconds: Double?

    /// Makes the parameters.
    public init(target: MixTarget, gainDB: Double, rampMilliseconds: Double? = nil) {
      self.target = target
      self.gainDB = gainDB
      self.rampMilliseconds = rampMilliseconds
    }

    /// Every parameter with what it may be.
    public static let fields: [ParamField<Params>] =
      ParamField.target + [.gainDB { $0.gainDB }, .ramp { $0.rampMilliseconds }]
  }

  /// When it is heard.
  public typealias Result = Applied
}

extension SetGain.Params {
  private enum CodingKeys: String, CodingKey { case gainDB, rampMilliseconds }

  /// Reads the target's keys beside the others.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    target = try MixTarget(from: decoder)
    gainDB = try container.decode(Double.self, forKey: .gainDB)
    rampMilliseconds = try container.decodeIfPresent(Double.self, forKey: .rampMilliseconds)
  }

  /// Writes the target's keys beside the others.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try target.encode(to: encoder)
    try container.encode(gainDB, forKey: .gainDB)
    try container.encodeIfPresent(rampMilliseconds, forKey: .rampMilliseconds)
  }
}
