// SPDX-License-Identifier: MIT

/// Bypasses one effect of a strip or route, or lets it be heard again, which also forgives a fault.
public enum SetBypass: ControlMethod {
  /// The name on the wire.
  public static let name = "setBypass"

  /// What to set.
  public struct Params: ControlParams {
    /// A strip or a route.
    public var target: MixTarget
    /// The name of the node.
    public var node: String
    /// Whether it is left out.
    public var bypassed: Bool

    /// Makes the parameters.
    public init(target: MixTarget, node: String, bypassed: Bool) {
      self.target = target
      self.node = node
      self.bypassed = bypassed
    }

    /// Every parameter with what it may be.
    public static let fields: [ParamField<Params>] =
      ParamField.target + [
        ParamField("node", allowed: "the name of an effect that is there"),
        ParamField("bypassed", allowed: "true or false"),
      ]
  }

  /// When it was handed on; what is heard follows when the nodes are patched.
  public typealias Result = Applied
}

extension SetBypass.Params {
  private enum CodingKeys: String, CodingKey { case node, bypassed }

  /// Reads the target's keys beside the others.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    target = try MixTarget(from: decoder)
    node = try container.decode(String.self, forKey: .node)
    bypassed = try container.decode(Bool.self, forKey: .bypassed)
  }

  /// Writes the target's keys beside the others.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try target.encode(to: encoder)
    try container.encode(node, forKey: .node)
    try container.encode(bypassed, forKey: .bypassed)
  }
}
