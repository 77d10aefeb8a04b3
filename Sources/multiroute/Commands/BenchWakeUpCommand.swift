// SPDX-License-Identifier: MIT

import ArgumentParser
import LatencyLab
import Logging

/// `multiroute bench wakeup`: how late cycles begin, and how long callbacks take.
struct BenchWakeUpCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "wakeup",
    abstract: "Measure how late cycles begin, beside a baseline of the machine's own timers.",
  )

  @OptionGroup var report: BenchReportOptions

  @Option(name: [.customShort("n"), .customLong("server")], help: "The name of the JACK server.")
  var server: String?

  @Option(help: "How long to measure, in seconds.")
  var seconds = 10.0

  @Option(help: "Ports whose clients are to run before the measuring one, so that it sees them.")
  var after: [String] = []

  func run() async throws {
    Log.begin(at: .warning)
    var options = WakeUpBenchmark.Options()
    options.serverName = server
    options.duration = .seconds(seconds)
    options.sourcePorts = after
    let chosen = options
    try await report.measuring(on: .runningServer(name: server)) { progress in
      [try await WakeUpBenchmark.run(chosen, progress: progress).record]
    }
  }
}
