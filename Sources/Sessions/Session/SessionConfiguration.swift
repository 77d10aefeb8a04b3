// SPDX-License-Identifier: MIT

/// Category, mode, options and route-sharing policy: always a valid combination (rule SES-5).
///
/// Setting the mode adds the mode's options only when the mode changes, and a later `setCategory` without a mode
/// clears them again (rule MOD-3). One call with category, mode and options avoids that: it adds the mode's options
/// every time.
///
/// Pure value: [any-thread].
public struct SessionConfiguration: Hashable, Sendable {
  /// The category.
  public private(set) var category = Category.soloAmbient
  /// The mode.
  public private(set) var mode = Mode.default
  /// The options, those implied by others included.
  public private(set) var options: CategoryOptions = []
  /// The route-sharing policy.
  public private(set) var policy = RouteSharingPolicy.default

  /// The default of every session: `soloAmbient`, no options.
  public init() {}

  /// Makes a configuration in one call.
  ///
  /// - Parameters:
  ///   - category: The category.
  ///   - mode: The mode.
  ///   - options: The options.
  ///   - policy: The route-sharing policy.
  ///   - compatibility: The SDK version whose behaviour counts.
  /// - Throws: `badParam`, with the faulty option, mode or policy and the allowed ones.
  public init(
    category: Category,
    mode: Mode = .default,
    options: CategoryOptions = [],
    policy: RouteSharingPolicy = .default,
    compatibility: Compatibility = .latest,
  ) throws(SessionError) {
    try set(
      category,
      mode,
      options.union(mode.impliedOptions),
      policy,
      compatibility: compatibility
    )
  }

  /// Whether the session mixes with others: neither interrupts nor is interrupted by them.
  public var isMixable: Bool { category == .ambient || options.contains(.mixWithOthers) }

  /// Whether others are lowered while the session is active.
  public var ducksOthers: Bool { options.contains(.duckOthers) }

  /// Whether the session interrupts sessions in mode `spokenAudio`.
  public var interruptsSpokenAudio: Bool { options.interruptsSpokenAudio }

  /// Sets the category and replaces the options; keeps the mode where it fits (rule MOD-2).
  ///
  /// - Parameters:
  ///   - category: The category.
  ///   - options: The options; the mode's own are not added again (rule MOD-3).
  ///   - compatibility: The SDK version whose behaviour counts.
  /// - Throws: `badParam`; the configuration is unchanged then.
  public mutating func setCategory(
    _ category: Category,
    options: CategoryOptions = [],
    compatibility: Compatibility = .latest,
  ) throws(SessionError) {
    let fits =
      mode.isAllowed(in: category)
      && (mode != .dualRoute || options.contains(.allowBluetoothHFP))
    try set(category, fits ? mode : .default, options, .default, compatibility: compatibility)
  }

  /// Sets category, mode, options and policy at once.
  ///
  /// - Parameters:
  ///   - category: The category.
  ///   - mode: The mode; its options are added.
  ///   - policy: The route-sharing policy.
  ///   - options: The options.
  ///   - compatibility: The SDK version whose behaviour counts.
  /// - Throws: `badParam`; the configuration is unchanged then.
  public mutating func setCategory(
    _ category: Category,
    mode: Mode,
    policy: RouteSharingPolicy = .default,
    options: CategoryOptions = [],
    compatibility: Compatibility = .latest,
  ) throws(SessionError) {
    try set(
      category,
      mode,
      options.union(mode.impliedOptions),
      policy,
      compatibility: compatibility
    )
  }

  /// Sets the mode; when it changes, adds the mode's options (rule MOD-3).
  ///
  /// - Parameter mode: The mode.
  /// - Throws: `badParam`; the configuration is unchanged then.
  public mutating func setMode(_ mode: Mode) throws(SessionError) {
    if mode == self.mode { return }
    try set(category, mode, options.union(mode.impliedOptions), policy, compatibility: .lenient)
  }

  /// Sets decoded values unchanged: the mode's options are not added.
  mutating func restore(
    category: Category,
    mode: Mode,
    options: CategoryOptions,
    policy: RouteSharingPolicy
  ) throws(SessionError) {
    try set(category, mode, options, policy, compatibility: .lenient)
  }

