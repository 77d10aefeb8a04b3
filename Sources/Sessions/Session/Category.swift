// SPDX-License-Identifier: MIT

/// The kind of audio that an app makes; the raw value is the SDK's string.
///
/// The behaviour of each category is the table of rule CAT-1.
///
/// Pure value: [any-thread].
public enum Category: String, CaseIterable, Codable, Sendable {
  /// Output that always mixes and falls silent with the silent switch or the screen lock.
  case ambient = "AVAudioSessionCategoryAmbient"
  /// Output that silences others and falls silent with the silent switch: the default.
  case soloAmbient = "AVAudioSessionCategorySoloAmbient"
  /// Output that is the app's purpose; the silent switch leaves it alone.
  case playback = "AVAudioSessionCategoryPlayback"
  /// Input only.
  case record = "AVAudioSessionCategoryRecord"
  /// Input and output at once.
  case playAndRecord = "AVAudioSessionCategoryPlayAndRecord"
  /// Offline work without input and output (deprecated in the SDK).
  case audioProcessing = "AVAudioSessionCategoryAudioProcessing"
  /// A different stream to every connected output route, and one input route.
  case multiRoute = "AVAudioSessionCategoryMultiRoute"

  /// Whether sessions of this category produce audio.
  public var hasOutput: Bool {
    switch self {
    case .ambient, .soloAmbient, .playback, .playAndRecord, .multiRoute: true
    case .record, .audioProcessing: false
    }
  }

  /// Whether sessions of this category capture audio.
  public var hasInput: Bool {
    switch self {
    case .record, .playAndRecord, .multiRoute: true
    case .ambient, .soloAmbient, .playback, .audioProcessing: false
    }
  }

  /// Whether the silent switch and the screen lock silence this category.
  public var isSilencedBySwitchAndLock: Bool {
    switch self {
    case .ambient, .soloAmbient: true
    case .playback, .record, .playAndRecord, .audioProcessing, .multiRoute: false
    }
  }

  /// Whether this category may go on in the background when the app has the background flag.
  public var canRunInBackground: Bool { !isSilencedBySwitchAndLock }
}

extension Category: WireNamed {
  /// The name of the SDK's case, such as `playAndRecord`.
  public var name: String {
    switch self {
    case .ambient: "ambient"
    case .soloAmbient: "soloAmbient"
    case .playback: "playback"
    case .record: "record"
    case .playAndRecord: "playAndRecord"
    case .audioProcessing: "audioProcessing"
    case .multiRoute: "multiRoute"
    }
  }
}
