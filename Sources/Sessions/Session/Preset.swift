// SPDX-License-Identifier: MIT

/// Ready configurations by kind of app: the table of the PRE rules.
///
/// Pure value: [any-thread].
public enum Preset: String, CaseIterable, Codable, WireNamed {
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

  /// The player's reactions to the end of an interruption and to an unplugged device.
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
  public var takesRemoteCommands: Bool { self == .player || self == .browser }

  /// Whether it takes them only while it plays (rule VOL-3).
  public var registersWhilePlaying: Bool { self == .browser }

  /// Whether it is active only during a prompt (rule ACT-9).
  public var isActiveWhileSounding: Bool { self == .navigation }

  /// Applies what this kind of app is known for to the facts about one.
  public func describe(_ traits: inout SessionTraits) {
    traits.reactions = reactions
    traits.takesRemoteCommands = takesRemoteCommands
    traits.registersWhilePlaying = registersWhilePlaying
    traits.isActiveWhileSounding = isActiveWhileSounding
  }

  /// Whether deactivation notifies the others that they may resume.
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

/// A player's reactions to the end of an interruption and to an unplugged device (rules PRE and
/// INT-5).
///
/// The library's players carry these out by themselves. For adopted clients, which have no support for
/// sessions, the tower does.
///
/// Pure value: [any-thread].
public struct Reactions: Hashable, Codable, Sendable {
  /// A player's reaction to the end of an interruption.
  public enum InterruptionEnd: String, CaseIterable, Codable, Sendable {
    /// Resume where it stopped.
    case resume
    /// Resume if it was playing and the end carries `shouldResume`.
    case resumeIfPlaying
    /// Stay inactive until the user acts.
    case stayInactive
    /// It stays silent, because the app is only active for moments.
    case ignore
  }

  /// A player's reaction to an unplugged device.
  public enum Unplug: String, CaseIterable, Codable, Sendable {
    /// Pause, and stay active.
    case pause
    /// It plays on.
    case ignore
  }

  /// The reaction to the end of an interruption.
  public var interruptionEnd: InterruptionEnd
  /// The reaction to an unplugged device.
  public var unplug: Unplug

  /// Makes reactions.
  ///
  /// - Parameters:
  ///   - interruptionEnd: The reaction to the end of an interruption.
  ///   - unplug: The reaction to an unplugged device.
  public init(interruptionEnd: InterruptionEnd = .resumeIfPlaying, unplug: Unplug = .pause) {
    self.interruptionEnd = interruptionEnd
    self.unplug = unplug
  }
}
