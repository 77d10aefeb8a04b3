// SPDX-License-Identifier: MIT

/// Sets the effects of a strip or route, in the order of the signal; nodes that do not run are
/// started.
///
/// Pure value: [any-thread].
public enum SetInserts: ControlMethod {
  /// The name on the wire.
  public static let name = "setInserts"

  /// The parameters of the request.
  public struct Params: ControlParams {
    /// A strip or a route.
    public var target: MixTarget
    /// The names of the nodes; an empty list removes the effects.
    public var nodes: [String]
    /// The share of the effects' sound, 0 … 1; `nil` leaves it.
    public var wet: Double?

    /// Makes the parameters.
    public init(target: MixTarget, nodes: [String], wet: Double? = nil) {
      self.target = target
      self.nodes = nodes
      self.wet = wet
    }

    /// The parameters with their allowed values.
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

  /// The frame of the request; the change is heard when the nodes are patched.
  public typealias Result = Applied
}

/// Pure value: [any-thread].
extension SetInserts.Params {
  private enum CodingKeys: String, CodingKey { case nodes, wet }

  /// Reads the keys of the target and the other keys of the same object.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    target = try MixTarget(from: decoder)
    nodes = try container.decode([String].self, forKey: .nodes)
    wet = try container.decodeIfPresent(Double.self, forKey: .wet)
  }

  /// Writes the keys of the target and the other keys of the same object.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try target.encode(to: encoder)
    try container.encode(nodes, forKey: .nodes)
    try container.encodeIfPresent(wet, forKey: .wet)
  }
}

/// Bypasses one effect of a strip or route, or lets it be heard again, which also forgives a fault.
///
/// Pure value: [any-thread].
public enum SetBypass: ControlMethod {
  /// The name on the wire.
  public static let name = "setBypass"

  /// The parameters of the request.
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

    /// The parameters with their allowed values.
    public static let fields: [ParamField<Params>] =
      ParamField.target + [
        ParamField("node", allowed: "the name of an effect that is there"),
        ParamField("bypassed", allowed: "true or false"),
      ]
  }

  /// The frame of the request; the change is heard when the nodes are patched.
  public typealias Result = Applied
}

/// Pure value: [any-thread].
extension SetBypass.Params {
  private enum CodingKeys: String, CodingKey { case node, bypassed }

  /// Reads the keys of the target and the other keys of the same object.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    target = try MixTarget(from: decoder)
    node = try container.decode(String.self, forKey: .node)
    bypassed = try container.decode(Bool.self, forKey: .bypassed)
  }

  /// Writes the keys of the target and the other keys of the same object.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try target.encode(to: encoder)
    try container.encode(node, forKey: .node)
    try container.encode(bypassed, forKey: .bypassed)
  }
}
