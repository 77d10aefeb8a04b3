// SPDX-License-Identifier: MIT

import ArgumentParser
import ControlProtocol
import ControlSocket

/// `multiroute press KEY [APP]`: a media key.
struct PressCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "press",
    abstract: "Press a media key.",
    discussion: """
      Keys: play, pause, toggle, stop, next, previous, seek, skipForward, skipBackward, rate, record.

      Without a program it reaches the one that is now playing. A program that is interrupted gets it when \
      the interruption ends. 'play' lets an adopted player be heard again that was paused because its \
      device went away.
      """,
  )

  @OptionGroup var host: HostOption
  @Argument(help: "The key.") var key: String
  @Argument(help: "The program's name, or a session's id.") var app: String?
  @Option(help: "Where to with seek, how far with skips, in seconds.") var to: Double?
  @Option(help: "How many times as fast as normal, with rate.") var rate: Double?

  func run() async throws {
    let params = SendRemoteCommand.Params(
      command: key,
      seconds: to,
      rate: rate,
      session: app,
    )
    try await host.withClient { _ = try await $0.call(SendRemoteCommand.self, params) }
  }
}
