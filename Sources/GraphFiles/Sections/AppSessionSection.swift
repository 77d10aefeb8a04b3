// SPDX-License-Identifier: MIT

internal import Sessions

/// The keys of a source's `session`.
enum AppSessionKey: String, SectionKey {
  static let section = "source session"
  case preset, category, mode, options, `class`
}

extension GraphFile.AppSession {
  init(_ section: Section<AppSessionKey>) {
    preset = section[.preset]?.choice()
    category = section[.category]?.category()
    mode = section[.mode]?.mode() ?? mode
    options = section[.options]?.categoryOptions() ?? options
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
