// SPDX-License-Identifier: MIT

/// What the session categories allow, as far as a graph file can contradict it.
///
/// Names and pairs follow `AVAudioSession`; what happens at activation, between sessions and when
/// routes change is not decided here.
extension GraphFile.Session.Category {
  var hasInput: Bool { [.record, .playAndRecord, .multiRoute].contains(self) }
  var hasOutput: Bool { self != .record }
  var allowsSeveralOutputRoutes: Bool { self == .multiRoute }
}

extension GraphFile.Session.Mode {
  /// The categories that take this mode.
  var categories: [GraphFile.Session.Category] {
    switch self {
    case .default: GraphFile.Session.Category.allCases
    case .voiceChat, .gameChat, .videoChat: [.playAndRecord]
    case .videoRecording: [.record, .playAndRecord]
    case .measurement: [.playback, .record, .playAndRecord]
    case .moviePlayback: [.playback]
    case .spokenAudio, .voicePrompt: [.playback, .playAndRecord]
    }
  }
}

extension GraphFile.Session.Option {
  /// The categories that take this option.
  var categories: [GraphFile.Session.Category] {
    switch self {
    case .mixWithOthers, .interruptSpokenAudioAndMixWithOthers:
      [.playback, .playAndRecord, .multiRoute]
    case .duckOthers: [.ambient, .playback, .playAndRecord, .multiRoute]
    case .allowBluetooth, .overrideMutedMicrophoneInterruption: [.record, .playAndRecord]
    case .defaultToSpeaker, .allowBluetoothA2DP, .allowAirPlay: [.playAndRecord]
    }
  }
}
