// SPDX-License-Identifier: MIT

import ArgumentParser
import InterAppAudio

/// `multiroute connect`: patches nodes and other clients, starting nodes where needed.
struct ConnectCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "connect",
    abstract: "Connect nodes, clients or ports, one after the other; installed nodes are started.",
    discussion: """
      Each PLACE is a node's name, a client's name, a port's, or 'client:' with the beginning of port names, of \
      which as many are taken as the other place has channels. All or nothing is connected.
      Example: multiroute connect synth delay system:playback
      """,
  )

  @OptionGroup var server: NodeServerOption
  @Argument(help: "Two or more places, in the order of the signal.") var places: [String]

  func validate() throws {
    guard places.count >= 2 else { throw ValidationError("name two places or more") }
  }

  func run() async throws {
    try await server.withHost { host in
      for line in try await host.connect(places) { Terminal.say(line) }
    }
  }
}

/// `multiroute disconnect`: takes connections away.
struct DisconnectCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "disconnect",
    abstract: "Take all connections of a node away, or those between two places.",
  )

  @OptionGroup var server: NodeServerOption
  @Argument(help: "A node; or what the signal comes from.") var place: String
  @Argument(help: "Where the signal goes to.") var destination: String?

  func run() async throws {
    try await server.withHost { host in
      guard let destination else {
        return await host.disconnect(try await host.node(named: place))
      }
      try await host.disconnect(place, from: destination)
    }
  }
}
