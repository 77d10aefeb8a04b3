// SPDX-License-Identifier: MIT

public import Sessions

/// Changes a session's category, mode, options or preferred hardware values; omitted values stay.
///
/// `category` and `options` belong together: a new category without `options` gets empty options.
///
/// Pure value: [any-thread].
public enum ConfigureSession: ControlMethod {
  /// The name on the wire.
  public static let name = "configureSession"

  /// A session is its program's and the user's.
  public static func access(of params: Params) -> MethodAccess { .session(params.session) }

  /// The parameters of the request.
  public struct Params: ControlParams {
    /// The session's id.
    public var session: String
    /// The category.
    @NamedIfPresent public var category: Category?
    /// The mode.
    @NamedIfPresent public var mode: Mode?
    /// The options.
    @OptionNamesIfPresent public var options: CategoryOptions?
    /// The route-sharing policy, with a category and a mode; `default` when left out.
    @NamedIfPresent public var policy: RouteSharingPolicy?
    /// The preferred sample rate; 0 removes the preference.
    public var preferredSampleRateHz: Double?
    /// The preferred I/O buffer; 0 removes the preference.
    public var preferredIOBufferSeconds: Double?

    /// The preferred number of input channels.
    public var preferredInputChannels: Int?
    /// The preferred number of output channels.
    public var preferredOutputChannels: Int?
    /// The gain of the input, linear.
    public var inputGain: Double?

    /// Makes the parameters of a session; set those to change.
    public init(session: String) { self.session = session }

    /// The parameters with their allowed values.
    public static let fields: [ParamField<Params>] = [
      .session,
      SessionField.named("category", Category.self),
      SessionField.named("mode", Mode.self),
      SessionField.options(),
      SessionField.named("policy", RouteSharingPolicy.self),
      SessionField.sampleRate { $0.preferredSampleRateHz },
      SessionField.ioBuffer { $0.preferredIOBufferSeconds },
      .integer("preferredInputChannels", in: 1...1_024, "channels") { $0.preferredInputChannels },
      .integer("preferredOutputChannels", in: 1...1_024, "channels") {
        $0.preferredOutputChannels
      },
      .number("inputGain", in: 0...1, "linear") { $0.inputGain },
    ]
  }

  /// When it was carried out.
  public typealias Result = Applied
}

/// Changes a session's choice of ports, its mutes and its list of notifications (RTE-5, INT-4); omitted
/// values stay.
///
/// Pure value: [any-thread].
public enum AdjustSession: ControlMethod {
  /// The name on the wire.
  public static let name = "adjustSession"

  /// A session is its program's and the user's.
  public static func access(of params: Params) -> MethodAccess { .session(params.session) }

  /// The parameters of the request.
  public struct Params: ControlParams {
    /// The session's id.
    public var session: String
    /// The output override: `none` or `speaker`.
    @NamedIfPresent public var overrideOutput: PortOverride?
    /// The uid of the preferred input; the empty string takes the preference back.
    public var preferredInput: String?
    /// The uid of the port whose data source is to change.
    public var port: String?
    /// The number of its data source; omitted with `port`: no particular one.
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

    /// Whether its audio runs; from this report on, the host no longer uses the connections of its
    /// ports.
    public var ioRunning: Bool?

    /// Makes the parameters of a session; set those to change.
    public init(session: String) { self.session = session }

    /// The parameters with their allowed values.
    public static let fields: [ParamField<Params>] = [
      .session,
      SessionField.named("overrideOutput", PortOverride.self),
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

/// Gives a session a strip fed by these ports, in place of the one it has; without ports, takes it away.
///
/// Pure value: [any-thread].
public enum SetSessionPorts: ControlMethod {
  /// The name on the wire.
  public static let name = "setSessionPorts"

  /// A session is its program's and the user's.
  public static func access(of params: Params) -> MethodAccess { .session(params.session) }

  /// The parameters of the request.
  public struct Params: ControlParams {
    /// The session's id.
    public var session: String
    /// The JACK output ports that sound through its strip: names, globs or `/patterns/`.
    public var ports: [String]
    /// The number of channels of the strip; the default is 2.
    ///
    /// With category `multiRoute` they are the flat channels of all output routes, one after the other.
    public var channels: Int?

    /// Makes the parameters.
    public init(session: String, ports: [String], channels: Int? = nil) {
      self.session = session
      self.ports = ports
      self.channels = channels
    }

    /// The parameters with their allowed values.
    public static let fields: [ParamField<Params>] = [
      .session,
      SessionField.ports { $0.ports },
      .integer("channels", in: 1...64, "2 when left out") { $0.channels },
    ]
  }

  /// The outcome.
  public struct Result: Codable, Sendable, Hashable {
    /// The id of the strip, `null` without ports.
    @OrNull public var strip: String?

    /// Makes the result.
    public init(strip: String?) { self.strip = strip }
  }
}
