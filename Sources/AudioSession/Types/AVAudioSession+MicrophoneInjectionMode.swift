// SPDX-License-Identifier: MIT

extension AVAudioSession {
  /// Whether the app adds audio to other apps' microphones; without effect on JACK.
  public enum MicrophoneInjectionMode: Int, Sendable {
    /// Nothing.
    case none = 0
    /// Speech.
    case spokenAudio = 1
  }
}
