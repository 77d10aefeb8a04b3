// SPDX-License-Identifier: MIT

import ArgumentParser
import ControlProtocol
import ControlSocket

/// `multiroute simulate …`: the system events of a phone, on demand.
struct SimulateCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "simulate",
    abstract: "Produce a system event: a call, the silent switch, an unplugged route, …",
    subcommands: [
      Interruption.self, SilentSwitch.self, Lock.self, MicrophoneMute.self, Background.self,
      Foreground.self, Unplug.self, Plug.self, ServerLoss.self,
    ],
  )

  /// `simulate interruption begin|end`.
  struct Interruption: AsyncParsableCommand {
    enum Moment: String, ExpressibleByArgument, CaseIterable { case begin, end }

    static let configuration = CommandConfiguration(abstract: "An interruption begins or ends.")
    @OptionGroup var host: HostOption
    @Argument var moment: Moment
    @Option(name: .customLong("class"), help: "phone, alarm or assistant.")
    var priorityClass = "phone"
    @Flag(inversion: .prefixedNo, help: "At the end: those interrupted should resume.")
    var resume = true

    func run() async throws {
      var params = Simulate.Params(event: moment == .begin ? .interruptionBegin : .interruptionEnd)
      params.priorityClass = priorityClass
      if moment == .end { params.shouldResume = resume }
      try await host.simulate(params)
    }
  }

  /// `simulate silent-switch on|off`.
  struct SilentSwitch: AsyncParsableCommand {
    static let configuration = CommandConfiguration(abstract: "The silent switch.")
    @OptionGroup var host: HostOption
    @Argument var state: Switch
    func run() async throws { try await host.simulate(.silentSwitch, isOn: state.isOn) }
  }

  /// `simulate lock on|off`.
  struct Lock: AsyncParsableCommand {
    static let configuration = CommandConfiguration(abstract: "The screen lock.")
    @OptionGroup var host: HostOption
    @Argument var state: Switch
    func run() async throws { try await host.simulate(.lock, isOn: state.isOn) }
  }

  /// `simulate microphone-mute on|off`.
  struct MicrophoneMute: AsyncParsableCommand {
    static let configuration = CommandConfiguration(abstract: "The microphone's mute switch.")
    @OptionGroup var host: HostOption
    @Argument var state: Switch
    func run() async throws { try await host.simulate(.microphoneMute, isOn: state.isOn) }
  }

  /// `simulate background APP`.
  struct Background: AsyncParsableCommand {
    static let configuration = CommandConfiguration(abstract: "An app goes to the background.")
    @OptionGroup var host: HostOption
    @Argument(help: "The program's name or a session's id.") var app: String
    func run() async throws { try await host.simulate(.background, isOn: true, app: app) }
  }

  /// `simulate foreground APP`.
  struct Foreground: AsyncParsableCommand {
    static let configuration = CommandConfiguration(abstract: "An app comes to the foreground.")
    @OptionGroup var host: HostOption
    @Argument(help: "The program's name or a session's id.") var app: String
    func run() async throws { try await host.simulate(.background, isOn: false, app: app) }
  }

  /// `simulate unplug ROUTE`.
  struct Unplug: AsyncParsableCommand {
    static let configuration = CommandConfiguration(abstract: "An output route goes away.")
    @OptionGroup var host: HostOption
    @Argument(help: "The route's name.") var route: String
    func run() async throws { try await host.simulate(.unplug, route: route) }
  }

  /// `simulate plug ROUTE`.
  struct Plug: AsyncParsableCommand {
    static let configuration = CommandConfiguration(abstract: "An output route comes back.")
    @OptionGroup var host: HostOption
    @Argument(help: "The route's name.") var route: String
    func run() async throws { try await host.simulate(.plug, route: route) }
  }

  /// `simulate server-loss`.
  struct ServerLoss: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "The JACK server is lost; the host attaches again."
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
    try await simulate(params)
  }

  fileprivate func simulate(_ params: Simulate.Params) async throws {
    try await withClient { _ = try await $0.call(Simulate.self, params) }
  }
}
