// SPDX-License-Identifier: MIT

/// Ready configurations by kind of app: the table of the PRE rules.
public enum Preset: String, CaseIterable, Codable, Sendable {
  /// Games: `ambient`, or `soloAmbient`.
  case game
  /// Players and recorders: `playback`, `playAndRecord` or `record`.
  case player
  /// Calls: `playAndRecord` in mode `voiceChat`.
  case voip
  /// Measuring: `playAndRecord` in mode `measurement`.
  case measurement
  /// Browsers: `playback`.
  case browser
  /// Navigation and workouts: `playback` or `playAndRecord`, ducking.
  case navigation
  /// Instruments and studios: `playback` or `playAndRecord`, mixing.
  case musicMaking

  /// The categories this kind of app chooses from, the usual one first.
  public var categories: [Category] {
    switch self {
    case .game: [.ambient, .soloAmbient]
    case .player: [.playback, .playAndRecord, .record]
    case .voip, .measurement: [.playAndRecord]
    case .browser: [.playback]
    case .navigation, .musicMaking: [.playback, .playAndRecord]
    }
  }

  /// The configuration with the usual category.
  public var configuration: SessionConfiguration {
    var configuration = SessionConfiguration()
    try? configuration.setCategory(
      categories[0],
      mode: mode,
      options: options(for: categories[0])
    )
    return configuration
  }

  /// The configuration with one of the preset's categories.
  ///
  /// - Parameter category: One of `categories`.
  /// - Returns: A valid configuration.
  /// - Throws: `badParam` for any other category.
  public func configuration(category: Category) throws(SessionError) -> SessionConfiguration {
    guard categories.contains(category) else {
      throw .value(
        "category of preset \(rawValue)",
        given: category.name,
        allowed: categories.map(\.name).joined(separator: ", "),
        .cat1,
      )
    }
    return try SessionConfiguration(
      category: category,
      mode: mode,
      options: options(for: category)
    )
  }

  /// What follows interruption ends and unplugs.
  public var reactions: Reactions {
    switch self {
    case .game: Reactions(interruptionEnd: .resume, unplug: .ignore)
    case .player: Reactions(interruptionEnd: .resumeIfPlaying, unplug: .pause)
    case .voip: Reactions(interruptionEnd: .stayInactive, unplug: .ignore)
    case .measurement: Reactions(interruptionEnd: .resume, unplug: .ignore)
    case .browser: Reactions(interruptionEnd: .stayInactive, unplug: .pause)
    case .navigation: Reactions(interruptionEnd: .ignore, unplug: .ignore)
    case .musicMaking: Reactions(interruptionEnd: .resume, unplug: .ignore)
    }
  }

  /// Whether this kind of app takes remote-control commands.
  public var takesRemoteCommands: Bool { self == .player }

  /// Whether deactivation tells the others that they may go on.
  public var notifiesOthersOnDeactivation: Bool {
    switch self {
    case .voip, .browser, .navigation: true
    case .game, .player, .measurement, .musicMaking: false
    }
  }

  private var mode: Mode {
    switch self {
    case .voip: .voiceChat
    case .measurement: .measurement
    case .game, .player, .browser, .navigation, .musicMaking: .default
    }
  }

  private func options(for category: Category) -> CategoryOptions {
    switch self {
    case .player, .musicMaking: category == .record ? [] : .mixWithOthers
    case .navigation: .duckOthers
    case .game, .voip, .measurement, .browser: []
    }
  }
}