  private mutating func set(
    _ category: Category,
    _ mode: Mode,
    _ options: CategoryOptions,
    _ policy: RouteSharingPolicy,
    compatibility: Compatibility,
  ) throws(SessionError) {
    guard mode.isAllowed(in: category) else {
      throw SessionError(.badParam, .mode(mode: mode, category: category), .mod1)
    }
    let kept = try Self.check(options, category, mode, compatibility)
    if mode == .dualRoute, !kept.contains(.allowBluetoothHFP) {
      throw SessionError(
        .badParam,
        .missingOption(option: .allowBluetoothHFP, mode: mode),
        .mod1
      )
    }
    if kept.contains(.farFieldInput), !kept.contains(.allowBluetoothHFP) {
      throw SessionError(
        .badParam,
        .missingOption(option: .allowBluetoothHFP, mode: mode),
        .opt1
      )
    }
    guard Self.fits(policy, category, mode, kept) else {
      throw SessionError(.badParam, .policy(policy: policy), .opt1)
    }
    self.category = category
    self.mode = mode
    self.options = kept
    self.policy = policy
  }

  /// Checks options against the table and returns those that take effect.
  private static func check(
    _ options: CategoryOptions,
    _ category: Category,
    _ mode: Mode,
    _ compatibility: Compatibility,
  ) throws(SessionError) -> CategoryOptions {
    let table = CategoryOptions.table(for: category, mode: mode)
    let requested = heeded(options, table).normalized
    // Ducking implies mixing, so an app that sets the options that it read may set both.
    let isImplied = options.contains(.duckOthers) && table.settable.contains(.duckOthers)
    let settable = isImplied ? table.settable.union(.mixWithOthers) : table.settable
    let ignored = compatibility.implicitOptions == .ignored ? table.implicit : []
    let offending = requested.subtracting(settable).subtracting(ignored)
    guard offending.isEmpty else {
      throw SessionError(
        .badParam,
        .options(
          offending: offending,
          allowed: table.settable,
          category: category,
          mode: mode
        ),
        .opt1,
      )
    }
    return requested.intersection(settable)
  }

  /// The options without those that are ignored, and without the mixing that an ignored ducking implies.
  private static func heeded(
    _ options: CategoryOptions,
    _ table: CategoryOptions.Table,
  ) -> CategoryOptions {
    let ducksInVain = options.contains(.duckOthers) && table.ignored.contains(.duckOthers)
    let ignored = ducksInVain ? table.ignored.union(.mixWithOthers) : table.ignored
    return options.subtracting(ignored)
  }

  private static func fits(
    _ policy: RouteSharingPolicy,
    _ category: Category,
    _ mode: Mode,
    _ options: CategoryOptions
  ) -> Bool {
    switch (policy, mode) {
    case (.default, _): true
    case (.independent, _): false
    case (_, .default), (_, .moviePlayback), (_, .spokenAudio):
      category == .playback && options.isEmpty
    default: false
    }
  }
}

extension SessionConfiguration: Codable {
  private enum CodingKeys: String, CodingKey {
    case category, mode, options, policy
  }

  /// Decodes a configuration and checks it: an invalid combination does not decode.
  ///
  /// - Parameter decoder: The decoder with the four values.
  /// - Throws: `DecodingError`, with the refusal as its description.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    self.init()
    let category = try values.decode(Category.self, forKey: .category)
    let mode = try values.decode(Mode.self, forKey: .mode)
    let options = try values.decode(CategoryOptions.self, forKey: .options)
    let policy = try values.decode(RouteSharingPolicy.self, forKey: .policy)
    do throws(SessionError) {
      try restore(category: category, mode: mode, options: options, policy: policy)
    } catch {
      throw DecodingError.dataCorrupted(
        .init(codingPath: decoder.codingPath, debugDescription: error.message)
      )
    }
  }

  /// Encodes the four values.
  ///
  /// - Parameter encoder: The encoder for them.
  /// - Throws: The encoder's error.
  public func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: CodingKeys.self)
    try values.encode(category, forKey: .category)
    try values.encode(mode, forKey: .mode)
    try values.encode(options, forKey: .options)
    try values.encode(policy, forKey: .policy)
  }
}
