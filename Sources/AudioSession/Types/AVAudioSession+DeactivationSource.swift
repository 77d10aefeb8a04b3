// SPDX-License-Identifier: MIT

extension AVAudioSession {
  /// Who made a session inactive.
  public enum DeactivationSource: Int, Sendable {
    /// The app itself.
    case app = 1
    /// The host.
    case system = 2
  }
}
