// SPDX-License-Identifier: MIT

/// Gives a running host another version of its graph.
///
/// A graph with faults changes nothing; the error `badValue` has all of its faults, a line each. Pure value: [any-thread].
public enum ApplyGraph: ControlMethod {
  /// The name on the wire.
  public static let name = "apply"

  /// A graph decides who is heard and who may record, so apps must not change it.
  public static func access(of params: Params) -> MethodAccess { .users }

  /// The parameters of the request.
  public struct Params: ControlParams {
    /// The absolute path of the graph file; without it the file of the graph in force.
    public var path: String?
    /// The text of the graph in place of the file's; relative paths begin in the file's folder.
    public var text: String?
    /// Whether the plan is only told, and nothing changes.
    public var dryRun: Bool?

    /// Makes the parameters.
    public init(path: String? = nil, text: String? = nil, dryRun: Bool? = nil) {
      self.path = path
      self.text = text
      self.dryRun = dryRun
    }

    /// The parameters with their allowed values.
    public static let fields: [ParamField<Params>] = [
      ParamField("path", allowed: "an absolute path (left out: the file of the graph in force)") {
        guard let path = $0.path, !path.hasPrefix("/") || path.utf8.contains(0) else { return nil }
        return "the path does not begin with '/'"
      },
      ParamField("text", allowed: "the text of a graph (left out: the file's)"),
      ParamField("dryRun", allowed: "true or false (left out: false)"),
    ]
  }

  /// The plan, and whether it was carried out.
  public struct Result: Codable, Sendable, Hashable {
    /// Everything that the new version does.
    public var plan: GraphPlan
    /// Whether the new version is in force; false for a dry run, and where there was nothing to do.
    public var applied: Bool
    /// The version that is in force now.
    public var version: GraphVersion
    /// How much longer the pauses were than the plan says, because the machine was busy; 0 for pauses in time.
    public var lateMilliseconds: Double
    /// The addresses of surfaces that the new version has opened.
    public var addresses: [SurfaceAddress]

    /// Makes the result.
    public init(
      plan: GraphPlan,
      applied: Bool,
      version: GraphVersion,
      lateMilliseconds: Double = 0,
      addresses: [SurfaceAddress] = [],
    ) {
      self.plan = plan
      self.applied = applied
      self.version = version
      self.lateMilliseconds = lateMilliseconds
      self.addresses = addresses
    }
  }
}
