// SPDX-License-Identifier: MIT

internal import Sessions

extension Field {
  /// A session category.
  func category() -> Category? {
    choice(among: Category.inGraphFiles.map { (name: $0.name, value: $0) })
  }

  /// A session mode.
  func mode() -> Mode? { choice(among: Mode.allCases.map { (name: $0.name, value: $0) }) }

  /// What kind of device a route is.
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
      if options.contains(option) { entry.error("'\(option.name)' is there already") }
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
