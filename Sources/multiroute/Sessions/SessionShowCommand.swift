// SPDX-License-Identifier: MIT

import ArgumentParser
import CommandSupport
import Console
import ControlProtocol
import ControlSocket
import Sessions

/// `multiroute session show`: one session in full.
struct SessionShowCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "show",
    abstract: "Show a session in full: route, inputs, data sources, hints, waiting requests.",
  )

  @OptionGroup var host: HostOption
  @Argument(help: "The session's id, as status shows it.", completion: LiveNames.sessions)
  var session: String
  @Flag(help: "Print JSON.") var json = false

  func run() async throws {
    try await host.withClient { client in
      let detail = try await client.call(GetSession.self, GetSession.Params(session: session))
      if json { return try Terminal.say(json: detail) }
      for line in SessionView.lines(session, detail, width: Terminal.columns) { Terminal.say(line) }
    }
  }
}

/// `multiroute session adjust`: the ports that a session chooses, and its mutes.
struct SessionAdjustCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "adjust",
    abstract: "Set a session's output override, preferred input, data source and mutes.",
    discussion: """
      Example: multiroute session adjust call --output speaker --input headset

      'multiroute session show ID' lists the inputs and their data sources.
      """,
  )

  @OptionGroup var host: HostOption
  @Argument(help: "The session's id, as status shows it.", completion: LiveNames.sessions)
  var session: String
  @Option(help: "The override of the output: speaker, or none.") var output: String?
  @Option(help: "The preferred input, by its uid; none takes the preference back.")
  var input: String?
  @Option(help: "The port whose data source is to change, by its uid.") var port: String?
  @Option(help: "The number of the data source; needs --port.") var dataSource: Int?
  @Option(help: "The polar pattern of the data source; needs --port.") var polarPattern: String?
  @Option(help: "Whether its inputs are silence: on or off.") var inputMute: Switch?
  @Option(help: "Whether its output is silence: on or off.") var outputMute: Switch?

  func validate() throws {
    let texts = [output, input, port, polarPattern, inputMute?.rawValue, outputMute?.rawValue]
    guard texts.contains(where: { $0 != nil }) || dataSource != nil else {
      throw ValidationError("no setting is given; use --output, --input, --port or a mute")
    }
    guard port != nil || (dataSource == nil && polarPattern == nil) else {
      throw ValidationError("'--data-source' and '--polar-pattern' need '--port'")
    }
  }

  func run() async throws {
    try await host.withClient { client in
      var params = AdjustSession.Params(session: session)
      if let output { params.overrideOutput = try PortOverride(checking: output, at: "output") }
      params.preferredInput = input.map { $0 == "none" ? "" : $0 }
      params.port = port
      params.dataSource = dataSource
      params.polarPattern = polarPattern
      params.inputMuted = inputMute?.isOn
      params.outputMuted = outputMute?.isOn
      _ = try await client.call(AdjustSession.self, params)
    }
  }
}
