// SPDX-License-Identifier: MIT

import ArgumentParser
import ControlProtocol
import ControlSocket

/// `multiroute fade`: a gain over time.
struct FadeCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "fade",
    abstract: "Fade a strip, a route or a send to a gain.",
    discussion: "Example: multiroute fade --strip deck-a --to -inf --over 3000 --wait",
  )

  @OptionGroup var host: HostOption
  @OptionGroup var options: MixTargetOptions

  @Option(
    name: .customLong("to"),
    parsing: .unconditional,
    help: "The gain at the end in dB, or -inf.",
    transform: GainArgument.parse,
  )
  var gainDB: Double

  @Option(name: .customLong("over"), help: "How long it takes, in milliseconds.")
  var milliseconds: Double

  @Flag(help: "Wait for the end of the fade.")
  var wait = false

  func run() async throws {
    let target = try options.required()
    try await host.withClient { client in
      if wait {
        _ = try await client.call(Subscribe.self, Subscribe.Params(topics: [.events]))
      }
      let fade = try await client.call(
        Fade.self,
        Fade.Params(target: target, gainDB: gainDB, durationMilliseconds: milliseconds),
      )
      guard wait else { return }
      for await notification in client.notifications {
        guard case .event(let event) = notification, event.kind == .fadeFinished else { continue }
        if event.details["fade"] == .integer(Int64(fade.fade)) { break }
      }
    }
  }
}
