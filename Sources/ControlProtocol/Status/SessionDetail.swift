// SPDX-License-Identifier: MIT

public import Sessions

/// Everything about one session, for the program that it belongs to.
///
/// Pure value: [any-thread].
public struct SessionDetail: Codable, Sendable, Hashable {
  /// The category, for instance `multiRoute`.
  @NamedIfKnown public var category: Category?
  /// The mode, for instance `default`.
  @NamedIfKnown public var mode: Mode?
  /// The options by name.
  @OptionNames public var options: CategoryOptions
  /// The route-sharing policy: `default`, `longFormAudio`, `independent` or `longFormVideo`.
  @NamedIfKnown public var policy: RouteSharingPolicy?
  /// Whether it is active.
  public var active: Bool
  /// Whether it is interrupted.
  public var interrupted: Bool
  /// Whether remote-control commands reach it (VOL-2).
  public var nowPlaying: Bool
  /// Whether any input is connected, whatever the category.
  public var inputAvailable: Bool
  /// Whether its program may record: `undetermined`, `denied` or `granted`.
  @NamedIfKnown public var permission: RecordPermission?
  /// Whether the samples of its inputs are silence.
  public var inputMuted: Bool
  /// Whether its output is silence.
  public var outputMuted: Bool
  /// Whether another session sounds.
  public var otherAudioPlaying: Bool
  /// Whether it should silence its secondary audio (ACT-7).
  public var secondaryAudioShouldBeSilenced: Bool
  /// The uid of the preferred input.
  @OrNull public var preferredInput: String?
  /// The inputs and outputs of the session.
  public var route: RouteDetail
  /// The inputs that it may choose from.
  public var availableInputs: [PortDetail]
  /// The actual values of the hardware.
  public var hardware: SessionHardware
  /// The session's own strip, if it has one.
  @OrNull public var strip: String?
  /// The fader of that strip as an amplitude, 0 where it is muted.
  @OrNull public var volume: Double?
  /// The override of its output; nil from a host of an earlier version.
  @NamedIfPresent public var outputOverride: PortOverride?
  /// The requests that wait for its return to the foreground, by their names, the oldest first (SYS-2);
  /// nil from a host of an earlier version.
  public var waitingRequests: [String]?
  /// The output routes of the graph, each with whether its user may move it there (VOL-4); nil from a host of an earlier
  /// version.
  public var outputs: [SessionOutput]?

  /// Makes the value from its parts.
  public init(
    category: Category,
    mode: Mode,
    options: CategoryOptions,
    policy: RouteSharingPolicy,
    active: Bool,
    interrupted: Bool,
    nowPlaying: Bool,
    inputAvailable: Bool,
    permission: RecordPermission,
    inputMuted: Bool,
    outputMuted: Bool,
    otherAudioPlaying: Bool,
    secondaryAudioShouldBeSilenced: Bool,
    preferredInput: String?,
    route: RouteDetail,
    availableInputs: [PortDetail],
    hardware: SessionHardware,
    strip: String?,
    volume: Double?,
    outputOverride: PortOverride? = nil,
    waitingRequests: [String]? = nil,
    outputs: [SessionOutput]? = nil,
  ) {
    _category = NamedIfKnown(category)
    _mode = NamedIfKnown(mode)
    self.options = options
    _policy = NamedIfKnown(policy)
    self.active = active
    self.interrupted = interrupted
    self.nowPlaying = nowPlaying
    self.inputAvailable = inputAvailable
    _permission = NamedIfKnown(permission)
    self.inputMuted = inputMuted
    self.outputMuted = outputMuted
    self.otherAudioPlaying = otherAudioPlaying
    self.secondaryAudioShouldBeSilenced = secondaryAudioShouldBeSilenced
    self.preferredInput = preferredInput
    self.route = route
    self.availableInputs = availableInputs
    self.hardware = hardware
    self.strip = strip
    self.volume = volume
    _outputOverride = NamedIfPresent(wrappedValue: outputOverride)
    self.waitingRequests = waitingRequests
    self.outputs = outputs
  }
}

/// Returns everything about one session, read at one moment (SES-5).
///
/// Pure value: [any-thread].
public enum GetSession: ControlMethod {
  /// The name on the wire.
  public static let name = "session"

  /// The parameters of the request.
  public struct Params: ControlParams {
    /// The session's id.
    public var session: String

    /// Makes the parameters.
    public init(session: String) { self.session = session }

    /// The parameters with their allowed values.
    public static let fields: [ParamField<Params>] = [.session]
  }

  /// All of it.
  public typealias Result = SessionDetail
}
