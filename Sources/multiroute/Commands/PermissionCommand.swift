// SPDX-License-Identifier: MIT

import ArgumentParser
import Console
import ControlProtocol
import ControlSocket

/// `multiroute permission …`: which programs may record.
struct PermissionCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "permission",
    abstract: "Which programs may record: list, grant, deny, reset.",
    discussion: """
      A program is the name of its executable, or its path for that one file alone; where the machine \
      does not tell whose a client is, the client's name. Answers count at once and are kept.
      """,
    subcommands: [List.self, Grant.self, Deny.self, Reset.self],
    defaultSubcommand: List.self,
  )

  /// `permission list`.
  struct List: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "List programs with an answer, and those that ask or record."
    )
    @OptionGroup var host: HostOption
    @Flag(help: "Print JSON.") var json = false

    func run() async throws {
      try await host.withClient { client in
        let result = try await client.call(ListPermissions.self)
        if json { return Terminal.say(try JSONLine.text(result)) }
        for line in PermissionsView.lines(result) { Terminal.say(line) }
      }
    }
  }

  /// `permission grant`.
  struct Grant: AsyncParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Let a program record.")
    @OptionGroup var answer: Answer
    func run() async throws { try await answer.give(.granted) }
  }

  /// `permission deny`.
  struct Deny: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Let a program hear silence, also while it records."
    )
    @OptionGroup var answer: Answer
    func run() async throws { try await answer.give(.denied) }
  }

  /// `permission reset`.
  struct Reset: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Forget an answer: the graph file counts again."
    )
    @OptionGroup var answer: Answer
    func run() async throws { try await answer.give(.undetermined) }
  }

  /// Whom an answer is for.
  struct Answer: ParsableArguments {
    @OptionGroup var host: HostOption
    @Argument(help: "The program's name or path, or its JACK client.") var program: String
    @Flag(help: "Print JSON.") var json = false

    func give(_ permission: PermissionAnswer) async throws {
      try await host.withClient { client in
        let params = SetPermission.Params(program: program, permission: permission)
        let result = try await client.call(SetPermission.self, params)
        if json { return Terminal.say(try JSONLine.text(result)) }
        Terminal.say("\(result.program): \(result.permission.rawValue)")
      }
    }
  }
}
