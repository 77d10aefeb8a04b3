// SPDX-License-Identifier: MIT

import ArgumentParser
import CommandSupport
import Console
import ControlProtocol
import ControlSocket

/// `multiroute list`: shows the parameters of a running host.
struct ListCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list",
    abstract: "List what can be set and watched: paths, values, ranges.",
    discussion: """
      Example: multiroute list /strip/deck-a. For a single parameter its meaning is shown, too; --json has everything.
      """,
  )
  @OptionGroup var host: HostOption
  @Argument(help: ArgumentHelp("A branch of the tree; all when left out.", valueName: "path"))
  var path: String?
  @Flag(help: "Print one JSON object for each parameter.") var json = false

  func run() async throws {
    let listed = try await host.withClient {
      try await $0.call(ListParameters.self, ListParameters.Params(path: path))
    }
    if json {
      for parameter in listed.parameters { try Terminal.say(json: parameter) }
      return
    }
    let rows = listed.parameters.map { [$0.path, $0.shownValue, $0.shownRange] }
    let table = Table(["path", "value", "range"], wordColumns: 3, rows: rows)
    for line in table.lines(width: Terminal.columns) { Terminal.say(line) }
    if rows.count == 1 { Terminal.say(listed.parameters[0].description) }
  }
}

/// `multiroute get`: prints the values of parameters.
struct GetCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "get",
    abstract: "Print the values of parameters of a running host, one per line.",
    discussion: "Example: multiroute get /strip/deck-a/gain",
  ).parsedAlone(under: "multiroute")
  @OptionGroup var host: HostOption
  @Argument(
    help: ArgumentHelp("The paths, as 'list' shows them.", valueName: "path"),
    completion: LiveNames.paths,
  )
  var paths: [String]
  @Flag(help: "Print one JSON object for each parameter.") var json = false

  func run() async throws {
    let found = try await host.withClient {
      try await $0.call(GetParameters.self, GetParameters.Params(paths: paths))
    }
    for setting in found.values {
      if json { try Terminal.say(json: setting) } else { Terminal.say("\(setting.value)") }
    }
  }
}

/// `multiroute watch`: prints parameters as they change.
struct WatchCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "watch",
    abstract: "Print parameters of a running host, and each change of them, until interrupted.",
    discussion: "Example: multiroute watch /strip/deck-a /crossfader",
  )
  @OptionGroup var host: HostOption
  @Argument(
    help: ArgumentHelp("Paths and branches of the tree; all when left out.", valueName: "path"),
    completion: LiveNames.paths,
  )
  var paths: [String] = []
  @Flag(help: "Print one JSON object for each value.") var json = false

  func run() async throws {
    try await host.withClient { client in
      let watched = WatchParameters.Params(paths: paths.isEmpty ? ["/"] : paths)
      try show(try await client.call(WatchParameters.self, watched).values)
      for await notification in client.notifications {
        guard case .parameters(let changes) = notification else { continue }
        for rename in changes.renamed ?? [] {
          if json {
            try Terminal.say(json: Renamed(renamed: rename))
          } else {
            Terminal.say("\(rename.from) → \(rename.to)")
          }
        }
        try show(changes.changes)
        for path in changes.removed {
          if json {
            try Terminal.say(json: Removed(removed: path))
          } else {
            Terminal.say("\(path) –")
          }
        }
      }
    }
  }

  /// A parameter that has gone.
  private struct Removed: Encodable {
    let removed: String
  }

  /// A branch with another path.
  private struct Renamed: Encodable {
    let renamed: ParameterRename
  }

  private func show(_ settings: [ParameterSetting]) throws {
    for setting in settings {
      if json {
        try Terminal.say(json: setting)
      } else {
        Terminal.say("\(setting.path) \(setting.value)")
      }
    }
  }
}

/// `multiroute set PATH VALUE`: sets a parameter.
struct SetParameterCommand: AsyncParsableCommand, PathCommand {
  static let configuration = CommandConfiguration(
    commandName: "parameter",
    abstract: "Set a parameter by its path, as 'list' shows it.",
    usage: "multiroute set <path> <value> [--ramp <duration>] [--host <name>]",
    discussion: "Example: multiroute set /strip/deck-a/gain -6dB",
  )
  @OptionGroup var host: HostOption
  @Argument(help: "The path.", completion: LiveNames.paths) var path: String
  @OptionGroup var value: TrailingValue
  @OptionGroup var ramp: RampOption

  func run() async throws {
    let text = try value.text
    let path = ParameterPath.spelled(path)
    try await host.withClient { client in
      let listed = try await client.call(ListParameters.self, ListParameters.Params(path: path))
      guard let parameter = listed.parameters.first(where: { $0.path == path }) else {
        Terminal.complain("error: '\(path)' is a branch; 'multiroute list \(path)' shows its paths")
        throw ExitCode.badData
      }
      let setting = ParameterSetting(path: path, value: try parameter.value(of: text))
      let params = SetParameters.Params(values: [setting], rampMilliseconds: ramp.milliseconds)
      _ = try await client.call(SetParameters.self, params)
    }
  }
}

extension ParameterDescription {
  /// The value with its unit, for people. [any-thread]
  fileprivate var shownValue: String {
    guard let unit, !"\(value)".isEmpty else { return "\(value)" }
    return "\(value) \(unit)"
  }

  /// The values that it can have, for people. [any-thread]
  fileprivate var shownRange: String {
    guard access == .readWrite else { return "read only" }
    switch type {
    case .number:
      let ends = [minimum, maximum].map { $0.map { "\(ParameterValue.number($0))" } ?? "" }
      return "\(ends[0]) … \(ends[1])"
    case .flag: return "on, off"
    case .text: return choices.joined(separator: ", ")
    case .numbers, nil: return ""
    }
  }

  /// The value that a user has written, with the units of graph files. [any-thread]
  ///
  /// - Throws: A usage error with what is allowed.
  fileprivate func value(of text: String) throws -> ParameterValue {
    switch (type, unit) {
    case (.number, "dB"): return .number(try QuantityArgument.gainDB(text))
    case (.number, "ms"): return .number(try QuantityArgument.milliseconds(text))
    case (.number, _):
      guard let number = Double(text), number.isFinite else {
        throw ValidationError("'\(text)' is not a number; allowed: \(shownRange)")
      }
      return .number(number)
    case (.flag, _):
      guard let state = Switch(rawValue: text) else {
        throw ValidationError("'\(text)' is not a state; allowed: on, off")
      }
      return .flag(state.isOn)
    case (.text, _), (.numbers, _), (nil, _): return .text(text)
    }
  }
}
