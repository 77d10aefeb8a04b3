// SPDX-License-Identifier: MIT

/// What a session starts with.
public struct SessionDescription: Hashable, Codable, Sendable {
  /// The program, under the name permissions and preferences are kept for.
  public var app: String
  /// The class asked for; the tower's configuration says which programs may (rule ACT-4).
  public var priorityClass: PriorityClass
  /// Whether this is a JACK client that knows nothing of sessions.
  public var isAdopted: Bool
  /// Category, mode, options and policy.
  public var configuration: SessionConfiguration
  /// Wishes; nil takes those the program had when its last session ended (rule SES-6).
  public var preferences: HardwarePreferences?
  /// What the host knows beside.
  public var traits: SessionTraits
  /// Which SDK version to behave like.
  public var compatibility: Compatibility

  /// Describes a session.
  ///
  /// - Parameters:
  ///   - app: The program.
  ///   - priorityClass: The class asked for.
  ///   - isAdopted: Whether this is a JACK client that knows nothing of sessions.
  ///   - configuration: Category, mode, options and policy.
  ///   - preferences: Wishes; nil takes those kept for the program.
  ///   - traits: What the host knows beside.
  ///   - compatibility: Which SDK version to behave like.
  public init(
    app: String,
    priorityClass: PriorityClass = .app,
    isAdopted: Bool = false,
    configuration: SessionConfiguration = SessionConfiguration(),
    preferences: HardwarePreferences? = nil,
    traits: SessionTraits = SessionTraits(),
    compatibility: Compatibility = .latest,
  ) {
    self.app = app
    self.priorityClass = priorityClass
    self.isAdopted = isAdopted
    self.configuration = configuration
    self.preferences = preferences
    self.traits = traits
    self.compatibility = compatibility
  }
}
