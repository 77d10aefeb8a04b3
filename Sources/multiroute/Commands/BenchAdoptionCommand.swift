// SPDX-License-Identifier: MIT

import ArgumentParser
import LatencyLab
import Logging

/// `multiroute bench adoption`: how a client that connects itself comes to its strip.
struct BenchAdoptionCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "adoption",
    abstract: "How soon adopted clients are heard through their strips, and what is heard of that.",
    discussion: """
      Starts a dummy server and a host of its own. Stereo clients connect themselves to the \
      loudspeakers, one after the other; the recording tells which way each sample came.
      """,
  )

  @OptionGroup var report: BenchReportOptions

  @Option(help: "How many clients come.")
  var rounds = AdoptionBenchmark(program: "").rounds

  func run() async throws {
    Log.begin(at: .warning)
    var benchmark = AdoptionBenchmark(program: try Program.path())
    benchmark.rounds = rounds
    let chosen = benchmark
    try await report.measuring { progress in [try await chosen.run(progress: progress)] }
  }
}
