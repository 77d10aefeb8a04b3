// SPDX-License-Identifier: MIT

import ArgumentParser
import ControlProtocol
import ControlSocket

/// `multiroute set …`: gains, mutes, sends, crossfader, cue.
struct SetCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "set",
    abstract: "Set gains, mutes, sends, pan, solo, cue and the crossfader of a running host.",
    subcommands: [
      Gain.self, Mute.self, Send.self, Pan.self, Solo.self, Cue.self, CrossfaderPosition.self,
      SetAlignCommand.self,
    ],
  )

  /// `set gain`.
  struct Gain: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Set the gain of a strip, a route or a send."
    )
    @OptionGroup var host: HostOption
    @OptionGroup var options: MixTargetOptions
    @Option(
      name: .customLong("to"),
      parsing: .unconditional,
      help: "Gain in dB, or -inf.",
      transform: GainArgument.parse,
    )
    var gainDB: Double
    @Option(help: "Length of the ramp in milliseconds.")
    var ramp: Double?

    func run() async throws {
      let params = SetGain.Params(
        target: try options.required(),
        gainDB: gainDB,
        rampMilliseconds: ramp,
      )
      try await host.withClient { _ = try await $0.call(SetGain.self, params) }
    }
  }

  /// `set mute`.
  struct Mute: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Mute or unmute a strip, a route or a send."
    )
    @OptionGroup var host: HostOption
    @OptionGroup var options: MixTargetOptions
    @Argument var state: Switch

    func run() async throws {
      let params = SetMute.Params(target: try options.required(), muted: state.isOn)
      try await host.withClient { _ = try await $0.call(SetMute.self, params) }
    }
  }

  /// `set send`.
  struct Send: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Make or change the send from a strip to a route, whole or one channel of it."
    )
    @OptionGroup var host: HostOption
    @Argument(help: "The strip's id.") var strip: String
    @Argument(help: "The route's name.") var route: String
    @Option(
      name: .customLong("to"),
      parsing: .unconditional,
      help: "Gain in dB, or -inf.",
      transform: GainArgument.parse,
    )
    var gainDB: Double
    @Option(help: "One channel of the strip, from 1.") var stripChannel: Int?
    @Option(help: "One channel of the route, from 1.") var routeChannel: Int?
    @Option(help: "Length of the ramp in milliseconds.") var ramp: Double?

    func run() async throws {
      let params = SetSend.Params(
        strip: strip,
        route: route,
        gainDB: gainDB,
        stripChannel: stripChannel,
        routeChannel: routeChannel,
        rampMilliseconds: ramp,
      )
      try await host.withClient { _ = try await $0.call(SetSend.self, params) }
    }
  }

  /// `set pan`.
  struct Pan: AsyncParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Pan a strip, -1 to 1.")
    @OptionGroup var host: HostOption
    @Argument(help: "The strip's id.") var strip: String
    @Option(
      name: .customLong("to"),
      parsing: .unconditional,
      help: "-1 is left, 0 the middle, 1 right.",
    )
    var position: Double

    func run() async throws {
      let params = SetPan.Params(strip: strip, pan: position)
      try await host.withClient { _ = try await $0.call(SetPan.self, params) }
    }
  }

  /// `set solo`.
  struct Solo: AsyncParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Solo a strip, or no longer.")
    @OptionGroup var host: HostOption
    @Argument(help: "The strip's id.") var strip: String
    @Argument var state: Switch

    func run() async throws {
      let params = SetSolo.Params(strip: strip, solo: state.isOn)
      try await host.withClient { _ = try await $0.call(SetSolo.self, params) }
    }
  }

  /// `set cue`.
  struct Cue: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Listen to a strip before its fader on the cue route, or no longer."
    )
    @OptionGroup var host: HostOption
    @Argument(help: "The strip's id.") var strip: String
    @Argument var state: Switch
    @Option(help: "The route to listen on, instead of the graph's.") var route: String?

    func run() async throws {
      let params = SetCue.Params(strip: strip, cue: state.isOn, route: route)
      try await host.withClient { _ = try await $0.call(SetCue.self, params) }
    }
  }

  /// `set crossfader`.
  struct CrossfaderPosition: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "crossfader",
      abstract: "Move the crossfader, -1 (A) to 1 (B).",
    )
    @OptionGroup var host: HostOption
    @Option(
      name: .customLong("to"),
      parsing: .unconditional,
      help: "-1 is side A alone, 0 the middle, 1 side B alone.",
    )
    var position: Double
    @Option(help: "Length of the ramp in milliseconds.") var ramp: Double?

    func run() async throws {
      let params = SetCrossfader.Params(position: position, rampMilliseconds: ramp)
      try await host.withClient { _ = try await $0.call(SetCrossfader.self, params) }
    }
  }
}

/// `on` or `off`.
enum Switch: String, ExpressibleByArgument, CaseIterable {
  case on, off

  var isOn: Bool { self == .on }
}
