// SPDX-License-Identifier: MIT

import ArgumentParser
import Host

/// `multiroute guard`: what a host starts beside itself, so that the show goes on when it dies.
struct GuardCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "guard",
    abstract: "Patch adopted clients to the hardware when the host dies (started by it).",
    discussion: """
      Reads its orders from standard input, which has to be a socket of the host's. Ends with the \
      host, or, when the host has died, as soon as a host of that name is back.
      """,
  )

  @Option(help: "The host's name.")
  var host: String

  func run() throws {
    GuardProcess.run(host: host)
  }
}
