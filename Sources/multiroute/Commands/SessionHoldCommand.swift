// SPDX-License-Identifier: MIT

import ArgumentParser
import ControlProtocol
import ControlSocket

/// `multiroute session hold … -- COMMAND`: an active session around a command.
struct SessionHoldCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "hold",
    abstract: "Hold an active session while a command runs; without one, until interrupted.",
    discussion: """
      Example: multiroute session hold --preset navigation --ports "player:*" -- player prompt.wav

      The exit status is the command's. At its end those that were interrupted are told to resume. When the host \
      dies, the command goes on, and its session is opened anew once the host is back.
      """,
  )

  @OptionGroup var host: HostOption
  @OptionGroup var options: SessionOptions

  @Argument(parsing: .postTerminator, help: "The command, after --.")
  var command: [String] = []

  func run() async throws {
    let status = try await host.withClient { client -> Int32 in
      let name = command.first?.split(separator: "/").last.map(String.init)
      let params = options.params(app: name ?? "session")
      let session = ActiveSession(address: host.address, params: params)
      return try await session.around(client) {
        guard command.isEmpty else { return try await ChildProgram.run(command) }
        // A signal ends it.
        while true { try await Task.sleep(for: .seconds(3_600)) }
      }
    }
    if status != 0 { throw ExitCode(status) }
  }
}
