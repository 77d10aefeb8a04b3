// SPDX-License-Identifier: MIT

/// What a player does on interruption ends and unplugs (rules PRE and INT-5).
///
/// The library's players follow these by themselves. For adopted clients, which know nothing of
/// sessions, the tower follows them.
public struct Reactions: Hashable, Codable, Sendable {
  /// What follows the end of an interruption.
  public enum InterruptionEnd: String, CaseIterable, Codable, Sendable {
    /// Go on where it stopped.
    case resume
    /// Go on when it was playing and the end carries `shouldResume`.
    case resumeIfPlaying
    /// Stay inactive until the user acts.
    case stayInactive
    /// Nothing: the app is active for moments only.
    case ignore
  }

  /// What follows when the device that plays goes away.
  public enum Unplug: String, CaseIterable, Codable, Sendable {
    /// Pause, and stay active.
    case pause
    /// Nothing.
    case ignore
  }

  /// What follows the end of an interruption.
  public var interruptionEnd: InterruptionEnd
  /// What follows when the device that plays goes away.
  public var unplug: Unplug

  /// Makes reactions.
  ///
  /// - Parameters:
  ///   - interruptionEnd: What follows the end of an interruption.
  ///   - unplug: What follows when the device that plays goes away.
  public init(interruptionEnd: InterruptionEnd = .resumeIfPlaying, unplug: Unplug = .pause) {
    self.interruptionEnd = interruptionEnd
    self.unplug = unplug
  }
}
