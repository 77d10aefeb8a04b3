// SPDX-License-Identifier: MIT

internal import Sessions

/// The categories of graph files.
extension Category {
  /// All categories except `audioProcessing`, in which a host could not play.
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

extension GraphChecks {
  private var category: Category { graph.session.category }

  /// Checks that mode, options and preferred channels fit the category.
  func checkCategory() {
    guard !faulty.isSessionFaulty else { return }
    let session = graph.session
    if !session.mode.isAllowed(in: category) {
      log.error(
        at: map.position("session", "mode"),
        "mode: the category '\(category.name)' does not take '\(session.mode.name)'; "
          + taken(by: session.mode.categoriesInGraphFiles),
      )
    }
    for (index, option) in session.options.enumerated()
    where !category.takes(option, in: session.mode) {
      log.error(
        at: map.position("session", "options", .index(index)),
        "options: the category '\(category.name)' does not take '\(option.name)'; "
          + taken(by: option.categoriesInGraphFiles),
      )
    }
    if session.preferred.inputChannels != nil, !category.hasInput {
      log.error(
        at: map.position("session", "preferred", "inputChannels"),
        "inputChannels: the category '\(category.name)' has no input; " + inputHint,
      )
    }
    if session.preferred.outputChannels != nil, !category.hasOutput {
      log.error(
        at: map.position("session", "preferred", "outputChannels"),
        "outputChannels: the category '\(category.name)' has no output; remove it",
      )
    }
  }

  /// Checks that routes and inputs fit the category.
  func checkDirections() {
    guard !faulty.isSessionFaulty else { return }
    let sound = graph.routes.filter(isSound)
    for route in sound where route.direction == .input && !category.hasInput {
      routeError(route, "the category '\(category.name)' has no input; " + inputHint)
    }
    let outputs = sound.filter { $0.direction == .output }
    if !category.hasOutput {
      for route in outputs {
        routeError(route, "the category '\(category.name)' has no output; use multiRoute")
      }
    } else if !category.allowsSeveralOutputRoutes {
      for route in outputs.dropFirst() {
        routeError(
          route,
          "the category '\(category.name)' has one output route, '\(outputs[0].name)'; "
            + "several need 'category: multiRoute'",
        )
      }
    }
    checkInputs()
  }

  /// Checks that all sources read at most one input, and none in a category without input.
  private func checkInputs() {
    var first: GraphFile.Source?
    for source in graph.sources {
      switch source.kind {
      case .systemInput where !category.hasInput:
        inputError(source, "the category '\(category.name)' has no input; " + inputHint)
      case .systemInput, .inputRoute:
        if let first, first.kind != source.kind {
          inputError(
            source,
            "source '\(first.name)' reads another input already; a session has one at a time",
          )
        }
        first = first ?? source
      case .file, .tone, .ports, .node:
        break
      }
    }
  }

  private var inputHint: String { "categories with input: multiRoute, playAndRecord, record" }

  private func taken(by categories: [Category]) -> String {
    "categories that do: " + categories.names
  }

  private func routeError(_ route: GraphFile.Route, _ message: @autoclosure () -> String) {
    log.error(
      at: map.keyPosition("routes", .key(route.name)),
      "route '\(route.name)': \(message())",
    )
  }

  private func inputError(_ source: GraphFile.Source, _ message: @autoclosure () -> String) {
    log.error(
      at: map.position("sources", .key(source.name), "input"),
      "input: \(message())",
    )
  }
}
