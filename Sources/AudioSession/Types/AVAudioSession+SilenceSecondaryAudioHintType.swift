// SPDX-License-Identifier: MIT

extension AVAudioSession {
  /// Whether another app's primary audio begins or ends (ACT-7).
  public enum SilenceSecondaryAudioHintType: UInt, Sendable {
    /// It ends: secondary audio may sound again.
    case end = 0
    /// It begins: fall silent with secondary audio.
    case begin = 1
  }
}
