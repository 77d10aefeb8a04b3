// SPDX-License-Identifier: MIT

/// One app's session as the tower sees it.
public struct Session: Hashable, Codable, Sendable {
  /// The session's number.
  public let id: SessionID
  /// The program.
  public let app: String
  /// The class.
  public let priorityClass: PriorityClass
  /// Whether this is a JACK client that knows nothing of sessions.
  public let isAdopted: Bool
  /// Which SDK version the session behaves like.
  public let compatibility: Compatibility

  /// Category, mode, options and policy.
  public internal(set) var configuration: SessionConfiguration
  /// The wishes as they are read back.
  public internal(set) var preferences: HardwarePreferences
  /// The wishes that took effect with the last activation (rule HW-1).
  public internal(set) var appliedPreferences = HardwarePreferences()
  /// What the host knows beside.
  public internal(set) var traits: SessionTraits

  /// Whether the session is active.
  public internal(set) var isActive = false
  /// The place in the order of activations; higher is later, 0 was never active.
  public internal(set) var activationOrder: UInt64 = 0
  /// When it became active, or inactive, on the clock of the events.
  public internal(set) var changedAtNanoseconds: UInt64
  /// The interruption it is in.
  public internal(set) var interruption: Interruption?
  /// Whether the app's I/O runs.
  public internal(set) var isRunningIO = false
  /// Whether an adopted player is paused, as after an unplug (rule RTE-3).
  public internal(set) var isPaused = false
  /// Whether the app is in the background.
  public internal(set) var isInBackground = false
  /// Whether the samples of all its inputs are muted.
  public internal(set) var isInputMuted = false
  /// Whether its output is muted.
  public internal(set) var isOutputMuted = false
  /// Since when its signal is silent, nil while it is not.
  public internal(set) var silentSinceNanoseconds: UInt64?

  /// The port override in force (rule RTE-5).
  public internal(set) var override = PortOverride.none
  /// The preferred input's uid.
  public internal(set) var preferredInput: String?
  /// The current route.
  public internal(set) var route = RouteDescription()
  /// Whether the configuration changed while inactive, so that the next activation routes anew.
  var isRouteStale = true

  /// Whether the strip's gate is open.
  public internal(set) var isGateOpen = false
  /// Whether the capture gate is open.
  public internal(set) var isCaptureOpen = false
  /// The strip's duck gain in dB, 0 when it is not lowered.
  public internal(set) var duckGainDB = 0.0
  /// Whether the app should silence its secondary audio (rule ACT-7).
  public internal(set) var secondaryAudioShouldBeSilencedHint = false
  /// Requests that wait for the app's return to the foreground (rule SYS-2).
  public internal(set) var waitingRequests: [WaitingRequest] = []

  init(id: SessionID, description: SessionDescription, timeNanoseconds: UInt64) {
    self.id = id
    app = description.app
    priorityClass = description.priorityClass
    isAdopted = description.isAdopted
    compatibility = description.compatibility
    configuration = description.configuration
    preferences = description.preferences ?? HardwarePreferences()
    traits = description.traits
    changedAtNanoseconds = timeNanoseconds
  }

  /// Whether the session lets nobody of its class or below sound who does not mix.
  ///
  /// The phone is exclusive whatever its options say: no option weakens it (rule ACT-4).
  public var isExclusive: Bool { !configuration.isMixable || priorityClass == .phone }

  /// Whether its audio is heard.
  public var isSounding: Bool { isGateOpen && isRunningIO }
}
