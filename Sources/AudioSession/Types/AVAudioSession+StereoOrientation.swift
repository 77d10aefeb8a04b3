// SPDX-License-Identifier: MIT

extension AVAudioSession {
  /// How a stereo microphone's channels lie.
  public enum StereoOrientation: Int, Sendable {
    /// Not set.
    case none = 0
    /// Upright.
    case portrait = 1
    /// Upside down.
    case portraitUpsideDown = 2
    /// Turned to the right.
    case landscapeRight = 3
    /// Turned to the left.
    case landscapeLeft = 4
  }
}
