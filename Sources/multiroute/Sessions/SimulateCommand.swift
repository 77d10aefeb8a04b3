// SPDX-License-Identifier: MIT

import ArgumentParser
import ControlProtocol
import ControlSocket
import Sessions

/// `multiroute simulate …`: the system events of a phone, on demand.
struct SimulateCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "simulate",
    abstract: "Produce a system event: a call, the silent switch, an unplugged route, …",
    subcommands: [
      Interruption.self, Call.self, SilentSwitch.self, Lock.self, MicrophoneMute.self,
      Background.self, Foreground.self, Unplug.self, Plug.self, ServerLoss.self,
    ],
  )

  /// `simulate interruption begin|end|ring|answer|decline`.
  struct Interruption: AsyncParsableCommand {
    enum Moment: String, ExpressibleByArgument, CaseIterable {
      case begin, end, ring, answer, decline

      /// The step of a call that it means; nil for any interruption.
      var call: Simulate.Event? {
        switch self {
        case .ring: .callRing
        case .answer: .callAnswer
        case .decline: .callDecline
        case .begin, .end: nil
        }
      }
    }

    static let configuration = CommandConfiguration(
      commandName: "interruption",
      abstract: "Begin or end an interruption; let a call ring, answer or decline it."
    )
    @OptionGroup var host: HostOption
    @Argument var moment: Moment
    @Option(name: .customLong("class"), help: "phone, alarm or assistant.")
    var priorityClass = "phone"
    @Flag(inversion: .prefixedNo, help: "Whether interrupted sessions should resume at the end.")
    var resume = true

    func validate() throws {
      guard moment.call == nil || priorityClass == "phone" else {
        throw ValidationError(
          "'\(moment.rawValue)' is for calls; leave out --class \(priorityClass), or write begin or end"
        )
      }
    }

    func run() async throws {
      if let call = moment.call { return try await host.simulate(call) }
      try await host.withClient { client in
        var params = Simulate.Params(
          event: moment == .begin ? .interruptionBegin : .interruptionEnd
        )
        params.priorityClass = try PriorityClass(checking: priorityClass, at: "priorityClass")
        if moment == .end { params.shouldResume = resume }
        _ = try await client.call(Simulate.self, params)
      }
    }
  }

  /// `simulate call ring|answer|decline|end`.
  struct Call: AsyncParsableCommand {
    enum Moment: String, ExpressibleByArgument, CaseIterable {
      case ring, answer, decline, end

      var event: Simulate.Event {
        switch self {
        case .ring: .callRing
        case .answer: .callAnswer
        case .decline: .callDecline
        case .end: .callEnd
        }
      }
    }

    static let configuration = CommandConfiguration(
      commandName: "call",
      abstract: "Let a call ring, answer or decline it, end it.",
      discussion: """
        A call that rings spares sessions that prefer no interruptions from system alerts; one that is answered does \
        not.
        """,
    )
    @OptionGroup var host: HostOption
    @Argument var moment: Moment
    func run() async throws { try await host.simulate(moment.event) }
  }

  /// `simulate silent-switch on|off`.
  struct SilentSwitch: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "silent-switch",
      abstract: "Turn the silent switch on or off."
    )
    @OptionGroup var host: HostOption
    @Argument var state: Switch
    func run() async throws { try await host.simulate(.silentSwitch, isOn: state.isOn) }
  }

  /// `simulate lock on|off`.
  struct Lock: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "lock",
      abstract: "Turn the screen lock on or off."
    )
    @OptionGroup var host: HostOption
    @Argument var state: Switch
    func run() async throws { try await host.simulate(.lock, isOn: state.isOn) }
  }

  /// `simulate microphone-mute on|off`.
  struct MicrophoneMute: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "microphone-mute",
      abstract: "Turn the microphone's mute switch on or off."
    )
    @OptionGroup var host: HostOption
    @Argument var state: Switch
    func run() async throws { try await host.simulate(.microphoneMute, isOn: state.isOn) }
  }

  /// `simulate background APP`.
  struct Background: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "background",
      abstract: "Send an app to the background."
    )
    @OptionGroup var host: HostOption
    @Argument(help: "The program's name or a session's id.", completion: LiveNames.apps)
    var app: String
    func run() async throws { try await host.simulate(.background, isOn: true, app: app) }
  }

  /// `simulate foreground APP`.
  struct Foreground: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "foreground",
      abstract: "Bring an app to the foreground; the others go to the background.",
    )
    @OptionGroup var host: HostOption
    @Argument(help: "The program's name or a session's id.", completion: LiveNames.apps)
    var app: String?
    @Flag(help: "Bring every app to the foreground.") var all = false

    func validate() throws {
      guard (app == nil) == all else {
        throw ValidationError("name one app, or write --all to bring every app to the foreground")
      }
    }

    func run() async throws { try await host.simulate(.foreground, app: app) }
  }

  /// `simulate unplug ROUTE`.
  struct Unplug: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "unplug",
      abstract: "Unplug an output route."
    )
    @OptionGroup var host: HostOption
    @Argument(help: "The route's name.", completion: LiveNames.routes)
    var route: String
    func run() async throws { try await host.simulate(.unplug, route: route) }
  }

  /// `simulate plug ROUTE`.
  struct Plug: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "plug",
      abstract: "Plug an output route in again."
    )
    @OptionGroup var host: HostOption
    @Argument(help: "The route's name.", completion: LiveNames.routes)
    var route: String
    func run() async throws { try await host.simulate(.plug, route: route) }
  }

  /// `simulate server-loss`.
  struct ServerLoss: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "server-loss",
      abstract: "Lose the JACK server; the host attaches again."
    )
    @OptionGroup var host: HostOption
    func run() async throws { try await host.simulate(.serverLoss) }
  }
}

extension HostOption {
  /// Asks the host for a system event.
  fileprivate func simulate(
    _ event: Simulate.Event,
    isOn: Bool? = nil,
    app: String? = nil,
    route: String? = nil,
  ) async throws {
    var params = Simulate.Params(event: event)
    params.on = isOn
    params.app = app
    params.route = route
    let wanted = params
    try await withClient { _ = try await $0.call(Simulate.self, wanted) }
  }
}
