// SPDX-License-Identifier: MIT

/// The keys of a source's `session`.
enum AppSessionKey: String, SectionKey {
  static let section = "source session"
  case preset, category, mode, options, `class`
}

extension GraphFile.AppSession {
  init(_ section: Section<AppSessionKey>) {
    preset = section[.preset]?.choice()
    category = section[.category]?.choice()
    mode = section[.mode]?.choice() ?? mode
    options = section[.options]?.sessionOptions() ?? options
    priorityClass = section[.class]?.choice() ?? priorityClass
    if section[.preset] == nil, section[.category] == nil {
      section.log.error(
        at: section.position,
        "source session: it says neither 'preset' nor 'category'; write one of them",
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
      section[key]?.error("the preset '\(preset.rawValue)' brings its own; remove it")
    }
    guard let category, !preset.categories.contains(category) else { return }
    section[.category]?.error(
      "the preset '\(preset.rawValue)' does not take '\(category.rawValue)'; categories that do: "
        + preset.categories.map(\.rawValue).joined(separator: ", ")
    )
  }

  private func checkCategory(
    _ category: GraphFile.Session.Category,
    _ section: Section<AppSessionKey>,
  ) {
    if !mode.categories.contains(category) {
      section[.mode]?.error(
        "the category '\(category.rawValue)' does not take '\(mode.rawValue)'; categories that do: "
          + mode.categories.map(\.rawValue).joined(separator: ", ")
      )
    }
    for option in options where !option.categories.contains(category) {
      section[.options]?.error(
        "the category '\(category.rawValue)' does not take '\(option.rawValue)'; categories that "
          + "do: " + option.categories.map(\.rawValue).joined(separator: ", ")
      )
    }
  }
}

extension Field {
  /// A list of category options, each at most once.
  func sessionOptions() -> [GraphFile.Session.Option] {
    var options: [GraphFile.Session.Option] = []
    for entry in list(allowed: "a list of options") ?? [] {
      guard let option: GraphFile.Session.Option = entry.choice() else { continue }
      if options.contains(option) { entry.error("'\(option.rawValue)' is there already") }
      options.append(option)
    }
    return options
  }
}
