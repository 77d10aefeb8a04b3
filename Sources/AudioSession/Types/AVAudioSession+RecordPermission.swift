// SPDX-License-Identifier: MIT

extension AVAudioSession {
  /// Whether the app may record (PRM-1).
  @available(iOS, deprecated: 17, message: "use AVAudioApplication")
  public enum RecordPermission: UInt, Sendable {
    /// Nobody was asked yet ('undt').
    case undetermined = 0x756E_6474
    /// The user said no ('deny').
    case denied = 0x6465_6E79
    /// The user said yes ('grnt').
    case granted = 0x6772_6E74
  }
}
