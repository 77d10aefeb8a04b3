// SPDX-License-Identifier: MIT

import ArgumentParser
import ControlProtocol
import ControlSocket

/// What a session of the command line is.
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
  @Option(help: "How many channels those ports are mixed to.")
  var channels: Int?
  @Option(name: .customLong("route"), help: "An output route to sound on; can be repeated.")
  var routes: [String] = []
  @Option(help: "The preferred sample rate in Hz.")
  var sampleRate: Double?
  @Option(help: "The preferred I/O buffer in milliseconds.")
  var ioBuffer: Double?

  /// What is asked of the host.
  ///
  /// - Parameter app: The program's name where no option gives one.
  func params(app fallback: String) -> OpenSession.Params {
    var params = OpenSession.Params(app: app ?? fallback)
    params.preset = preset
    params.category = category
    params.mode = mode
    params.options = options.isEmpty ? nil : options
    params.priorityClass = priorityClass
    params.ports = ports.isEmpty ? nil : ports
    params.channels = channels
    params.routes = routes.isEmpty ? nil : routes
    params.preferredSampleRateHz = sampleRate
    params.preferredIOBufferSeconds = ioBuffer.map { $0 / 1000 }
    return params
  }
}
