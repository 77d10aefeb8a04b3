// SPDX-License-Identifier: MIT

extension GraphRules {
  private var category: GraphFile.Session.Category { graph.session.category }

  /// Mode, options and channel wishes fit the category.
  func checkCategory() {
    guard !faulty.isSessionFaulty else { return }
    let session = graph.session
    if !session.mode.categories.contains(category) {
      log.error(
        at: map.position("session", "mode"),
        "mode: the category '\(category.rawValue)' does not take '\(session.mode.rawValue)'; "
          + taken(by: session.mode.categories),
      )
    }
    for (index, option) in session.options.enumerated()
    where !option.categories.contains(category) {
      log.error(
        at: map.position("session", "options", .index(index)),
        "options: the category '\(category.rawValue)' does not take '\(option.rawValue)'; "
          + taken(by: option.categories),
      )
    }
    if session.preferred.inputChannels != nil, !category.hasInput {
      log.error(
        at: map.position("session", "preferred", "inputChannels"),
        "inputChannels: the category '\(category.rawValue)' has no input; " + inputHint,
      )
    }
    if session.preferred.outputChannels != nil, !category.hasOutput {
      log.error(
        at: map.position("session", "preferred", "outputChannels"),
        "outputChannels: the category '\(category.rawValue)' has no output; remove it",
      )
    }
  }

  /// Routes and inputs fit the category.
  func checkDirections() {
    guard !faulty.isSessionFaulty else { return }
    let sound = graph.routes.filter(isSound)
    for route in sound where route.direction == .input && !category.hasInput {
      routeError(route, "the category '\(category.rawValue)' has no input; " + inputHint)
    }
    let outputs = sound.filter { $0.direction == .output }
    if !category.hasOutput {
      for route in outputs {
        routeError(route, "the category '\(category.rawValue)' has no output; use multiRoute")
      }
    } else if !category.allowsSeveralOutputRoutes {
      for route in outputs.dropFirst() {
        routeError(
          route,
          "the category '\(category.rawValue)' has one output route, '\(outputs[0].name)'; "
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
        inputError(source, "the category '\(category.rawValue)' has no input; " + inputHint)
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

  private func taken(by categories: [GraphFile.Session.Category]) -> String {
    "categories that do: " + categories.map(\.rawValue).joined(separator: ", ")
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
