// SPDX-License-Identifier: MIT

/// The interruption a session is in: from its begin to its end or to the session's own return.
public struct Interruption: Hashable, Codable, Sendable {
  /// Everybody who has to end before the session is told the end, oldest first.
  public internal(set) var interrupters: [Interrupter]
  /// The reason that was told.
  public internal(set) var reason: InterruptionReason
  /// When it began, on the clock of the events.
  public internal(set) var sinceNanoseconds: UInt64
  /// The rule that interrupted.
  public internal(set) var rule: RuleID
  /// Whether the session had I/O running and was not paused when the interruption began.
  public internal(set) var wasPlaying: Bool
  /// Whether every interrupter that ended so far allows the session to resume.
  public internal(set) var allowsResume: Bool
  /// Remote-control commands that arrived meanwhile, oldest first (rule INT-4).
  public internal(set) var heldCommands: [RemoteCommand]
}
