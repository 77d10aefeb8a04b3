// SPDX-License-Identifier: MIT

import ArgumentParser
import LatencyLab
import Logging

/// `multiroute bench bridge-recorder`: the listening end of `bench bridge`.
struct BridgeRecorderCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "bridge-recorder",
    abstract: "Record two ports, with the time of each cycle.",
    shouldDisplay: false,
  )

  @Option(name: [.customShort("n"), .customLong("server")], help: "The name of the JACK server.")
  var server: String?

  @Option(help: "How long, in seconds.")
  var seconds: Double

  @Option(help: "The file to write.")
  var out: String

  @Argument(help: "The two output ports.")
  var ports: [String]

  func run() async throws {
    Log.begin(at: .warning)
    do throws(LabError) {
      try await BridgeRecorder.run(ports: ports, server: server, seconds: seconds, path: out)
    } catch {
      Terminal.complain("error: \(error)")
      throw ExitCode.unavailable
    }
  }
}
