// SPDX-License-Identifier: MIT

internal import ControlProtocol
internal import Foundation
internal import Sessions

extension AVAudioSession {
  /// Category, mode, policy and options, read at one moment: always a valid combination (SES-5).
  ///
  /// Not in the SDK, where they can only be read one after the other. Pure value: [any-thread].
  public struct Configuration: Hashable, Sendable {
    /// The category.
    public let category: Category
    /// The mode.
    public let mode: Mode
    /// The route-sharing policy.
    public let policy: RouteSharingPolicy
    /// The options.
    public let options: CategoryOptions
  }

  /// Category, mode, policy and options, read at one moment.
  /// [any-thread]
  public var configuration: Configuration {
    let configuration = state.configuration
    return Configuration(
      category: Category(rawValue: configuration.category.rawValue),
      mode: Mode(rawValue: configuration.mode.rawValue),
      policy: RouteSharingPolicy(rawValue: configuration.policy.rawValue) ?? .default,
      options: CategoryOptions(rawValue: configuration.options.rawValue),
    )
  }

  /// The categories that the hardware allows: without an input, `record` and `playAndRecord` are missing.
  public var availableCategories: [Category] {
    let hasInput = isInputAvailable
    return Sessions.Category.allCases
      .filter { hasInput || ![.record, .playAndRecord].contains($0) }
      .map { Category(rawValue: $0.rawValue) }
  }

  /// The category; `soloAmbient` unless set (SES-1).
  public var category: Category { configuration.category }

  /// The options, including those that the mode or another option adds.
  public var categoryOptions: CategoryOptions { configuration.options }

  /// The route-sharing policy.
  public var routeSharingPolicy: RouteSharingPolicy { configuration.policy }

  /// The modes that are allowed in the category.
  public var availableModes: [Mode] {
    let category = state.configuration.category
    return Sessions.Mode.allCases.filter { $0.isAllowed(in: category) }
      .map { Mode(rawValue: $0.rawValue) }
  }

  /// The mode; `default` unless set.
  public var mode: Mode { configuration.mode }

  /// Sets the category without options; keeps the mode if the category allows it (MOD-2).
  ///
  /// - Throws: `badParam` for a category that does not exist.
  /// [control-thread]
  public func setCategory(_ category: Category) throws { try setCategory(category, options: []) }

  /// Sets the category and replaces the options; keeps the mode if the category allows it (MOD-2).
  ///
  /// The options that the mode had added are removed and not added again (MOD-3); the form with a mode adds them.
  ///
  /// - Throws: `badParam` if the category does not allow the options; the session is unchanged then (OPT-1).
  ///   [control-thread]
  public func setCategory(_ category: Category, options: CategoryOptions = []) throws {
    let (known, bits) = (try Self.known(category), Sessions.CategoryOptions(options))
    try controller.configure { configuration, version throws(SessionError) in
      try configuration.setCategory(known, options: bits, compatibility: version)
    } _: { params in
      params.category = known
      params.options = bits
    }
  }

  /// Sets category, mode and options in one call: the recommended form.
  ///
  /// - Throws: `badParam` if the combination is not allowed; the session is unchanged then (OPT-1, MOD-1).
  ///   [control-thread]
  public func setCategory(
    _ category: Category,
    mode: Mode,
    options: CategoryOptions = [],
  ) throws {
    try setCategory(category, mode: mode, policy: .default, options: options)
  }

  /// Sets category, mode, route-sharing policy and options in one call.
  ///
  /// - Throws: `badParam` if the combination is not allowed; the session is unchanged then (OPT-1, MOD-1).
  ///   [control-thread]
  public func setCategory(
    _ category: Category,
    mode: Mode,
    policy: RouteSharingPolicy,
    options: CategoryOptions = [],
  ) throws {
    let known = (category: try Self.known(category), mode: try Self.known(mode))
    let bits = Sessions.CategoryOptions(options)
    let policy = Sessions.RouteSharingPolicy(rawValue: policy.rawValue) ?? .default
    try controller.configure { configuration, version throws(SessionError) in
      try configuration.setCategory(
        known.category,
        mode: known.mode,
        policy: policy,
        options: bits,
        compatibility: version,
      )
    } _: { params in
      params.category = known.category
      params.mode = known.mode
      params.policy = policy
      params.options = bits
    }
  }

  /// Sets the mode; a mode that changes adds its options (MOD-3).
  ///
  /// - Throws: `badParam` if the category does not allow it; the session is unchanged then (MOD-1).
  ///   [control-thread]
  public func setMode(_ mode: Mode) throws {
    let known = try Self.known(mode)
    try controller.configure { configuration, _ throws(SessionError) in
      try configuration.setMode(known)
    } _: { params in
      params.mode = known
    }
  }

  private static func known(_ category: Category) throws -> Sessions.Category {
    guard let known = Sessions.Category(rawValue: category.rawValue) else {
      throw unknown("category", category.rawValue, Sessions.Category.allCases.map(\.rawValue))
    }
    return known
  }

  private static func known(_ mode: Mode) throws -> Sessions.Mode {
    guard let known = Sessions.Mode(rawValue: mode.rawValue) else {
      throw unknown("mode", mode.rawValue, Sessions.Mode.allCases.map(\.rawValue))
    }
    return known
  }

  private static func unknown(_ what: String, _ given: String, _ allowed: [String]) -> NSError {
    .session(
      .badParam,
      "there is no \(what) '\(given)'",
      offending: given,
      allowed: allowed,
      rule: "SES-2",
    )
  }
}

extension Sessions.CategoryOptions {
  init(_ options: AVAudioSession.CategoryOptions) { self.init(rawValue: options.rawValue) }
}
