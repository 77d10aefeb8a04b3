// SPDX-License-Identifier: MIT

import ArgumentParser
import ControlProtocol
import ControlSocket

/// `multiroute why APP`: why it is silent or low, and what would change it.
struct WhyCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "why",
    abstract: "Say why an app is heard, low or silent, and what would change it.",
  )

  @OptionGroup var host: HostOption
  @Argument(help: "The program's name, or a session's id.") var app: String
  @Flag(help: "Print JSON.") var json = false

  func run() async throws {
    try await host.withClient { client in
      let result = try await client.call(Why.self, Why.Params(app: app))
      if json { return Terminal.say(try JSONLine.text(result)) }
      for session in result.sessions {
        let remedy = session.remedy.map { " " + $0 } ?? ""
        Terminal.say("\(session.session): \(session.sentence)\(remedy) (\(session.rule))")
      }
    }
  }
}
