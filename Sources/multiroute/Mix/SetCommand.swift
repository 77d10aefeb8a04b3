// SPDX-License-Identifier: MIT

import ArgumentParser
import CommandSupport
import ControlProtocol
import ControlSocket

/// `multiroute set …`: gains, mutes, sends, crossfader, cue.
struct SetCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "set",
    abstract: "Set gains, mutes, sends, pan, solo, cue and the crossfader of a running host.",
    usage: "multiroute set <subcommand>, or multiroute set <path> <value>",
    subcommands: [
      Gain.self, Mute.self, Send.self, Pan.self, Solo.self, Cue.self, CrossfaderPosition.self,
      SetAlignCommand.self, SetParameterCommand.self,
    ],
    defaultSubcommand: SetParameterCommand.self,
  )

  /// `set gain`.
  struct Gain: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "gain",
      abstract: "Set the gain of a strip, a route or a send.",
      usage: "multiroute set gain \(GainArguments.usage) [--ramp <duration>] [--host <name>]",
      discussion: """
        Gains are decibels up to 24dB, or -inf for silence. Examples: multiroute set gain deck-a -6dB; \
        multiroute set gain deck-a main -inf --ramp 200ms
        """,
    ).parsedAlone(under: "multiroute set")
    @OptionGroup var host: HostOption
    @OptionGroup var change: GainArguments
    @OptionGroup var ramp: RampOption

    func run() async throws {
      let (named, gainDB) = try change.parts
      try await host.withClient { client in
        let params = SetGain.Params(
          target: try await named.target(client),
          gainDB: gainDB,
          rampMilliseconds: ramp.milliseconds,
        )
        _ = try await client.call(SetGain.self, params)
      }
    }
  }

  /// `set mute`.
  struct Mute: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "mute",
      abstract: "Mute or unmute a strip, a route or a send.",
      usage: "multiroute set mute <target> on|off [--host <name>]",
    ).parsedAlone(under: "multiroute set")
    @OptionGroup var host: HostOption
    @OptionGroup var words: MixTargetArguments

    func validate() throws { _ = try parts }

    private var parts: (target: NamedTarget, state: Switch) {
      get throws {
        let value = words.words.last ?? ""
        guard let state = Switch(rawValue: value) else {
          throw ValidationError("'\(value)' is not a state; allowed: on, off")
        }
        return (try words.parts(values: 1).target, state)
      }
    }

    func run() async throws {
      let (named, state) = try parts
      try await host.withClient { client in
        let params = SetMute.Params(target: try await named.target(client), muted: state.isOn)
        _ = try await client.call(SetMute.self, params)
      }
    }
  }

  /// `set send`.
  struct Send: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "send",
      abstract: "Add or change the send from a strip to a route, or one pair of its channels.",
      usage: "multiroute set send <strip> <route> <gain> [--strip-channel <n> --route-channel <n>] "
        + "[--ramp <duration>] [--host <name>]",
      discussion: "Example: multiroute set send deck-a headphones -12dB",
    ).parsedAlone(under: "multiroute set")
    @OptionGroup var host: HostOption
    @Argument(help: "The strip's id.", completion: LiveNames.strips)
    var strip: String
    @Argument(help: "The route's name.", completion: LiveNames.routes)
    var route: String
    @OptionGroup var gain: TrailingValue
    @Option(help: "One channel of the strip, from 1.") var stripChannel: Int?
    @Option(help: "One channel of the route, from 1.") var routeChannel: Int?
    @OptionGroup var ramp: RampOption

    func validate() throws { _ = try QuantityArgument.gainDB(try gain.text) }

    func run() async throws {
      let params = SetSend.Params(
        strip: strip,
        route: route,
        gainDB: try QuantityArgument.gainDB(try gain.text),
        stripChannel: stripChannel,
        routeChannel: routeChannel,
        rampMilliseconds: ramp.milliseconds,
      )
      try await host.withClient { _ = try await $0.call(SetSend.self, params) }
    }
  }

  /// `set pan`.
  struct Pan: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "pan",
      abstract: "Pan a strip: -1 is left, 0 the middle, 1 right.",
      usage: "multiroute set pan <strip> <position> [--ramp <duration>] [--host <name>]",
      discussion: "Example: multiroute set pan voice -0.3",
    ).parsedAlone(under: "multiroute set")
    @OptionGroup var host: HostOption
    @Argument(help: "The strip's id.", completion: LiveNames.strips)
    var strip: String
    @OptionGroup var position: TrailingValue
    @OptionGroup var ramp: RampOption

    func validate() throws { _ = try QuantityArgument.position(try position.text) }

    func run() async throws {
      let params = SetPan.Params(
        strip: strip,
        pan: try QuantityArgument.position(try position.text),
        rampMilliseconds: ramp.milliseconds,
      )
      try await host.withClient { _ = try await $0.call(SetPan.self, params) }
    }
  }

  /// `set solo`.
  struct Solo: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "solo",
      abstract: "Solo a strip, or end its solo."
    ).parsedAlone(under: "multiroute set")
    @OptionGroup var host: HostOption
    @Argument(help: "The strip's id.", completion: LiveNames.strips)
    var strip: String
    @Argument var state: Switch

    func run() async throws {
      let params = SetSolo.Params(strip: strip, solo: state.isOn)
      try await host.withClient { _ = try await $0.call(SetSolo.self, params) }
    }
  }

  /// `set cue`.
  struct Cue: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "cue",
      abstract: "Listen to a strip before its fader on the cue route, or stop doing so."
    ).parsedAlone(under: "multiroute set")
    @OptionGroup var host: HostOption
    @Argument(help: "The strip's id.", completion: LiveNames.strips)
    var strip: String
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
      abstract: "Move the crossfader: -1 is side A alone, 0 the middle, 1 side B alone.",
      usage: "multiroute set crossfader <position> [--ramp <duration>] [--host <name>]",
      discussion: "Example: multiroute set crossfader 1 --ramp 2s",
    ).parsedAlone(under: "multiroute set")
    @OptionGroup var host: HostOption
    @OptionGroup var position: TrailingValue
    @OptionGroup var ramp: RampOption

    func validate() throws { _ = try QuantityArgument.position(try position.text) }

    func run() async throws {
      let params = SetCrossfader.Params(
        position: try QuantityArgument.position(try position.text),
        rampMilliseconds: ramp.milliseconds,
      )
      try await host.withClient { _ = try await $0.call(SetCrossfader.self, params) }
    }
  }
}

