// SPDX-License-Identifier: MIT

import ArgumentParser
import CommandSupport
import ControlProtocol
import ControlSocket

/// `multiroute fade`: a gain over time.
struct FadeCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "fade",
    abstract: "Fade a strip, a route or a send to a gain.",
    usage: "multiroute fade \(GainArguments.usage) --over <duration> [--wait] [--host <name>]",
    discussion: """
      Gains are decibels, such as -6dB, or -inf for silence; durations are such as 20ms or 3s. \
      Example: multiroute fade deck-a -inf --over 3s --wait
      """,
  )

  @OptionGroup var host: HostOption
  @OptionGroup var change: GainArguments

  @Option(
    name: .customLong("over"),
    help: ArgumentHelp("The length of the fade, such as 3s.", valueName: "duration"),
    transform: QuantityArgument.milliseconds,
  )
  var milliseconds: Double

  @Flag(help: "Wait for the end of the fade.")
  var wait = false

  func run() async throws {
    let (named, gainDB) = try change.parts
    try await host.withClient(subscribingTo: wait ? [.events] : []) { client in
      let target = try await named.target(client)
      let fade = try await client.call(
        StartFade.self,
        StartFade.Params(target: target, gainDB: gainDB, durationMilliseconds: milliseconds),
      )
      guard wait else { return }
      for await notification in client.notifications {
        guard case .event(let event) = notification, case .fadeFinished(let end) = event.payload
        else { continue }
        if end.fade == fade.fade { break }
      }
    }
  }
}
