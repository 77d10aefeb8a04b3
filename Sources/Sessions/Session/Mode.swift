// SPDX-License-Identifier: MIT

/// The special use of a session within its category; the raw value is the SDK's string.
///
/// Pure value: [any-thread].
public enum Mode: String, CaseIterable, Codable, Sendable {
  /// General use; fits every category.
  case `default` = "AVAudioSessionModeDefault"
  /// Two-way voice: adds `allowBluetoothHFP`, and uses only routes that are fit for voice.
  case voiceChat = "AVAudioSessionModeVoiceChat"
  /// Voice in a game: set by the game-chat helper; adds the options of `videoChat`, so it has the same routes.
  case gameChat = "AVAudioSessionModeGameChat"
  /// Filming: the microphone next to the camera where there is a choice.
  case videoRecording = "AVAudioSessionModeVideoRecording"
  /// Measuring: the least possible processing, hence never ducked.
  case measurement = "AVAudioSessionModeMeasurement"
  /// Playing films.
  case moviePlayback = "AVAudioSessionModeMoviePlayback"
  /// Two-way video: adds `allowBluetoothHFP` and `defaultToSpeaker`.
  case videoChat = "AVAudioSessionModeVideoChat"
  /// Continuous speech that prompts interrupt instead of ducking.
  case spokenAudio = "AVAudioSessionModeSpokenAudio"
  /// Short prompts, such as navigation.
  case voicePrompt = "AVAudioSessionModeVoicePrompt"
  /// Short films in a feed.
  case shortFormVideo = "AVAudioSessionModeShortFormVideo"
  /// Two bidirectional routes at once; needs `multiRoute` with `allowBluetoothHFP`.
  case dualRoute = "AVAudioSessionModeDualRoute"

  /// The categories that take this mode (rule MOD-1).
  public var categories: [Category] {
    switch self {
    case .default: Category.allCases
    case .voiceChat, .gameChat, .videoChat: [.playAndRecord]
    case .videoRecording: [.record, .playAndRecord]
    case .measurement: [.playback, .record, .playAndRecord]
    case .moviePlayback, .shortFormVideo: [.playback]
    case .spokenAudio, .voicePrompt: [.playback, .playAndRecord]
    case .dualRoute: [.multiRoute]
    }
  }

  /// Whether `category` takes this mode.
  ///
  /// - Parameter category: The category in question.
  /// - Returns: Whether it does.
  public func isAllowed(in category: Category) -> Bool {
    switch (self, category) {
    case (.default, _): true
    case (.voiceChat, .playAndRecord), (.gameChat, .playAndRecord), (.videoChat, .playAndRecord),
      (.videoRecording, .record), (.videoRecording, .playAndRecord),
      (.measurement, .playback), (.measurement, .record), (.measurement, .playAndRecord),
      (.moviePlayback, .playback), (.shortFormVideo, .playback),
      (.spokenAudio, .playback), (.spokenAudio, .playAndRecord),
      (.voicePrompt, .playback), (.voicePrompt, .playAndRecord),
      (.dualRoute, .multiRoute):
      true
    default: false
    }
  }

  /// The options this mode sets at the moment it becomes the mode (rule MOD-3).
  public var impliedOptions: CategoryOptions {
    switch self {
    case .voiceChat: .allowBluetoothHFP
    case .videoChat, .gameChat: [.allowBluetoothHFP, .defaultToSpeaker]
    default: []
    }
  }
}

extension Mode: WireNamed {
  /// The name of the SDK's case, such as `voiceChat`.
  public var name: String {
    switch self {
    case .default: "default"
    case .voiceChat: "voiceChat"
    case .gameChat: "gameChat"
    case .videoRecording: "videoRecording"
    case .measurement: "measurement"
    case .moviePlayback: "moviePlayback"
    case .videoChat: "videoChat"
    case .spokenAudio: "spokenAudio"
    case .voicePrompt: "voicePrompt"
    case .shortFormVideo: "shortFormVideo"
    case .dualRoute: "dualRoute"
    }
  }
}
