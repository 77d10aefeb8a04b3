// SPDX-License-Identifier: MIT

import ArgumentParser
import LatencyLab

/// `multiroute bench pass-through-client`: the client that nodes are measured beside.
struct PassThroughClientCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "pass-through-client",
    abstract: "Run a JACK client that hands one channel on, until it is ended.",
    shouldDisplay: false,
  )

  @Option(name: [.customShort("n"), .customLong("server")], help: "The name of the JACK server.")
  var server: String?

  @Option(help: "The name of the client.")
  var name = "through"

  func run() async throws {
    try await UntilSignalled.run { [name, server] () async throws(LabError) in
      try await PassThroughClient.run(name: name, server: server)
    }
  }
}