/// The length of a change's ramp.
struct RampOption: ParsableArguments {
  @Option(
    name: .customLong("ramp"),
    help: ArgumentHelp("The length of the ramp, such as 20ms.", valueName: "duration"),
    transform: QuantityArgument.milliseconds,
  )
  var milliseconds: Double?
}

/// `on` or `off`.
enum Switch: String, ExpressibleByArgument, CaseIterable {
  case on, off

  var isOn: Bool { self == .on }
}

/// `set align`: sets the alignment of a route.
struct SetAlignCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "align",
    abstract: "Align a route: auto, free, or a delay such as 12ms.",
  )
  @OptionGroup var host: HostOption
  @Argument(help: "The route's name.", completion: LiveNames.routes)
  var route: String
  @Argument(help: ArgumentHelp("auto, free, or 0ms to 500ms.", valueName: "alignment"))
  var alignment: String

  private var params: SetAlignment.Params? {
    if let milliseconds = try? QuantityArgument.milliseconds(alignment) {
      return SetAlignment.Params(route: route, mode: .manual, delayMilliseconds: milliseconds)
    }
    guard let mode = AlignmentMode(rawValue: alignment), mode != .manual else { return nil }
    return SetAlignment.Params(route: route, mode: mode)
  }

  func validate() throws {
    guard params != nil else {
      throw ValidationError(
        "'\(alignment)' is not an alignment; allowed: auto, free, or 0ms to 500ms"
      )
    }
  }

  func run() async throws {
    guard let params else { return }
    try await host.withClient { _ = try await $0.call(SetAlignment.self, params) }
  }
}
