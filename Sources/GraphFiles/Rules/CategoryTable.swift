// SPDX-License-Identifier: MIT

internal import Sessions

/// What the session categories allow, as far as a graph file can contradict it.
extension Category {
  /// The categories of graph files: a host that works offline only has nothing to do.
  static let inGraphFiles = allCases.filter { $0 != .audioProcessing }

  var allowsSeveralOutputRoutes: Bool { self == .multiRoute }

  /// Whether the category takes an option in a mode.
  func takes(_ option: CategoryOptions, in mode: Mode) -> Bool {
    CategoryOptions.table(for: self, mode: mode).settable.contains(option)
  }
}

extension Mode {
  /// The categories of graph files that take this mode.
  var categoriesInGraphFiles: [Category] { Category.inGraphFiles.filter(isAllowed) }
}

extension CategoryOptions {
  /// The name of a single option.
  var name: String { Self.named.first { $0.option == self }?.name ?? "" }

  /// The categories of graph files that take this option.
  var categoriesInGraphFiles: [Category] {
    Category.inGraphFiles.filter { $0.takes(self, in: .default) }
  }
}

extension [Category] {
  /// The names in one line.
  var names: String { map(\.name).joined(separator: ", ") }
}
