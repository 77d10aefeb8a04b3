// SPDX-License-Identifier: MIT

/// What a session specialises in within its category; the raw value is the SDK's string.
public enum Mode: String, CaseIterable, Codable, Sendable {
  /// No specialisation; fits every category.
  case `default` = "AVAudioSessionModeDefault"
  /// Two-way voice: brings `allowBluetoothHFP`, routes fit for voice only.
  case voiceChat = "AVAudioSessionModeVoiceChat"
  /// Voice in a game: set by the game-chat helper, routed as `videoChat`.
  case gameChat = "AVAudioSessionModeGameChat"
  /// Filming: the microphone next to the camera where there is a choice.
  case videoRecording = "AVAudioSessionModeVideoRecording"
  /// Measuring: the least possible processing, hence never ducked.
  case measurement = "AVAudioSessionModeMeasurement"
  /// Playing films.
  case moviePlayback = "AVAudioSessionModeMoviePlayback"
  /// Two-way video: brings `allowBluetoothHFP` and `defaultToSpeaker`.
  case videoChat = "AVAudioSessionModeVideoChat"
  /// Continuous speech that prompts interrupt instead of ducking.
  case spokenAudio = "AVAudioSessionModeSpokenAudio"
  /// Short prompts, such as navigation.
  case voicePrompt = "AVAudioSessionModeVoicePrompt"
  /// Short films in a feed.
  case shortFormVideo = "AVAudioSessionModeShortFormVideo"
  /// Two bidirectional routes at once; needs `multiRoute` with `allowBluetoothHFP`.
  case dualRoute = "AVAudioSessionModeDualRoute"

  /// The name Swift programs, graph files and the command line use, such as `voiceChat`.
  public var name: String { String(describing: self) }

  /// Finds a mode by the name programs and graph files use.
  ///
  /// - Parameter name: A Swift case name, such as `voiceChat`; case matters.
  public init?(name: String) {
    guard let match = Self.allCases.first(where: { $0.name == name }) else { return nil }
    self = match
  }

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
    case .videoChat: [.allowBluetoothHFP, .defaultToSpeaker]
    default: []
    }
  }
}
