// SPDX-License-Identifier: MIT

import ArgumentParser
import ControlProtocol
import ControlSocket

/// `multiroute press KEY [APP]`: a media key.
struct PressCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "press",
    abstract: "Press a media key: play, pause, toggle, stop, next, previous, seek, record.",
    discussion: """
      Without a program it reaches the one that is now playing. A program that is interrupted gets it when \
      the interruption ends. 'play' lets an adopted player be heard again that was paused because its \
      device went away.
      """,
  )

  @OptionGroup var host: HostOption
  @Argument(help: "The key.") var key: String
  @Argument(help: "The program's name, or a session's id.") var app: String?
  @Option(help: "Where to, in seconds from the start, with seek.") var to: Double?

  func run() async throws {
    let params = SendRemoteCommand.Params(command: key, seconds: to, session: app)
    try await host.withClient { _ = try await $0.call(SendRemoteCommand.self, params) }
  }
}
