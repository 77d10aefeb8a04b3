// SPDX-License-Identifier: MIT

/// Everything about one session, for the program that it belongs to.
public struct SessionDetail: Codable, Sendable, Hashable {
  /// The category, for instance `multiRoute`.
  public var category: String
  /// The mode, for instance `default`.
  public var mode: String
  /// The options by name.
  public var options: [String]
  /// The route-sharing policy: `default`, `longFormAudio`, `independent` or `longFormVideo`.
  public var policy: String
  /// Whether it is active.
  public var active: Bool
  /// Whether it is interrupted.
  public var interrupted: Bool
  /// Whether remote-control commands reach it (VOL-2).
  public var nowPlaying: Bool
  /// Whether any input is connected, whatever the category.
  public var inputAvailable: Bool
  /// Whether its program may record: `undetermined`, `denied` or `granted`.
  public var permission: String
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
  /// Where its audio comes from and goes to.
  public var route: RouteDetail
  /// The inputs that it may choose from.
  public var availableInputs: [PortDetail]
  /// What the hardware runs at.
  public var hardware: SessionHardware
  /// The strip that it is heard through, where it has one of its own.
  @OrNull public var strip: String?
  /// The fader of that strip as an amplitude, 0 where it is muted.
  @OrNull public var volume: Double?

  /// Makes the value from its parts.
  public init(
    category: String,
    mode: String,
    options: [String],
    policy: String,
    active: Bool,
    interrupted: Bool,
    nowPlaying: Bool,
    inputAvailable: Bool,
    permission: String,
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
  ) {
    self.category = category
    self.mode = mode
    self.options = options
    self.policy = policy
    self.active = active
    self.interrupted = interrupted
    self.nowPlaying = nowPlaying
    self.inputAvailable = inputAvailable
    self.permission = permission
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
  }
}
