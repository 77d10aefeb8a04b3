// SPDX-License-Identifier: MIT

/// Mutes or unmutes a strip, a route or a send; the gain stays as it is.
public enum SetMute: ControlMethod {
  /// The name on the wire.
  public static let name = "setMute"

  /// What to set.
  public struct Params: ControlParams {
    /// What it applies to.
    public var target: MixTarget
    /// Whether it is muted.
    public var muted: Bool

    /// Makes the parameters.
    public init(target: MixTarget, muted: Bool) {
      self.target = target
      self.muted = muted
    }

    /// Every parameter with what it may be.
    public static let fields: [ParamField<Params>] =
      ParamField.target + [ParamField("muted", allowed: "true or false")]
  }

  /// When it is heard.
  public typealias Result = Applied
}

extension SetMute.Params {
  private enum CodingKeys: String, CodingKey { case muted }

  /// Reads the target's keys beside the other.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    target = try MixTarget(from: decoder)
    muted = try container.decode(Bool.self, forKey: .muted)
  }

  /// Writes the target's keys beside the other.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try target.encode(to: encoder)
    try container.encode(muted, forKey: .muted)
  }
}
