// SPDX-License-Identifier: MIT

extension AVAudioSession {
  /// What kind of audio an app makes; CAT-1 of docs/sessions.md is what each does.
  public struct Category: RawRepresentable, Hashable, Sendable {
    /// The SDK's string.
    public let rawValue: String

    /// Makes a value from the SDK's string; unknown ones are refused where they are used.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Output that always mixes and falls silent with the silent switch or the screen lock.
    public static let ambient = Category(rawValue: "AVAudioSessionCategoryAmbient")
    /// Output that silences others and falls silent with the silent switch: the default.
    public static let soloAmbient = Category(rawValue: "AVAudioSessionCategorySoloAmbient")
    /// Output that is the app's purpose; the silent switch leaves it alone.
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
}
