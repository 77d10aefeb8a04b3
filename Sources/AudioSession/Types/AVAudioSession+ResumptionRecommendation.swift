// SPDX-License-Identifier: MIT

extension AVAudioSession {
  /// Whether to go on after an interruption.
  public enum ResumptionRecommendation: Int, Sendable {
    /// Wait for the user.
    case shouldNotResume = 0
    /// Go on.
    case shouldResume = 1
  }
}
