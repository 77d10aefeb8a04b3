// SPDX-License-Identifier: MIT

extension GraphFile {
  /// The audio session that a program is given, by a source or by a rule.
  public struct AppSession: Sendable, Equatable {
    /// A ready configuration; category, mode and options come from it then.
    public var preset: Preset?
    /// The category; nil for the preset's usual one.
    public var category: GraphFile.Session.Category?
    /// The mode.
    public var mode = GraphFile.Session.Mode.default
    /// The options, in the order of the file.
    public var options: [GraphFile.Session.Option] = []
    /// Who beats whom.
    public var priorityClass = PriorityClass.app
  }
}

extension GraphFile.AppSession {
  /// A kind of app; the raw value is the name in the file.
  public enum Preset: String, Sendable, CaseIterable {
    /// Games.
    case game
    /// Players and recorders.
    case player
    /// Calls.
    case voip
    /// Measuring.
    case measurement
    /// Browsers.
    case browser
    /// Navigation and other prompts that lower the rest.
    case navigation
    /// Instruments and studios.
    case musicMaking

    /// The categories this kind of app chooses from, the usual one first.
    public var categories: [GraphFile.Session.Category] {
      switch self {
      case .game: [.ambient, .soloAmbient]
      case .player: [.playback, .playAndRecord, .record]
      case .voip, .measurement: [.playAndRecord]
      case .browser: [.playback]
      case .navigation, .musicMaking: [.playback, .playAndRecord]
      }
    }
  }

  /// Who beats whom; the raw value is the name in the file.
  public enum PriorityClass: String, Sendable, CaseIterable {
    /// A call: it always wins.
    case phone
    /// An alarm or announcement.
    case alarm
    /// A voice assistant.
    case assistant
    /// Everybody else.
    case app
  }
}
