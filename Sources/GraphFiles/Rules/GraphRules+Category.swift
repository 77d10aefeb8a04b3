// SPDX-License-Identifier: MIT

internal import Sessions

extension GraphRules {
  private var category: Category { graph.session.category }

  /// Mode, options and channel wishes fit the category.
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

  /// Routes and inputs fit the category.
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

  /// Sources read at most one input, and none where the category has none.
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
