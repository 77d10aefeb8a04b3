// SPDX-License-Identifier: MIT

import ArgumentParser
import ControlProtocol
import ControlSocket
import Glibc
import Host

/// `multiroute session play FILE`: a sound file in a session of its own.
struct SessionPlayCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "play",
    abstract: "Play a sound file in an active session, once.",
    discussion: "Example: multiroute session play --preset navigation prompt.wav",
  )

  @OptionGroup var host: HostOption
  @OptionGroup var options: SessionOptions

  @Argument(help: "The sound file.") var file: String

  func run() async throws {
    try await host.withClient { client in
      let server = try await client.call(GetStatus.self).server.name
      let playback: FilePlayback
      do throws(HostError) {
        playback = try FilePlayback(path: file, name: "play-\(getpid())", server: server)
      } catch {
        Terminal.complain("error: \(error)")
        throw ExitCode(error)
      }
      defer { playback.close() }
      var params = options.params(app: "play")
      params.ports = ["\(playback.name):*"]
      params.channels = params.channels ?? playback.channels
      let session = ActiveSession(address: host.address, params: params)
      try await session.around(client) { try await playback.play() }
    }
  }
}
