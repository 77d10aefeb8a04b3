// SPDX-License-Identifier: MIT

import ArgumentParser
import CommandSupport
import ControlProtocol
import ControlSocket
import Sessions

/// `multiroute session …`: audio sessions from scripts.
struct SessionCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "session",
    abstract:
      "Audio sessions: open, hold, play, show, configure, adjust, activate, deactivate, watch.",
    discussion: """
      A session lives as long as the command that opened it. When the command is killed, the sessions that it \
      interrupted or lowered come back. When the host dies, 'hold' and 'play' open their session again once it \
      is back; 'open' ends with exit status 69.
      """,
    subcommands: [
      Open.self, SessionHoldCommand.self, SessionPlayCommand.self, SessionShowCommand.self,
      SessionConfigureCommand.self, SessionAdjustCommand.self, Activate.self, Deactivate.self,
      Watch.self,
    ],
  )

  /// `session open`.
  struct Open: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "open",
      abstract: "Open a session, print its id, and keep it until this command ends."
    )
    @OptionGroup var host: HostOption
    @OptionGroup var options: SessionOptions
    @Flag(help: "Activate it too.") var activate = false

    func run() async throws {
      try await host.withClient { client in
        let params = try options.params(app: "session")
        let session = try await client.call(OpenSession.self, params).session
        if activate {
          _ = try await client.call(ActivateSession.self, .init(session: session))
        }
        Terminal.say(session)
        for await _ in client.notifications {}
        Terminal.complain("error: the host is gone, so session '\(session)' has ended")
        throw ExitCode.unavailable
      }
    }
  }

  /// `session activate`.
  struct Activate: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "activate",
      abstract: "Activate a session."
    )
    @OptionGroup var host: HostOption
    @Argument(help: "The session's id, as status shows it.", completion: LiveNames.sessions)
    var session: String

    func run() async throws {
      try await host.withClient {
        _ = try await $0.call(ActivateSession.self, .init(session: session))
      }
    }
  }

  /// `session deactivate`.
  struct Deactivate: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "deactivate",
      abstract: "Deactivate a session."
    )
    @OptionGroup var host: HostOption
    @Argument(help: "The session's id, as status shows it.", completion: LiveNames.sessions)
    var session: String
    @Flag(help: "Let the sessions that it interrupted resume.") var notifyOthers = false

    func run() async throws {
      let params = DeactivateSession.Params(session: session, notifyOthers: notifyOthers)
      try await host.withClient { _ = try await $0.call(DeactivateSession.self, params) }
    }
  }

  /// `session watch`.
  struct Watch: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "watch",
      abstract: "Print notifications to sessions and decisions of the tower, one line each."
    )
    @OptionGroup var host: HostOption
    @Argument(help: "Only the session of this id.", completion: LiveNames.sessions)
    var session: String?
    @Flag(help: "Print JSON.") var json = false

    func run() async throws {
      try await host.withClient(subscribingTo: [.events]) { client in
        for await notification in client.notifications {
          guard case .event(let event) = notification, concerns(event) else { continue }
          if json { try Terminal.say(json: event) } else { Terminal.say(event.message) }
        }
      }
    }

    private func concerns(_ event: ControlEvent) -> Bool {
      let sessions: [String]
      switch event.payload {
      case .session(let notice): sessions = [notice.session]
      case .gateClosed(let closed): sessions = [closed.session]
      case .decision(let decision):
        sessions = (decision.sessions ?? []) + [decision.session].compactMap { $0 }
      case .call: return session == nil
      default: return false
      }
      return session.map(sessions.contains) ?? true
    }
  }
}

/// `multiroute session configure`: sets category, mode, options or preferences of an open session.
struct SessionConfigureCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "configure",
    abstract: "Set a session's category, mode, options and preferred values.",
    discussion: """
      An active session takes category, mode and options at once, preferred values with its next \
      activation.
      """,
  )

  @OptionGroup var host: HostOption
  @Argument(help: "The session's id, as status shows it.", completion: LiveNames.sessions)
  var session: String
  @Option(help: "The category, for instance playback.") var category: String?
  @Option(help: "The mode, for instance spokenAudio.") var mode: String?
  @Option(name: .customLong("option"), help: "A category option; can be repeated.")
  var options: [String] = []
  @Flag(help: "Remove all category options.") var noOptions = false
  @Option(
    help: "The preferred sample rate, such as 48kHz; 0 for no preference.",
    transform: QuantityArgument.hertz,
  )
  var sampleRate: Double?
  @Option(
    help: "The preferred I/O buffer, such as 5ms; 0 for no preference.",
    transform: QuantityArgument.milliseconds,
  )
  var ioBuffer: Double?

  func validate() throws {
    guard
      category != nil || mode != nil || !options.isEmpty || noOptions || sampleRate != nil
        || ioBuffer != nil
    else {
      throw ValidationError("no setting is given; use --category, --mode, --option or a preference")
    }
    guard options.isEmpty || !noOptions else {
      throw ValidationError("'--option' and '--no-options' contradict each other; give one of them")
    }
  }

  func run() async throws {
    try await host.withClient { client in
      var params = ConfigureSession.Params(session: session)
      if let category { params.category = try Category(checking: category, at: "category") }
      if let mode { params.mode = try Mode(checking: mode, at: "mode") }
      if noOptions || !options.isEmpty {
        params.options = try CategoryOptions(checking: options, at: "options")
      }
      params.preferredSampleRateHz = sampleRate
      params.preferredIOBufferSeconds = ioBuffer.map { $0 / 1000 }
      _ = try await client.call(ConfigureSession.self, params)
    }
  }
}
