// SPDX-License-Identifier: MIT

extension AVAudioSession {
  /// What the output is overridden with (RTE-5).
  public enum PortOverride: UInt, Sendable {
    /// The usual route.
    case none = 0
    /// The built-in speaker and the built-in microphone ('spkr').
    case speaker = 0x7370_6B72
  }
}
