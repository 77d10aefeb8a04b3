// SPDX-License-Identifier: MIT

public import Sessions

extension GraphFile {
  /// The audio session of a source or of an adopted client.
  public struct AppSession: Sendable, Equatable {
    /// A ready configuration with category, mode and options.
    public var preset: Preset?
    /// The category; nil for the preset's usual one.
    public var category: Category?
    /// The mode.
    public var mode = Mode.default
    /// The options, one by one in the order of the file.
    public var options: [CategoryOptions] = []
    /// The priority class.
    public var priorityClass = PriorityClass.app
    /// The tag for its music; nil for audio that is not tagged.
    public var music: MusicTag?
  }
}

/// The keys of a source's `session`.
enum AppSessionKey: String, SectionKey {
  static let section = "source session"
  case preset, category, mode, options, `class`, music
}

extension GraphFile.AppSession {
  init(_ section: Section<AppSessionKey>) {
    preset = section[.preset]?.choice()
    category = section[.category]?.category()
    mode = section[.mode]?.mode() ?? mode
    options = section[.options]?.categoryOptions() ?? options
    priorityClass = section[.class]?.choice() ?? priorityClass
    music = section[.music]?.choice()
    if section[.preset] == nil, section[.category] == nil {
      section.log.error(
        at: section.position,
        "source session: it has neither 'preset' nor 'category'; write one of them",
      )
    }
    if let preset {
      checkPreset(preset, section)
    } else if let category {
      checkCategory(category, section)
    }
  }

  private func checkPreset(_ preset: Preset, _ section: Section<AppSessionKey>) {
    for key in [AppSessionKey.mode, .options] {
      section[key]?.error("the preset '\(preset.rawValue)' has its own; remove this key")
    }
    guard let category, !preset.categories.contains(category) else { return }
    section[.category]?.error(
      "the preset '\(preset.rawValue)' does not take '\(category.name)'; categories that do: "
        + preset.categories.names
    )
  }

  private func checkCategory(_ category: Category, _ section: Section<AppSessionKey>) {
    if !mode.isAllowed(in: category) {
      section[.mode]?.refuse(mode.name, by: category, taken: mode.categoriesInGraphFiles)
    }
    for option in options where !category.takes(option, in: mode) {
      section[.options]?.refuse(option.name, by: category, taken: option.categoriesInGraphFiles)
    }
  }
}

extension Field {
  /// A session category.
  func category() -> Category? {
    choice(among: Category.inGraphFiles.map { (name: $0.name, value: $0) })
  }

  /// A session mode.
  func mode() -> Mode? { choice(among: Mode.allCases.map { (name: $0.name, value: $0) }) }

  /// The kind of device of a route.
  func portType() -> PortType? {
    choice(among: PortType.allCases.map { (name: $0.name, value: $0) })
  }

  /// A list of category options, each at most once.
  func categoryOptions() -> [CategoryOptions] {
    // The SDK's older name is a name too.
    let choices =
      CategoryOptions.named.map { (name: $0.name, value: $0.option) }
      + [(name: "allowBluetooth", value: .allowBluetoothHFP)]
    var options: [CategoryOptions] = []
    for entry in list(allowed: "a list of options") ?? [] {
      guard let option = entry.choice(among: choices) else { continue }
      if options.contains(option) { entry.error("'\(option.name)' is in this list already") }
      options.append(option)
    }
    return options
  }

  /// Reports a mode or an option that a category does not take.
  func refuse(_ name: String, by category: Category, taken categories: [Category]) {
    error(
      "the category '\(category.name)' does not take '\(name)'; categories that do: "
        + categories.names
    )
  }
}
