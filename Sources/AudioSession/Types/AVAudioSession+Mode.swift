// SPDX-License-Identifier: MIT

extension AVAudioSession {
  /// What a session specialises in within its category (MOD-1 to MOD-3 of docs/sessions.md).
  public struct Mode: RawRepresentable, Hashable, Sendable {
    /// The SDK's string.
    public let rawValue: String

    /// Makes a value from the SDK's string; unknown ones are refused where they are used.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// No specialisation; fits every category.
    public static let `default` = Mode(rawValue: "AVAudioSessionModeDefault")
    /// Two-way voice: brings `allowBluetoothHFP`; routes fit for voice only.
    public static let voiceChat = Mode(rawValue: "AVAudioSessionModeVoiceChat")
    /// Voice in a game, routed as `videoChat`.
    public static let gameChat = Mode(rawValue: "AVAudioSessionModeGameChat")
    /// Filming: the microphone next to the camera where there is a choice.
    public static let videoRecording = Mode(rawValue: "AVAudioSessionModeVideoRecording")
    /// Measuring: the least possible processing, hence never lowered.
    public static let measurement = Mode(rawValue: "AVAudioSessionModeMeasurement")
    /// Playing films.
    public static let moviePlayback = Mode(rawValue: "AVAudioSessionModeMoviePlayback")
    /// Two-way video: brings `allowBluetoothHFP` and `defaultToSpeaker`.
    public static let videoChat = Mode(rawValue: "AVAudioSessionModeVideoChat")
    /// Continuous speech that prompts interrupt instead of lowering it.
    public static let spokenAudio = Mode(rawValue: "AVAudioSessionModeSpokenAudio")
    /// Short prompts, such as navigation.
    public static let voicePrompt = Mode(rawValue: "AVAudioSessionModeVoicePrompt")
    /// Short films in a feed.
    public static let shortFormVideo = Mode(rawValue: "AVAudioSessionModeShortFormVideo")
    /// Two bidirectional routes at once; needs `multiRoute` with `allowBluetoothHFP`.
    public static let dualRoute = Mode(rawValue: "AVAudioSessionModeDualRoute")
  }
}
