// SPDX-License-Identifier: MIT

import ArgumentParser
import LatencyLab

/// `multiroute bench empty-client`: the client that others are measured above.
struct EmptyClientCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "empty-client",
    abstract: "Run a JACK client that only writes silence, until it is ended.",
    shouldDisplay: false,
  )

  @Option(name: [.customShort("n"), .customLong("server")], help: "The name of the JACK server.")
  var server: String?

  @Option(help: "The name of the client.")
  var name = "empty"

  @Option(help: "Input ports.")
  var inputs = 2

  @Option(help: "Output ports, up to 64.")
  var outputs = 2

  func run() async throws {
    try await UntilSignalled.run { [name, server, inputs, outputs] () async throws(LabError) in
      try await EmptyClient.run(name: name, server: server, inputs: inputs, outputs: outputs)
    }
  }
}
