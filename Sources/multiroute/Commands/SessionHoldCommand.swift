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

      The exit status is the command's. At its end those that were interrupted are told to resume.
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
      let session = try await client.call(OpenSession.self, params).session
      _ = try await client.call(ActivateSession.self, .init(session: session))
      guard !command.isEmpty else {
        // Ends with the host.
        for await _ in client.notifications {}
        return 0
      }
      let status = try await ChildProgram.run(command)
      let end = DeactivateSession.Params(session: session, notifyOthers: true)
      _ = try await client.call(DeactivateSession.self, end)
      _ = try await client.call(CloseSession.self, .init(session: session))
      return status
    }
    if status != 0 { throw ExitCode(status) }
  }
}
