// SPDX-License-Identifier: MIT

/// All facts of the tower: a value that can be saved, compared and replayed.
///
/// Pure value: [any-thread].
public struct TowerState: Hashable, Codable, Sendable {
  /// The settings of the graph file.
  public internal(set) var configuration: TowerConfiguration
  /// The sessions, by ascending id.
  public internal(set) var sessions: [Session] = []
  /// The connected ports, in order of connection.
  public internal(set) var ports: [PortDescription] = []
  /// Simulated interruptions in progress, in order of their beginning.
  public internal(set) var simulated: [SimulatedInterruption] = []
  /// The app in the foreground (rule SYS-5).
  public internal(set) var foreground = Foreground.unknown
  /// Whether the silent switch is on.
  public internal(set) var isSilentSwitchOn = false
  /// Whether the screen is locked.
  public internal(set) var isScreenLocked = false
  /// Whether the built-in microphone is muted in hardware.
  public internal(set) var isMicrophoneMuted = false
  /// Whether the JACK server is up.
  public internal(set) var isServerRunning = true
  /// The hardware: actual values and target.
  public internal(set) var hardware: HardwareState
  /// The users' answers, by program.
  public internal(set) var permissions: [String: RecordPermission] = [:]
  /// The preferences of programs whose session ended (rule SES-6).
  public internal(set) var keptPreferences: [String: HardwarePreferences] = [:]
  /// The output that the user has picked for each program, by its uid (rule VOL-4).
  public internal(set) var chosenOutputs: [String: String] = [:]
  /// Requests that wait for the user's answer.
  public internal(set) var permissionQueue: [WaitingRequest] = []
  /// Programs for which the user's answer is awaited.
  public internal(set) var askedApps: Set<String> = []
  /// The sessions that take remote-control commands, in the order in which they began to play last (rule VOL-3).
  public internal(set) var players: [SessionID] = []
  /// The player that a media key has stopped: it keeps the keys until another one begins to play.
  public internal(set) var stoppedByKey: SessionID?
  /// The number of activations so far.
  var activations: UInt64 = 0

  /// The state before the first event.
  ///
  /// - Parameters:
  ///   - configuration: The settings of the graph file.
  ///   - hardware: The server's actual values and its limits.
  ///   - permissions: Earlier answers of users, by program.
  ///   - keptPreferences: Earlier preferences, by program.
  public init(
    configuration: TowerConfiguration = TowerConfiguration(),
    hardware: HardwareFacts = HardwareFacts(),
    permissions: [String: RecordPermission] = [:],
    keptPreferences: [String: HardwarePreferences] = [:],
  ) {
    self.configuration = configuration
    self.hardware = HardwareState(facts: hardware)
    self.permissions = permissions
    self.keptPreferences = keptPreferences
  }

  /// The index of a session in `sessions`; nil for an unknown one.
  ///
  /// - Parameter id: The session.
  /// - Returns: The index, or nil.
  /// - Complexity: O(log n).
  public func index(of id: SessionID) -> Int? {
    var low = 0
    var high = sessions.count
    while low < high {
      let middle = (low + high) / 2
      if sessions[middle].id.rawValue < id.rawValue { low = middle + 1 } else { high = middle }
    }
    return low < sessions.count && sessions[low].id == id ? low : nil
  }

  /// The session of an id; nil for an unknown one.
  ///
  /// - Parameter id: The session.
  /// - Returns: The session, or nil.
  public func session(_ id: SessionID) -> Session? { index(of: id).map { sessions[$0] } }

  /// Whether a program may record.
  ///
  /// - Parameter app: The program.
  /// - Returns: The user's answer; without one, the configured permission.
  public func permission(of app: String) -> RecordPermission {
    permissions[app] ?? configuration.permissions[app] ?? configuration.defaultPermission
  }
}

/// The app in the foreground (rule SYS-5).
public enum Foreground: Hashable, Codable, Sendable {
  /// It is unknown: every app counts as in the foreground, unless it was sent to the background by itself.
  case unknown
  /// One app; the others are in the background.
  case app(name: String)
  /// No app, because the last one was sent to the background.
  case none
}

/// A request that is answered later.
public struct WaitingRequest: Hashable, Codable, Sendable {
  /// The request's number.
  public let id: RequestID
  /// The session that asks.
  public let session: SessionID
  /// The request.
  public let request: SessionRequest
}
