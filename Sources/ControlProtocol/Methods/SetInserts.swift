// SPDX-License-Identifier: MIT

/// Sets the effects of a strip or route, in the order of the signal; nodes that do not run are
/// started.
public enum SetInserts: ControlMethod {
  /// The name on the wire.
  public static let name = "setInserts"

  /// What to set.
  public struct Params: ControlParams {
    /// A strip or a route.
    public var target: MixTarget
    /// The names of the nodes; none takes the effects away.
    public var nodes: [String]
    /// How much of the effects is heard, 0 … 1; as it was when `nil`.
    public var wet: Double?

    /// Makes the parameters.
    public init(target: MixTarget, nodes: [String], wet: Double? = nil) {
      self.target = target
      self.nodes = nodes
      self.wet = wet
    }

    /// Every parameter with what it may be.
    public static let fields: [ParamField<Params>] =
      ParamField.target + [
        ParamField("nodes", allowed: "a list of at most 64 names of nodes, of 1 to 256 bytes each")
        {
          if $0.nodes.count > 64 { return "\($0.nodes.count) names are too many" }
          let isFit = $0.nodes.allSatisfy { (1...256).contains($0.utf8.count) }
          return isFit ? nil : "a name is empty or too long"
        },
        .number("wet", in: 0...1, "the share of the effects (left out: as it was)") { $0.wet },
      ]
  }

  /// When it was handed on; what is heard follows when the nodes are patched.
  public typealias Result = Applied
}

extension SetInserts.Params {
  private enum CodingKeys: String, CodingKey { case nodes, wet }

  /// Reads the target's keys beside the others.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    target = try MixTarget(from: decoder)
    nodes = try container.decode([String].self, forKey: .nodes)
    wet = try container.decodeIfPresent(Double.self, forKey: .wet)
  }

  /// Writes the target's keys beside the others.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try target.encode(to: encoder)
    try container.encode(nodes, forKey: .nodes)
    try container.encodeIfPresent(wet, forKey: .wet)
  }
}
