// SPDX-License-Identifier: MIT

import ArgumentParser
import CommandSupport
import Console
import ControlProtocol
import ControlSocket
import Sessions

/// `multiroute why APP`: says why a program is silent or low, and what would change it.
struct WhyCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "why",
    abstract: "Say why an app is heard, low or silent, and what would change it.",
  )

  @OptionGroup var host: HostOption
  @Argument(help: "The program's name, or a session's id.", completion: LiveNames.apps)
  var app: String
  @Flag(help: "Print JSON.") var json = false

  func run() async throws {
    try await host.withClient { client in
      let result = try await client.call(Why.self, Why.Params(app: app))
      if json { return try Terminal.say(json: result) }
      for session in result.sessions {
        let remedy = session.remedy.map { " " + $0 } ?? ""
        Terminal.say("\(session.session): \(session.sentence)\(remedy) (\(session.$rule))")
        if let fate = session.ifHostDies { Terminal.say("\(session.session): \(fate)") }
      }
      for sentence in result.patches { Terminal.say("\(app): \(sentence)") }
    }
  }
}

/// `multiroute press KEY [APP]`: presses a media key.
struct PressCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "press",
    abstract: "Press a media key.",
    discussion: """
      Keys: play, pause, toggle, stop, next, previous, seek, skipForward, skipBackward, rate, record.

      Without a program the key reaches the one that is now playing. An interrupted program gets it when the \
      interruption ends. 'play' makes an adopted player audible again that was paused because its device was \
      unplugged.
      """,
  )

  @OptionGroup var host: HostOption
  @Argument(help: "The key.") var key: String
  @Argument(help: "The program's name, or a session's id.", completion: LiveNames.apps)
  var app: String?
  @Option(
    help:
      "The position of seek or the distance of a skip, such as 90s; the speed of rate (1: normal).",
    transform: QuantityArgument.seconds,
  )
  var to: Double?
  @Option(help: .hidden) var rate: Double?

  func run() async throws {
    try await host.withClient { client in
      let kind = try RemoteCommand.Kind(checking: key, at: "command")
      guard let command = RemoteCommand(kind, seconds: to, factor: rate ?? to) else {
        throw ValidationError("the key 'rate' needs a speed: press rate --to 1.5")
      }
      _ = try await client.call(SendRemoteCommand.self, .init(command: command, session: app))
    }
  }
}

/// `multiroute permission …`: which programs may record.
struct PermissionCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "permission",
    abstract: "Show and set which programs may record: list, grant, deny, reset.",
    discussion: """
      A program is an executable: the name of one that the list shows, or a path. Where the machine does not \
      say which program owns a client, it is client:NAME. Answers count at once and are kept.
      """,
    subcommands: [List.self, Grant.self, Deny.self, Reset.self],
    defaultSubcommand: List.self,
  )

  /// `permission list`.
  struct List: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "list",
      abstract: "List programs with an answer, and those that ask or record."
    )
    @OptionGroup var host: HostOption
    @Flag(help: "Print JSON.") var json = false

    func run() async throws {
      try await host.withClient { client in
        let result = try await client.call(ListPermissions.self)
        if json { return try Terminal.say(json: result) }
        for line in PermissionsView.lines(result, width: Terminal.columns) { Terminal.say(line) }
      }
    }
  }

  /// `permission grant`.
  struct Grant: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "grant",
      abstract: "Let a program record."
    )
    @OptionGroup var answer: Answer
    func run() async throws { try await answer.give(.granted) }
  }

  /// `permission deny`.
  struct Deny: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "deny",
      abstract: "Give a program silence instead of its inputs, at once."
    )
    @OptionGroup var answer: Answer
    func run() async throws { try await answer.give(.denied) }
  }

  /// `permission reset`.
  struct Reset: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "reset",
      abstract: "Withdraw an answer: the graph file counts again."
    )
    @OptionGroup var answer: Answer
    func run() async throws { try await answer.give(.undetermined) }
  }

  /// A program and the user's answer for it.
  ///
  /// Belongs to the control thread.
  struct Answer: ParsableArguments {
    @OptionGroup var host: HostOption
    @Argument(help: "The program's name or path, or its JACK client.") var program: String
    @Flag(help: "Print JSON.") var json = false

    func give(_ permission: RecordPermission) async throws {
      try await host.withClient { client in
        let params = SetPermission.Params(program: program, permission: permission)
        let result = try await client.call(SetPermission.self, params)
        if json { return try Terminal.say(json: result) }
        Terminal.say("\(result.program): \(result.$permission)")
      }
    }
  }
}
