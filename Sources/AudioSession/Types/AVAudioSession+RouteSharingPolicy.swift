// SPDX-License-Identifier: MIT

extension AVAudioSession {
  /// How a session's route choice relates to that of other apps.
  public enum RouteSharingPolicy: UInt, Sendable {
    /// The usual rules.
    case `default` = 0
    /// Long-form audio: shares the route of the system's music.
    case longFormAudio = 1
    /// Chosen by the system's route picker; apps must not set it.
    case independent = 2
    /// Long-form video.
    case longFormVideo = 3

    /// Old name of `longFormAudio`.
    @available(*, deprecated, renamed: "longFormAudio")
    public static let longForm = longFormAudio
  }
}
