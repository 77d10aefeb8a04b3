// SPDX-License-Identifier: MIT

extension AVAudioSession {
  /// The kind of audio an app makes; rule CAT-1 of docs/sessions.md says how each category behaves.
  ///
  /// Pure value: [any-thread].
  public struct Category: RawRepresentable, Hashable, Sendable {
    /// The SDK's string.
    public let rawValue: String

    /// Makes a value from the SDK's string; calls that take it refuse unknown strings.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Output that always mixes and falls silent with the silent switch or the screen lock.
    public static let ambient = Category(rawValue: "AVAudioSessionCategoryAmbient")
    /// Output that silences others and falls silent with the silent switch: the default.
    public static let soloAmbient = Category(rawValue: "AVAudioSessionCategorySoloAmbient")
    /// Output that is the app's purpose; the silent switch does not mute it.
    public static let playback = Category(rawValue: "AVAudioSessionCategoryPlayback")
    /// Input only.
    public static let record = Category(rawValue: "AVAudioSessionCategoryRecord")
    /// Input and output at once.
    public static let playAndRecord = Category(rawValue: "AVAudioSessionCategoryPlayAndRecord")
    /// Offline work without input and output.
    @available(*, deprecated, message: "no category is needed for offline work")
    public static let audioProcessing = Category(rawValue: "AVAudioSessionCategoryAudioProcessing")
    /// A different stream to every connected output route, and one input route.
    public static let multiRoute = Category(rawValue: "AVAudioSessionCategoryMultiRoute")
  }

  /// The specialisation of a session within its category (MOD-1 to MOD-3 of docs/sessions.md).
  ///
  /// Pure value: [any-thread].
  public struct Mode: RawRepresentable, Hashable, Sendable {
    /// The SDK's string.
    public let rawValue: String

    /// Makes a value from the SDK's string; calls that take it refuse unknown strings.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// General use; fits every category.
    public static let `default` = Mode(rawValue: "AVAudioSessionModeDefault")
    /// Two-way voice: adds `allowBluetoothHFP`; only routes that are fit for voice.
    public static let voiceChat = Mode(rawValue: "AVAudioSessionModeVoiceChat")
    /// Voice in a game, routed like `videoChat`.
    public static let gameChat = Mode(rawValue: "AVAudioSessionModeGameChat")
    /// Filming: the microphone next to the camera if there is a choice.
    public static let videoRecording = Mode(rawValue: "AVAudioSessionModeVideoRecording")
    /// Measuring: the least possible processing; never ducked.
    public static let measurement = Mode(rawValue: "AVAudioSessionModeMeasurement")
    /// Playing films.
    public static let moviePlayback = Mode(rawValue: "AVAudioSessionModeMoviePlayback")
    /// Two-way video: adds `allowBluetoothHFP` and `defaultToSpeaker`.
    public static let videoChat = Mode(rawValue: "AVAudioSessionModeVideoChat")
    /// Continuous speech: prompts interrupt it instead of ducking it.
    public static let spokenAudio = Mode(rawValue: "AVAudioSessionModeSpokenAudio")
    /// Short prompts, such as navigation.
    public static let voicePrompt = Mode(rawValue: "AVAudioSessionModeVoicePrompt")
    /// Short films in a feed.
    public static let shortFormVideo = Mode(rawValue: "AVAudioSessionModeShortFormVideo")
    /// Two bidirectional routes at once; needs `multiRoute` with `allowBluetoothHFP`.
    public static let dualRoute = Mode(rawValue: "AVAudioSessionModeDualRoute")
  }

  /// A session's behaviour towards other apps, and the routes that it may use (OPT-1).
  ///
  /// Pure value: [any-thread].
  public struct CategoryOptions: OptionSet, Hashable, Sendable {
    /// The SDK's bits.
    public let rawValue: UInt

    /// Makes a set from the SDK's bits.
    public init(rawValue: UInt) { self.rawValue = rawValue }

    /// Mixes: neither interrupts other apps' sessions nor is interrupted by them.
    public static let mixWithOthers = CategoryOptions(rawValue: 0x1)
    /// Ducks the others while this session is active; includes `mixWithOthers`.
    public static let duckOthers = CategoryOptions(rawValue: 0x2)
    /// Makes hands-free devices eligible.
    public static let allowBluetoothHFP = CategoryOptions(rawValue: 0x4)
    /// Old name of `allowBluetoothHFP`.
    @available(iOS, deprecated: 26, renamed: "allowBluetoothHFP")
    public static let allowBluetooth = CategoryOptions(rawValue: 0x4)
    /// Uses the built-in speaker instead of the receiver when it is the only choice.
    public static let defaultToSpeaker = CategoryOptions(rawValue: 0x8)
    /// Interrupts sessions in mode `spokenAudio` and mixes with the rest.
    public static let interruptSpokenAudioAndMixWithOthers = CategoryOptions(rawValue: 0x11)
    /// Makes stereo Bluetooth outputs eligible.
    public static let allowBluetoothA2DP = CategoryOptions(rawValue: 0x20)
    /// Makes network outputs eligible.
    public static let allowAirPlay = CategoryOptions(rawValue: 0x40)
    /// Prevents the interruption when the built-in microphone is muted in hardware.
    public static let overrideMutedMicrophoneInterruption = CategoryOptions(rawValue: 0x80)
    /// Far-field capture of a Bluetooth microphone; needs `allowBluetoothHFP`.
    public static let farFieldInput = CategoryOptions(rawValue: 1 << 18)
    /// High-quality capture of a Bluetooth microphone, in mode `default` only.
    public static let bluetoothHighQualityRecording = CategoryOptions(rawValue: 1 << 19)
  }

  /// The relation of a session's route choice to that of other apps.
  public enum RouteSharingPolicy: UInt, Sendable {
    /// The same rules for all apps.
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
