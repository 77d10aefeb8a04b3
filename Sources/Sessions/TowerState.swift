// SPDX-License-Identifier: MIT

/// Everything the tower knows: a value that can be saved, compared and replayed.
public struct TowerState: Hashable, Codable, Sendable {
  /// What the graph file sets.
  public internal(set) var configuration: TowerConfiguration
  /// The sessions, by ascending id.
  public internal(set) var sessions: [Session] = []
  /// The connected ports, in order of connection.
  public internal(set) var ports: [PortDescription] = []
  /// Simulated interruptions that are going on, in order of their begin.
  public internal(set) var simulated: [SimulatedInterruption] = []
  /// Whether the silent switch is on.
  public internal(set) var isSilentSwitchOn = false
  /// Whether the screen is locked.
  public internal(set) var isScreenLocked = false
  /// Whether the built-in microphone is muted in hardware.
  public internal(set) var isMicrophoneMuted = false
  /// Whether the JACK server is up.
  public internal(set) var isServerRunning = true
  /// The hardware: what it is, what it should be.
  public internal(set) var hardware: HardwareState
  /// What users have answered, by program.
  public internal(set) var permissions: [String: RecordPermission] = [:]
  /// The wishes of programs whose session ended (rule SES-6).
  public internal(set) var keptPreferences: [String: HardwarePreferences] = [:]
  /// Requests that wait for the user's answer, and sessions the user was asked about.
  public internal(set) var permissionQueue: [WaitingRequest] = []
  /// Programs the user was asked about and has not answered for.
  public internal(set) var askedApps: Set<String> = []
  /// The session that media keys reach (rule VOL-2).
  public internal(set) var nowPlaying: SessionID?
  /// How many activations there were.
  var activations: UInt64 = 0

  /// The state before the first event.
  ///
  /// - Parameters:
  ///   - configuration: What the graph file sets.
  ///   - hardware: What the server runs at and can do.
  ///   - permissions: What users have answered before, by program.
  ///   - keptPreferences: The wishes of programs from before, by program.
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

  /// The place of a session in `sessions`, nil when there is none.
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

  /// A session, nil when there is none.
  ///
  /// - Parameter id: The session.
  /// - Returns: The session, or nil.
  public func session(_ id: SessionID) -> Session? { index(of: id).map { sessions[$0] } }

  /// What a program may record.
  ///
  /// - Parameter app: The program.
  /// - Returns: The answer, or what is configured where nobody has answered.
  public func permission(of app: String) -> RecordPermission {
    permissions[app] ?? configuration.permissions[app] ?? configuration.defaultPermission
  }
}
