// SPDX-License-Identifier: MIT

import ArgumentParser
import LatencyLab
import Logging

/// `multiroute bench roles`: ducking and stopping music, beside PulseAudio's role modules.
struct BenchRolesCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "roles",
    abstract: "Tell one story with this host and with PulseAudio's role modules, and compare.",
    discussion: """
      Music plays, a prompt lowers it, a call stops it, each ends and is killed. scripts/benchmark-roles \
      installs what it needs.
      """,
  )

  @OptionGroup var report: BenchReportOptions

  @Option(help: "How often the story is told on each.")
  var rounds = 10

  @Option(help: "The name or path of pulseaudio.")
  var pulseaudio = "pulseaudio"

  func run() async throws {
    Log.begin(at: .warning)
    var benchmark = RolesBenchmark(program: try Program.path())
    benchmark.rounds = rounds
    benchmark.pulseaudio = pulseaudio
    let chosen = benchmark
    try await report.measuring { progress in try await chosen.run(progress: progress) }
  }
}
