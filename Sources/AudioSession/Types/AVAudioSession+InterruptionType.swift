// SPDX-License-Identifier: MIT

extension AVAudioSession {
  /// Whether an interruption begins or ends.
  @available(iOS, deprecated: 27, message: "use the life-cycle notifications")
  public enum InterruptionType: UInt, Sendable {
    /// It is over.
    case ended = 0
    /// The audio is silent and the session inactive.
    case began = 1
  }
}
