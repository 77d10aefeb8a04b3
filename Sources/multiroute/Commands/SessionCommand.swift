// SPDX-License-Identifier: MIT

import ArgumentParser
import ControlProtocol
import ControlSocket

/// `multiroute session …`: audio sessions from scripts.
struct SessionCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "session",
    abstract: "Audio sessions: open, hold, play, configure, activate, deactivate, watch.",
    discussion: """
      A session lives as long as the command that opened it; when that is killed, whoever it \
      interrupted or lowered comes back. When the host dies, 'hold' and 'play' open theirs anew once it is \
      back; 'open' ends with exit status 69.
      """,
    subcommands: [
      Open.self, SessionHoldCommand.self, SessionPlayCommand.self, SessionConfigureCommand.self,
      Activate.self, Deactivate.self, Watch.self,
    ],
  )

  /// `session open`.
  struct Open: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Open a session, print its id, and keep it until this command ends."
    )
    @OptionGroup var host: HostOption
    @OptionGroup var options: SessionOptions
    @Flag(help: "Activate it too.") var activate = false

    func run() async throws {
      try await host.withClient { client in
        let params = options.params(app: "session")
        let session = try await client.call(OpenSession.self, params).session
        if activate {
          _ = try await client.call(ActivateSession.self, .init(session: session))
        }
        Terminal.say(session)
        for await _ in client.notifications {}
        Terminal.complain("error: the host is gone, and session '\(session)' with it")
        throw ExitCode.unavailable
      }
    }
  }

  /// `session activate`.
  struct Activate: AsyncParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Activate a session.")
    @OptionGroup var host: HostOption
    @Argument(help: "The session's id, as status shows it.") var session: String

    func run() async throws {
      try await host.withClient {
        _ = try await $0.call(ActivateSession.self, .init(session: session))
      }
    }
  }

  /// `session deactivate`.
  struct Deactivate: AsyncParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Deactivate a session.")
    @OptionGroup var host: HostOption
    @Argument(help: "The session's id, as status shows it.") var session: String
    @Flag(help: "Let those that it interrupted resume by themselves.") var notifyOthers = false

    func run() async throws {
      let params = DeactivateSession.Params(session: session, notifyOthers: notifyOthers)
      try await host.withClient { _ = try await $0.call(DeactivateSession.self, params) }
    }
  }

  /// `session watch`.
  struct Watch: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Print what sessions are told and what is decided, one line each."
    )
    @OptionGroup var host: HostOption
    @Argument(help: "Only the session of this id.") var session: String?
    @Flag(help: "Print JSON.") var json = false

    func run() async throws {
      try await host.withClient { client in
        _ = try await client.call(Subscribe.self, Subscribe.Params(topics: [.events]))
        for await notification in client.notifications {
          guard case .event(let event) = notification, concerns(event) else { continue }
          Terminal.say(json ? try JSONLine.text(event) : event.message)
        }
      }
    }

    private func concerns(_ event: ControlEvent) -> Bool {
      guard [.session, .gateClosed, .decision].contains(event.kind) else { return false }
      guard let session else { return true }
      if event.details["session"] == .string(session) { return true }
      guard case .array(let sessions) = event.details["sessions"] else { return false }
      return sessions.contains(.string(session))
    }
  }
}
