// SPDX-License-Identifier: MIT

import ArgumentParser
import CommandSupport
import ControlProtocol
import ControlSocket
import FoundationEssentials
import Glibc

/// `multiroute session play FILE`: has the host play a sound file in a session of its own.
struct SessionPlayCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "play",
    abstract: "Play a sound file in an active session, once.",
    discussion: """
      Example: multiroute session play --preset navigation prompt.wav

      The host reads and plays the file, so it must be a file that the host's user may read; /dev/stdin is one that \
      standard input was redirected from. The command ends with the file. When the command ends before, so does the sound.
      """,
  ).parsedAlone(under: "multiroute session")

  @OptionGroup var host: HostOption
  @OptionGroup var options: SessionOptions

  @Argument(help: "The sound file.", completion: .file()) var file: String

  func validate() throws {
    guard options.ports.isEmpty else {
      throw ValidationError("a file needs no '--ports'; 'session hold' takes ports")
    }
  }

  func run() async throws {
    var ending = try await host.withClient(subscribingTo: FilePlayback.topics) { client in
      var params = try options.params(app: "play")
      params.file = Self.path(file)
      return try await FilePlayback(params: params).play(on: client)
    }
    while case .lost(let rest) = ending {
      Terminal.complain("the host or its server is gone; the file goes on once they are back")
      ending = try await host.reporting { try await rest.playOnceBack(at: host.address) }
    }
  }

  /// The path under which the host finds a file of this process.
  private static func path(_ file: String) -> String {
    let own = "/proc/\(getpid())"
    if file == "/dev/stdin" { return "\(own)/fd/0" }
    for (prefix, replacement) in [("/dev/fd/", "\(own)/fd/"), ("/proc/self/", "\(own)/")]
    where file.hasPrefix(prefix) {
      return replacement + file.dropFirst(prefix.count)
    }
    return file.hasPrefix("/") ? file : FileManager.default.currentDirectoryPath + "/" + file
  }
}
