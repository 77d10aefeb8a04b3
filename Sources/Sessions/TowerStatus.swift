// SPDX-License-Identifier: MIT

/// Who is active, who interrupts or ducks whom, since when and by which rule.
public struct TowerStatus: Hashable, Codable, Sendable {
  /// One session.
  public struct Entry: Hashable, Codable, Sendable {
    /// The session.
    public let session: SessionID
    /// The program.
    public let app: String
    /// The class.
    public let priorityClass: PriorityClass
    /// Category, mode, options and policy.
    public let configuration: SessionConfiguration
    /// Whether it is active.
    public let isActive: Bool
    /// When that changed last, on the clock of the events.
    public let changedAtNanoseconds: UInt64
    /// Who interrupts it, oldest first.
    public let interruptedBy: [Interrupter]
    /// Since when, on the clock of the events.
    public let interruptedSinceNanoseconds: UInt64?
    /// By which rule it is interrupted or lowered.
    public let rule: RuleID?
    /// Who lowers it.
    public let duckedBy: SessionID?
    /// By how much in dB, 0 when it is not lowered.
    public let duckGainDB: Double
    /// Whether it is heard.
    public let isSounding: Bool
    /// Whether it has been active and silent for long (rule ACT-8).
    public let isActiveButSilent: Bool
    /// Its route.
    public let route: RouteDescription
    /// Its wishes and what became of them.
    public let hardware: HardwareReport
  }

  /// The sessions by id.
  public let sessions: [Entry]
  /// The session media keys reach.
  public let nowPlaying: SessionID?
  /// The simulated interruptions going on.
  public let simulated: [SimulatedInterruption]
  /// Whether the JACK server is up.
  public let isServerRunning: Bool
}
