// SPDX-License-Identifier: MIT

/// The facts with which a session starts.
///
/// Pure value: [any-thread].
public struct SessionDescription: Hashable, Codable, Sendable {
  /// The program, under the name permissions and preferences are kept for.
  public var app: String
  /// The requested class; the tower's configuration says which programs may use it (rule ACT-4).
  public var priorityClass: PriorityClass
  /// Whether it belongs to a JACK client without support for sessions.
  public var isAdopted: Bool
  /// Category, mode, options and policy.
  public var configuration: SessionConfiguration
  /// Preferences; nil takes those that the program had when its last session ended (rule SES-6).
  public var preferences: HardwarePreferences?
  /// Further facts about the app.
  public var traits: SessionTraits
  /// The SDK version whose behaviour the session has.
  public var compatibility: Compatibility
  /// Why it is there; nil for a session that an app has asked for.
  ///
  /// The tower does not read it.
  public var origin: SessionOrigin?

  /// Describes a session.
  ///
  /// - Parameters:
  ///   - app: The program.
  ///   - priorityClass: The requested class.
  ///   - isAdopted: Whether it belongs to a JACK client without support for sessions.
  ///   - configuration: Category, mode, options and policy.
  ///   - preferences: Preferences; nil takes those kept for the program.
  ///   - traits: Further facts about the app.
  ///   - compatibility: The SDK version whose behaviour counts.
  ///   - origin: Why it is there; nil for a session that an app has asked for.
  public init(
    app: String,
    priorityClass: PriorityClass = .app,
    isAdopted: Bool = false,
    configuration: SessionConfiguration = SessionConfiguration(),
    preferences: HardwarePreferences? = nil,
    traits: SessionTraits = SessionTraits(),
    compatibility: Compatibility = .latest,
    origin: SessionOrigin? = nil,
  ) {
    self.app = app
    self.priorityClass = priorityClass
    self.isAdopted = isAdopted
    self.configuration = configuration
    self.preferences = preferences
    self.traits = traits
    self.compatibility = compatibility
    self.origin = origin
  }
}

/// Facts about an app outside its session's configuration.
///
/// Pure value: [any-thread].
public struct SessionTraits: Hashable, Codable, Sendable {
  /// The app may sound and record in the background (rule SYS-1).
  public var hasBackgroundAudio: Bool
  /// The app is suspended in the background; its requests wait for its return (rule SYS-2).
  public var suspendsInBackground: Bool
  /// The app is connected to another by inter-app audio.
  public var isInterAppConnected: Bool
  /// The app takes remote-control commands (rule VOL-2).
  public var takesRemoteCommands: Bool
  /// The app takes them only while it is active and plays (rule VOL-3).
  public var registersWhilePlaying: Bool
  /// An adopted client's session is active only while the client sounds (rule ACT-9).
  public var isActiveWhileSounding: Bool
  /// Whether an interruption begins when the route vanishes; nil leaves it to the rules (rule RTE-3).
  public var prefersInterruptionOnRouteDisconnect: Bool?
  /// A ringing call does not interrupt; an accepted one does.
  public var prefersNoInterruptionsFromSystemAlerts: Bool
  /// Whether preferences of the active session take effect at once; nil is the host's setting (rule HW-1).
  public var appliesPreferencesAtOnce: Bool?
  /// The session belongs to the host or its graph, which is never in the background (rule SYS-5).
  public var isAlwaysInForeground: Bool
  /// The app's tag for its music; nil for audio that is not tagged (rule SYS-6).
  public var music: MusicTag?
  /// The session plays system sounds: it is never active, and heard beside everything (rule PLR-5).
  public var playsSystemSounds: Bool
  /// The player's reactions to the end of an interruption and to an unplugged device.
  public var reactions: Reactions
  /// The uids of the outputs that the graph file gives this app; empty lets the rules for routes decide.
  public var pinnedOutputs: [String]
  /// The outputs to which the app, or its user, connected it; nil lets the rules for routes decide.
  public var preferredOutputs: PreferredOutputs?

  /// Makes traits.
  ///
  /// - Parameters:
  ///   - hasBackgroundAudio: The app may sound and record in the background.
  ///   - suspendsInBackground: The app is suspended in the background.
  ///   - isInterAppConnected: The app is connected to another by inter-app audio.
  ///   - takesRemoteCommands: The app takes remote-control commands.
  ///   - registersWhilePlaying: The app takes them only while it is active and plays.
  ///   - isActiveWhileSounding: An adopted client's session is active only while the client sounds.
  ///   - prefersInterruptionOnRouteDisconnect: Whether an interruption begins when the route vanishes.
  ///   - prefersNoInterruptionsFromSystemAlerts: A ringing call does not interrupt.
  ///   - appliesPreferencesAtOnce: Whether preferences of the active session take effect at once.
  ///   - isAlwaysInForeground: The session belongs to the host or its graph.
  ///   - music: The app's tag for its music.
  ///   - playsSystemSounds: The session plays system sounds.
  ///   - reactions: The player's reactions to the end of an interruption and to an unplugged
  ///     device.
  ///   - pinnedOutputs: The uids of the outputs the graph file gives this app.
  ///   - preferredOutputs: The outputs to which the app, or its user, connected it.
  public init(
    hasBackgroundAudio: Bool = true,
    suspendsInBackground: Bool = false,
    isInterAppConnected: Bool = false,
    takesRemoteCommands: Bool = false,
    registersWhilePlaying: Bool = false,
    isActiveWhileSounding: Bool = false,
    prefersInterruptionOnRouteDisconnect: Bool? = nil,
    prefersNoInterruptionsFromSystemAlerts: Bool = false,
    appliesPreferencesAtOnce: Bool? = nil,
    isAlwaysInForeground: Bool = false,
    music: MusicTag? = nil,
    playsSystemSounds: Bool = false,
    reactions: Reactions = Reactions(),
    pinnedOutputs: [String] = [],
    preferredOutputs: PreferredOutputs? = nil,
  ) {
    self.hasBackgroundAudio = hasBackgroundAudio
    self.suspendsInBackground = suspendsInBackground
    self.isInterAppConnected = isInterAppConnected
    self.takesRemoteCommands = takesRemoteCommands
    self.registersWhilePlaying = registersWhilePlaying
    self.isActiveWhileSounding = isActiveWhileSounding
    self.prefersInterruptionOnRouteDisconnect = prefersInterruptionOnRouteDisconnect
    self.prefersNoInterruptionsFromSystemAlerts = prefersNoInterruptionsFromSystemAlerts
    self.appliesPreferencesAtOnce = appliesPreferencesAtOnce
    self.isAlwaysInForeground = isAlwaysInForeground
    self.music = music
    self.playsSystemSounds = playsSystemSounds
    self.reactions = reactions
    self.pinnedOutputs = pinnedOutputs
    self.preferredOutputs = preferredOutputs
  }
}

/// An app's tag for its music (rule SYS-6); the raw value is the name in graph files and on the wire.
public enum MusicTag: String, CaseIterable, Codable, WireNamed {
  /// Music that falls silent by itself while another app's music plays.
  case background
}
