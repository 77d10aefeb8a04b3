// SPDX-License-Identifier: MIT

import ArgumentParser
import LatencyLab
import Logging

/// `multiroute bench session`: how soon the host does what its sessions decide.
struct BenchSessionCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "session",
    abstract: "How soon interruptions, ducks, activations and route changes are heard.",
    discussion: """
      Starts a dummy server and a host of its own, and listens at the hardware's ports. \
      jack_disconnect by another client is measured in turn with the interruptions.
      """,
  )

  @OptionGroup var report: BenchReportOptions

  @Option(help: "Interruptions, and as many activations.")
  var rounds = SessionBenchmark.Settings().interruptions

  @Option(help: "Ducks, and as many route changes.")
  var ducks = SessionBenchmark.Settings().ducks

  @Option(help: "How often an interrupter and a ducker are killed.")
  var kills = SessionBenchmark.Settings().kills

  func run() async throws {
    Log.begin(at: .warning)
    var benchmark = SessionBenchmark(program: try Program.path())
    benchmark.settings.interruptions = rounds
    benchmark.settings.activations = rounds
    benchmark.settings.ducks = ducks
    benchmark.settings.kills = kills
    let chosen = benchmark
    try await report.measuring { progress in [try await chosen.run(progress: progress)] }
  }
}
