// SPDX-License-Identifier: MIT

/// Changes a session's choice of ports, its mutes and what it wants to be told (RTE-5, INT-4); what is
/// left out stays.
public enum AdjustSession: ControlMethod {
  /// The name on the wire.
  public static let name = "adjustSession"

  /// What to change.
  public struct Params: ControlParams {
    /// The session's id.
    public var session: String
    /// The output override: `none` or `speaker`.
    public var overrideOutput: String?
    /// The uid of the preferred input; the empty string takes the wish back.
    public var preferredInput: String?
    /// The uid of the port whose data source is to change.
    public var port: String?
    /// The number of its data source; left out with `port`: none in particular.
    public var dataSource: Int?
    /// The polar pattern of that data source.
    public var polarPattern: String?
    /// Whether the samples of all its inputs are silence.
    public var inputMuted: Bool?
    /// Whether its output is silence.
    public var outputMuted: Bool?
    /// Whether it takes remote-control commands.
    public var takesRemoteCommands: Bool?
    /// Whether it is interrupted when its route goes away.
    public var prefersInterruptionOnRouteDisconnect: Bool?
    /// Whether ringing leaves it alone.
    public var prefersNoInterruptionsFromSystemAlerts: Bool?

    /// Whether its audio runs; once told, the host no longer goes by the connections of its ports.
    public var ioRunning: Bool?

    /// Makes the parameters; set what is to change.
    public init(session: String) { self.session = session }

    /// Every parameter with what it may be.
    public static let fields: [ParamField<Params>] = [
      .session,
      SessionField.choice("overrideOutput", of: ["none", "speaker"]) { $0.overrideOutput },
      ParamField("preferredInput", allowed: "an input's uid, or \"\" for none"),
      ParamField("port", allowed: "the uid of a port of the current route"),
      .integer("dataSource", in: 0...Int(Int32.max), "a data source of the port") { $0.dataSource },
      ParamField("polarPattern", allowed: "a polar pattern of the data source"),
      ParamField("inputMuted", allowed: "true or false"),
      ParamField("outputMuted", allowed: "true or false"),
      ParamField("takesRemoteCommands", allowed: "true or false"),
      ParamField("prefersInterruptionOnRouteDisconnect", allowed: "true or false"),
      ParamField("prefersNoInterruptionsFromSystemAlerts", allowed: "true or false"),
      ParamField("ioRunning", allowed: "true or false"),
    ]
  }

  /// When it was carried out.
  public typealias Result = Applied
}
