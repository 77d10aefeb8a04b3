// SPDX-License-Identifier: MIT

extension AVAudioSession {
  /// How a prompt should sound beside what others play.
  public enum PromptStyle: UInt, Sendable {
    /// Not at all ('none').
    case none = 0x6E6F_6E65
    /// A short one ('shrt').
    case short = 0x7368_7274
    /// As usual ('nrml').
    case normal = 0x6E72_6D6C
  }
}
