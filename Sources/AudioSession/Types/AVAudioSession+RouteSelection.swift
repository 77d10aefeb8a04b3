// SPDX-License-Identifier: MIT

extension AVAudioSession {
  /// Which route a user picked for playback.
  public enum RouteSelection: Int, Sendable {
    /// None.
    case none = 0
    /// One of this machine.
    case local = 1
    /// Another device.
    case external = 2
  }
}
