// SPDX-License-Identifier: MIT

import ArgumentParser
import LatencyLab
import Logging

/// `multiroute bench roundtrip`: the delay between two ports.
struct BenchRoundTripCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "roundtrip",
    abstract: "Measure the delay between two JACK ports, to a thousandth of a frame.",
    discussion: """
      Plays a probe into one port and listens to another; says what JACK's latency ranges claim \
      beside it. Example: multiroute bench roundtrip loop:through_in_1 loop:line_out_1
      """,
  )

  @OptionGroup var report: BenchReportOptions

  @Option(name: [.customShort("n"), .customLong("server")], help: "The name of the JACK server.")
  var server: String?

  @Argument(help: "The input port that the probe is played into.")
  var into: String

  @Argument(help: "The output port that is listened to.")
  var from: String

  @Option(help: "How many readings.")
  var repetitions = 5

  func run() async throws {
    Log.begin(at: .warning)
    var options = RoundTripBenchmark.Options(destinationPort: into, sourcePort: from)
    options.serverName = server
    options.repetitions = repetitions
    let chosen = options
    try await report.measuring(on: .runningServer(name: server)) { progress in
      [try await RoundTripBenchmark.run(chosen, progress: progress).record]
    }
  }
}
