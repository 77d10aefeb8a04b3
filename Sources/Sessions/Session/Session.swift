// SPDX-License-Identifier: MIT

/// One session: the app's requests, and the tower's decisions.
///
/// Pure value: [any-thread].
public struct Session: Hashable, Codable, Sendable {
  /// The session's number.
  public let id: SessionID
  /// The program.
  public let app: String
  /// The class.
  public let priorityClass: PriorityClass
  /// Whether it belongs to a JACK client without support for sessions.
  public let isAdopted: Bool
  /// The SDK version whose behaviour the session has.
  public let compatibility: Compatibility

  /// Category, mode, options and policy.
  public internal(set) var configuration: SessionConfiguration
  /// The preferences as the app set them.
  public internal(set) var preferences: HardwarePreferences
  /// The preferences that took effect with the last activation (rule HW-1).
  public internal(set) var appliedPreferences = HardwarePreferences()
  /// Further facts about the app.
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
  /// Whether it becomes active with the next sound of its client (rule ACT-9).
  public internal(set) var isWaitingForSound = false
  /// Whether the app is in the background.
  public internal(set) var isInBackground = false
  /// Whether the samples of all its inputs are muted.
  public internal(set) var isInputMuted = false
  /// Whether its output is muted.
  public internal(set) var isOutputMuted = false
  /// Since when its signal is silent; nil while it sounds.
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

  /// Whether other non-mixing sessions of its class or below cannot be active at the same time.
  ///
  /// A session of class `phone` is exclusive whatever its options say (rule ACT-4).
  public var isExclusive: Bool {
    if traits.playsSystemSounds { return false }
    return !configuration.isMixable || priorityClass == .phone
  }

  /// Whether its audio is heard.
  public var isSounding: Bool { isGateOpen && isRunningIO && !isWaitingForSound }
}

/// A session's number, given by the host and never used twice in one run.
///
/// Pure value: [any-thread].
public struct SessionID: RawRepresentable, Hashable, Comparable, Codable, Sendable,
  CustomStringConvertible
{
  /// The number.
  public let rawValue: UInt32

  /// Makes an id from its number.
  ///
  /// - Parameter rawValue: The number.
  public init(rawValue: UInt32) {
    self.rawValue = rawValue
  }

  /// Orders ids by age: the host counts upwards.
  public static func < (left: SessionID, right: SessionID) -> Bool {
    left.rawValue < right.rawValue
  }

  /// The number in decimal.
  public var description: String { String(rawValue) }
}

/// The priority of a session: phone, alarm, assistant, app, highest first (rule ACT-4).
public enum PriorityClass: String, CaseIterable, Comparable, Codable, WireNamed {
  /// Every program to which the configuration gives no higher class.
  case app
  /// A voice assistant.
  case assistant
  /// An alarm or announcement.
  case alarm
  /// A call: it always wins.
  case phone

  /// The place in the order, 0 for `app` … 3 for `phone`.
  public var rank: Int {
    switch self {
    case .app: 0
    case .assistant: 1
    case .alarm: 2
    case .phone: 3
    }
  }

  /// Orders classes by priority, the lowest first.
  public static func < (left: PriorityClass, right: PriorityClass) -> Bool {
    left.rank < right.rank
  }
}
