// SPDX-License-Identifier: MIT

import ArgumentParser
import ControlProtocol
import ControlSocket

/// `multiroute session configure`: another category, mode, options or wishes for an open session.
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
  @Argument(help: "The session's id, as status shows it.") var session: String
  @Option(help: "The category, for instance playback.") var category: String?
  @Option(help: "The mode, for instance spokenAudio.") var mode: String?
  @Option(name: .customLong("option"), help: "A category option; can be repeated.")
  var options: [String] = []
  @Flag(help: "No category options.") var noOptions = false
  @Option(help: "The preferred sample rate in Hz; 0 for no wish.") var sampleRate: Double?
  @Option(help: "The preferred I/O buffer in milliseconds; 0 for no wish.") var ioBuffer: Double?

  func validate() throws {
    guard
      category != nil || mode != nil || !options.isEmpty || noOptions || sampleRate != nil
        || ioBuffer != nil
    else { throw ValidationError("Nothing is to be set.") }
    guard options.isEmpty || !noOptions else {
      throw ValidationError("'--option' and '--no-options' contradict each other.")
    }
  }

  func run() async throws {
    var params = ConfigureSession.Params(session: session)
    params.category = category
    params.mode = mode
    params.options = options.isEmpty && !noOptions ? nil : options
    params.preferredSampleRateHz = sampleRate
    params.preferredIOBufferSeconds = ioBuffer.map { $0 / 1000 }
    let wanted = params
    try await host.withClient { _ = try await $0.call(ConfigureSession.self, wanted) }
  }
}
