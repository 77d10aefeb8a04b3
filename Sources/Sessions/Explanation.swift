// SPDX-License-Identifier: MIT

/// Why a session sounds as it does, and what would change it.
public struct Explanation: Hashable, Codable, Sendable {
  /// Whether it is heard, and how.
  public enum Level: String, Codable, Sendable {
    /// Heard in full.
    case full
    /// Heard, but lowered.
    case low
    /// Not heard.
    case silent
  }

  /// Whether it is heard, and how.
  public let level: Level
  /// The reason, in a sentence.
  public let sentence: String
  /// What would change it, in a sentence; nil when nothing has to.
  public let remedy: String?
  /// The rule.
  public let rule: RuleID
  /// The sessions involved.
  public let sessions: [SessionID]
}
