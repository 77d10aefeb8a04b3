// SPDX-License-Identifier: MIT

import ArgumentParser

/// `multiroute node …`: the nodes that come with the program.
struct NodeCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "node",
    abstract: "Run one of the shipped nodes.",
    subcommands: [NodeRunCommand.self],
  )
}
