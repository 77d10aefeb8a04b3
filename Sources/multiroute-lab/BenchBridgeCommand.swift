// SPDX-License-Identifier: MIT

import ArgumentParser
import CommandSupport
import LatencyLab
import Logging

/// `multiroute bench bridge`: the effect of a bridge on a tone, compared with zita-j2a.
struct BenchBridgeCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "bridge",
    abstract: "Measure how well a bridge follows two clocks, compared with zita-j2a.",
    discussion: """
      Needs a second clock: scripts/dummy-card multiroute bench bridge. A whole run takes a quarter of an hour; \
      to try it: --offsets 200 --settle 5 --seconds 10.
      """,
  )

  @OptionGroup var report: BenchReportOptions
  @OptionGroup var host: HostProgramOption

  @Option(
    parsing: .unconditional,
    help: "The differences of JACK's rate from the device's, in ppm, separated by commas.",
    transform: { text in
      try text.split(separator: ",").map { word in
        guard let value = Double(word), abs(value) <= 10_000 else {
          throw ValidationError("--offsets \(word): allowed are numbers from -10000 to 10000")
        }
        return value
      }
    },
  )
  var offsets = [0.0, 200, -200, 1000, -1000]

  @Option(help: "The period of both sides in frames.")
  var frames = 256

  @Option(help: "Seconds to let a bridge settle.")
  var settle = 25.0

  @Option(help: "Seconds to measure.")
  var seconds = 60.0

  /// The parts that can be measured alone.
  enum Subject: String, CaseIterable, ExpressibleByArgument {
    case card
    case multiroute
    case zita
  }

  @Option(help: "Only one bridge, or the card without a bridge.")
  var only: Subject?

  @Flag(help: "Simulate both controllers instead, with late wake-ups; takes a second.")
  var simulate = false

  @Option(help: "With --simulate: the file for a picture (SVG).")
  var picture: String?

  func validate() throws {
    try BenchRange.check(frames, in: SweepBenchmark.bufferFrameLimits, "--frames")
  }

  func run() async throws {
    Log.begin(at: .warning)
    if simulate {
      try await report.measuring { _ in
        let simulated = BridgeSimulationReport()
        if let picture { try simulated.writePicture(to: picture) }
        return simulated.records
      }
      return
    }
    let programs = try host.programs()
    var benchmark = BridgeBenchmark(programs: programs)
    benchmark.offsetsPPM = offsets
    benchmark.periodFrames = frames
    benchmark.settleSeconds = settle
    benchmark.measureSeconds = seconds
    if let only {
      benchmark.peers = BridgeBenchmark.Peer.allCases.filter { $0.rawValue == only.rawValue }
      benchmark.measuresCard = only == .card
    }
    let chosen = benchmark
    try await report.measuring(with: programs) { progress in
      try await chosen.run(progress: progress)
    }
  }
}
