// SPDX-License-Identifier: MIT

import ArgumentParser
import CommandSupport
import ControlProtocol
import ControlSocket
import Sessions

/// `multiroute session hold … -- COMMAND`: keeps a session active while a command runs.
struct SessionHoldCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "hold",
    abstract: "Hold an active session while a command runs; without one, until interrupted.",
    discussion: """
      Example: multiroute session hold --preset navigation --ports "player:*" -- player prompt.wav

      The exit status is the command's. At its end the sessions that it interrupted are asked to resume. When the \
      host dies, the command goes on, and its session is opened again once the host is back.
      """,
  )

  @OptionGroup var host: HostOption
  @OptionGroup var options: SessionOptions

  @Argument(parsing: .postTerminator, help: "The command, after --.")
  var command: [String] = []

  func run() async throws {
    let status = try await host.withClient { client -> Int32 in
      let name = command.first?.split(separator: "/").last.map(String.init)
      let params = try options.params(app: name ?? "session")
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

/// The options of a session of the command line.
///
/// Pure value: [any-thread].
struct SessionOptions: ParsableArguments {
  @Option(help: "The program's name, for classes, permissions and the list of sessions.")
  var app: String?
  @Option(
    help:
      "A ready configuration: game, player, voip, measurement, browser, navigation, musicMaking."
  )
  var preset: String?
  @Option(help: "The category, for instance playback.")
  var category: String?
  @Option(help: "The mode, for instance spokenAudio; not with a preset.")
  var mode: String?
  @Option(name: .customLong("option"), help: "A category option; can be repeated.")
  var options: [String] = []
  @Option(name: .customLong("class"), help: "The priority class: phone, alarm, assistant, app.")
  var priorityClass: String?
  @Option(
    name: .customLong("ports"),
    help: "JACK output ports that sound through the session: name, glob or /pattern/; repeatable.",
  )
  var ports: [String] = []
  @Option(help: "The number of channels to which those ports are mixed.")
  var channels: Int?
  @Option(
    name: .customLong("route"),
    help: "An output route to sound on; can be repeated.",
    completion: LiveNames.routes,
  )
  var routes: [String] = []
  @Option(help: "The tag for its music: background falls silent while another app's music plays.")
  var music: String?
  @Option(
    help: "The preferred sample rate, such as 48kHz.",
    transform: QuantityArgument.hertz,
  )
  var sampleRate: Double?
  @Option(
    help: "The preferred I/O buffer, such as 5ms.",
    transform: QuantityArgument.milliseconds,
  )
  var ioBuffer: Double?
  @Option(
    help:
      "In the background: audio (it continues), none (its audio ends), suspend (its requests wait, too)."
  )
  var background: String?

  /// The parameters of the request to the host.
  ///
  /// - Parameter fallback: The program's name if no option gives one.
  /// - Returns: The parameters.
  /// - Throws: `badValue` for the first unknown name.
  func params(app fallback: String) throws(ControlError) -> OpenSession.Params {
    var params = OpenSession.Params(app: app ?? fallback)
    if let preset { params.preset = try Preset(checking: preset, at: "preset") }
    if let category { params.category = try Category(checking: category, at: "category") }
    if let mode { params.mode = try Mode(checking: mode, at: "mode") }
    if !options.isEmpty { params.options = try CategoryOptions(checking: options, at: "options") }
    if let priorityClass {
      params.priorityClass = try PriorityClass(checking: priorityClass, at: "priorityClass")
    }
    if let music { params.music = try MusicTag(checking: music, at: "music") }
    params.ports = ports.isEmpty ? nil : ports
    params.channels = channels
    params.routes = routes.isEmpty ? nil : routes
    params.preferredSampleRateHz = sampleRate
    params.preferredIOBufferSeconds = ioBuffer.map { $0 / 1000 }
    if let background {
      params.background = try OpenSession.Background(checking: background, at: "background")
    }
    return params
  }
}
